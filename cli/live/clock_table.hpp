// A process clock that the parent bends: pieces of constant rate over true time. True time is the
// machine's CLOCK_MONOTONIC, which all processes share.
#pragma once

#include <cstdint>
#include <span>

namespace leaselab::cli::live {

struct clock_segment {
  std::int64_t from_true = 0;     // ns
  std::int64_t from_reading = 0;  // ns, on the process's clock
  std::int64_t rate_ppm = 1'000'000;
};

inline constexpr std::int64_t never_reads = std::int64_t{1} << 61;

// CLOCK_MONOTONIC, ns.
std::int64_t true_now();

// What the clock reads at a true instant. `segments` is not empty and in the order of true time.
std::int64_t reading_at(std::span<const clock_segment> segments, std::int64_t true_ns);

// The first true instant at which it reads at least that much; never_reads.
std::int64_t when_it_reads(std::span<const clock_segment> segments, std::int64_t reading);

}  // namespace leaselab::cli::live
