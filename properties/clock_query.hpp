// Questions about a clock's whole course, asked after the run is over.
#pragma once

#include "sim/clock.hpp"
#include "sim/time.hpp"

namespace leaselab::properties {

// The first true instant >= `not_before` at which `line` reads >= `due` (ns), every change of the
// clock taken as it happened; `never` where it did not get there.
sim::true_time first_instant(const sim::clock_line& line, std::int64_t due,
                             sim::true_time not_before);

// The lowest and the highest reading (ns) of `line` at the instants of [from, to].
struct reading_range {
  std::int64_t lowest = 0, highest = 0;
};
reading_range readings(const sim::clock_line& line, sim::true_time from, sim::true_time to);

// True when the clock never went back.
bool only_ahead(const sim::clock_line& line);

}  // namespace leaselab::properties
