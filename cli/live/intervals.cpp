#include "cli/live/intervals.hpp"

#include <algorithm>
#include <numeric>

namespace leaselab::cli::live {

std::vector<overlap> overlaps_of(const std::vector<interval>& intervals) {
  std::vector<std::size_t> order(intervals.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return intervals[i].from; });
  std::vector<overlap> found;
  std::vector<std::size_t> open;  // begun, and not yet known to have ended
  for (const auto now : order) {
    const interval& late = intervals[now];
    if (late.to <= late.from) continue;
    std::erase_if(open, [&](std::size_t i) { return intervals[i].to <= late.from; });
    for (const auto i : open) {
      if (intervals[i].who == late.who) continue;
      found.push_back({i, now, late.from, std::min(intervals[i].to, late.to) - late.from});
    }
    open.push_back(now);
  }
  return found;
}

}  // namespace leaselab::cli::live
