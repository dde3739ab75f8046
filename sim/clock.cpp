#include "sim/clock.hpp"

#include <algorithm>

namespace leaselab::sim {
namespace {

__extension__ using wide = __int128;

std::int64_t floor_divide(wide value, wide by) {
  wide quotient = value / by;
  if (value % by != 0 && (value < 0) != (by < 0)) --quotient;
  return static_cast<std::int64_t>(quotient);
}

std::int64_t read_in(const clock_segment& segment, true_time t) {
  if (segment.rate_ppb == rate_one) return segment.reading + (t - segment.from);
  return segment.reading + floor_divide(wide(t - segment.from) * segment.rate_ppb, rate_one);
}

}  // namespace

clock_line::clock_line(std::int64_t start_reading, std::int64_t rate_ppb) {
  reset(start_reading, rate_ppb);
}

void clock_line::reset(std::int64_t start_reading, std::int64_t rate_ppb) {
  segments_.assign(1, {0, start_reading, rate_ppb});
}

std::int64_t clock_line::read(true_time t) const {
  auto segment = segments_.end() - 1;
  while (segment != segments_.begin() && segment->from > t) --segment;
  return read_in(*segment, t);
}

true_time clock_line::first_at(std::int64_t due, true_time not_before) const {
  if (read(not_before) >= due) return not_before;
  const clock_segment& last = segments_.back();
  if (last.rate_ppb <= 0) return never;
  const wide ahead = wide(due) - last.reading;
  const bool plain = last.rate_ppb == rate_one && ahead >= 0;  // the division would change nothing
  const wide after = plain ? ahead : (ahead * rate_one + last.rate_ppb - 1) / last.rate_ppb;
  const wide instant = after + last.from;
  if (instant >= never / 2) return never;  // saturate: beyond every horizon
  return std::max(not_before, static_cast<true_time>(instant));
}

void clock_line::set_rate(true_time t, std::int64_t rate_ppb) {
  if (rate_ppb == segments_.back().rate_ppb) return;
  const std::int64_t reading = read(t);
  if (segments_.back().from == t) {
    segments_.back().rate_ppb = rate_ppb;
    return;
  }
  segments_.push_back({t, reading, rate_ppb});
}

void clock_line::step(true_time t, std::int64_t by) {
  const clock_segment next{t, read(t) + by, segments_.back().rate_ppb};
  if (segments_.back().from == t) {
    segments_.back() = next;
    return;
  }
  segments_.push_back(next);
}

}  // namespace leaselab::sim
