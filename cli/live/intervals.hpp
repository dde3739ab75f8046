// Who had a key from when to when, and where two had it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leaselab::cli::live {

struct interval {
  std::int64_t from = 0, to = 0;  // true time, ns; empty where to < from
  std::string who = {};           // two of the same never overlap
  std::string label = {};         // how a report calls it
};

struct overlap {
  std::size_t one = 0, other = 0;  // indices into the intervals
  std::int64_t from = 0, length = 0;
};

// All pairs, by the instant at which they begin. Intervals that only touch do not overlap.
std::vector<overlap> overlaps_of(const std::vector<interval>& intervals);

}  // namespace leaselab::cli::live
