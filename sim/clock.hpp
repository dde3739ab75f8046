// A clock as a piecewise-linear function of true time, in integers that round down.
//
// The five verbs are Jepsen's: offset (bump), rate, step, strobe, freeze (strobe is a series of
// steps). Rates are parts per billion: 1'000'000'000 runs with true time, 0 stands still.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/time.hpp"

namespace leaselab::sim {

inline constexpr std::int64_t rate_one = 1'000'000'000;

struct clock_segment {
  true_time from = 0;
  std::int64_t reading = 0;  // ns, at `from`
  std::int64_t rate_ppb = rate_one;
};

// The whole course of one clock. Segments are in order of `from`; the last one is open.
class clock_line {
 public:
  explicit clock_line(std::int64_t start_reading = 0, std::int64_t rate_ppb = rate_one);

  void reset(std::int64_t start_reading, std::int64_t rate_ppb);
  // The reading at `t`, which may lie before the last change.
  std::int64_t read(true_time t) const;
  // The first true instant >= `not_before` at which the clock reads >= `due`, if it goes on as it
  // last did; `never` when it stands still below it.
  true_time first_at(std::int64_t due, true_time not_before) const;

  // Changes from `t` on; `t` is not before the last change.
  void set_rate(true_time t, std::int64_t rate_ppb);
  void step(true_time t, std::int64_t by);

  std::int64_t rate_ppb() const { return segments_.back().rate_ppb; }
  const std::vector<clock_segment>& segments() const { return segments_; }

 private:
  std::vector<clock_segment> segments_;
};

}  // namespace leaselab::sim
