#include "properties/clock_query.hpp"

#include <algorithm>
#include <limits>

namespace leaselab::properties {
namespace {

__extension__ using wide = __int128;

using sim::clock_segment;
using sim::never;
using sim::true_time;

// Clocks round down.
std::int64_t reading_at(const clock_segment& segment, true_time at) {
  if (segment.rate_ppb == sim::rate_one) return segment.reading + (at - segment.from);
  const wide scaled = wide(at - segment.from) * segment.rate_ppb;
  return segment.reading + static_cast<std::int64_t>(scaled / sim::rate_one);
}

// Within the segment prolonged without end; the least t with reading_at(t) >= due.
true_time reaches(const clock_segment& segment, std::int64_t due, true_time from) {
  if (reading_at(segment, from) >= due) return from;
  if (segment.rate_ppb <= 0) return never;
  const wide missing = wide(due) - segment.reading;
  const wide at =
      segment.from + (missing * sim::rate_one + segment.rate_ppb - 1) / segment.rate_ppb;
  return at >= never ? never : static_cast<true_time>(at);
}

true_time end_of(const std::vector<clock_segment>& segments, std::size_t i) {
  return i + 1 < segments.size() ? segments[i + 1].from : never;
}

}  // namespace

true_time first_instant(const sim::clock_line& line, std::int64_t due, true_time not_before) {
  const auto& segments = line.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const true_time end = end_of(segments, i);
    if (end <= not_before && end != never) continue;
    const true_time at = reaches(segments[i], due, std::max(segments[i].from, not_before));
    // In a later segment a step may bring the reading there at once, or take it back.
    if (at < end) return at;
  }
  return never;
}

reading_range readings(const sim::clock_line& line, true_time from, true_time to) {
  const auto& segments = line.segments();
  reading_range range{std::numeric_limits<std::int64_t>::max(),
                      std::numeric_limits<std::int64_t>::min()};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const true_time first = std::max(segments[i].from, from);
    // Readings of the instant of a change count on both sides of it.
    const true_time last = std::min(end_of(segments, i), to);
    if (first > last) continue;
    range.lowest = std::min(range.lowest, reading_at(segments[i], first));
    range.highest = std::max(range.highest, reading_at(segments[i], last));
  }
  return range;
}

bool only_ahead(const sim::clock_line& line) {
  const auto& segments = line.segments();
  for (std::size_t i = 1; i < segments.size(); ++i)
    if (segments[i].reading < reading_at(segments[i - 1], segments[i].from)) return false;
  return true;
}

}  // namespace leaselab::properties
