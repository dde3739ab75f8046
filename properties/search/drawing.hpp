// What the parts of `generate` share while they draw one plan.
#pragma once

#include "properties/search/generate.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {

struct drawing {
  const world_options& options;
  sim::plan& out;
  sim::random_source random;
  sim::true_duration ttl = 0;                          // of the plan, in ns
  sim::true_duration horizon = 0;                      // about how long the calls take
  std::vector<sim::true_duration> standing_left = {};  // by process, where that is bounded
  bool crashes = false;  // an incarnation may end: nothing is sent on the chance that
                         // its token is still its own
};

// Each appends to the plan with a random source of its own, so that what is drawn for one purpose
// does not shift what is drawn for another.
void draw_world(drawing& now);
void draw_calls(drawing& now);
void draw_strict_calls(drawing& now);  // a part of draw_calls
void draw_runtime(drawing& now);       // instead of draw_calls
void draw_faults(drawing& now);

}  // namespace leaselab::properties
