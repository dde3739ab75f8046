// Latencies, counted in buckets that are at most 1/64 of their value wide (as HdrHistogram does).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace leaselab::bench {

// Every latency is counted, none is sampled or averaged; a quantile is off by 1.6 % at most.
class latency_histogram {
 public:
  void note(std::int64_t latency_ns) {
    ++counts_[bucket_of(static_cast<std::uint64_t>(std::max<std::int64_t>(latency_ns, 0)))];
    ++total_;
  }

  void add(const latency_histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  std::uint64_t total() const { return total_; }

  // The latency that the share `quantile` of all calls did not exceed, in microseconds; 0 where
  // nothing was counted.
  double quantile_us(double quantile) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(quantile * total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= wanted && counts_[i] > 0) return highest_in(i) / 1000.0;
    }
    return 0;
  }

 private:
  static constexpr int precision_bits = 6;
  static constexpr std::size_t slots = std::size_t{1} << precision_bits;

  // Values below 64 have a bucket each; above, each doubling has 64.
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < slots) return value;
    const int shift = std::bit_width(value) - 1 - precision_bits;
    return slots * static_cast<std::size_t>(shift + 1) + ((value >> shift) - slots);
  }
  static double highest_in(std::size_t bucket) {
    if (bucket < slots) return static_cast<double>(bucket);
    const auto shift = bucket / slots - 1;
    return std::ldexp(static_cast<double>(bucket % slots + slots + 1), static_cast<int>(shift)) - 1;
  }

  std::array<std::uint64_t, slots*(64 - precision_bits + 1)> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace leaselab::bench
