#include "cli/live/clock_table.hpp"

#include <time.h>

#include <algorithm>

namespace leaselab::cli::live {
namespace {

__extension__ using wide = __int128;
constexpr std::int64_t million = 1'000'000;

std::int64_t scaled(std::int64_t length, std::int64_t by, std::int64_t over) {
  return static_cast<std::int64_t>(wide(length) * by / over);
}

}  // namespace

std::int64_t true_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t reading_at(std::span<const clock_segment> segments, std::int64_t true_ns) {
  std::size_t last = segments.size() - 1;
  while (last > 0 && segments[last].from_true > true_ns) --last;
  const auto& piece = segments[last];
  return piece.from_reading + scaled(true_ns - piece.from_true, piece.rate_ppm, million);
}

std::int64_t when_it_reads(std::span<const clock_segment> segments, std::int64_t reading) {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto& piece = segments[i];
    const auto missing = std::max<std::int64_t>(0, reading - piece.from_reading);
    if (missing > 0 && piece.rate_ppm == 0) continue;
    // Rounded up: a step a nanosecond earlier would still read less.
    const auto wait = missing == 0 ? 0 : scaled(missing, million, piece.rate_ppm) + 1;
    const auto at = piece.from_true + wait;
    if (i + 1 == segments.size() || at < segments[i + 1].from_true) return at;
  }
  return never_reads;
}

}  // namespace leaselab::cli::live
