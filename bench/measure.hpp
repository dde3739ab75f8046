// One repetition of one row: ours and its yardsticks, interleaved.
#pragma once

#include <string>

#include "bench/rows.hpp"

namespace leaselab::bench {

struct measurement {
  double calls_per_second = 0;
  double p50_us = 0, p90_us = 0, p99_us = 0, p999_us = 0;
  double cpu_us = 0;           // of this process, a call
  double redis_benchmark = 0;  // calls a second of the yardsticks; 0: does not apply
  double hiredis = 0, mutex_map = 0;
  std::string complaint;  // empty: it is one
};

// Runs for `length` in slices of a quarter of a second, and each yardstick that applies for as
// long, in the order ours, theirs, theirs, ours: a machine that gets slower or faster wrongs
// nobody. `on` may be null for rows that are not live.
measurement measure(const row& which, server* on, steady::duration length);

}  // namespace leaselab::bench
