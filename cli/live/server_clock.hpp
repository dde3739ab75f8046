// Does the server's clock run with true time? Only where it does may deadlines be compared with
// instants; what it departs is added to the error that the judge allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace leaselab::cli::live {

class server_clock {
 public:
  // The clock showed `reading` at an instant of [from, to]; all in ns.
  void saw(std::int64_t reading, std::int64_t from, std::int64_t to) {
    least_possible_ = std::max(least_possible_, reading - to);
    most_possible_ = std::min(most_possible_, reading - from);
  }

  // Its offset from true time has moved by at least this much; 0 where one offset explains all.
  std::int64_t spread() const {
    if (most_possible_ == std::numeric_limits<std::int64_t>::max()) return 0;
    return std::max<std::int64_t>(0, least_possible_ - most_possible_);
  }

 private:
  std::int64_t least_possible_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t most_possible_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace leaselab::cli::live
