// Takes a stretch of time out of a plan: what a runtime did in it for the hundredth time is not
// what the story is about.
#pragma once

#include <vector>

#include "sim/plan.hpp"

namespace leaselab::properties {

struct stretch {
  sim::true_time from = 0;
  sim::true_duration length = 0;
};

// Stretches worth cutting, the longest first.
std::vector<stretch> stretches_of(const sim::plan& value);

// Without that stretch: what comes later comes earlier by so much, what a runtime first did in it
// is forgotten and what it did later of the same kind counts down, runs that worked in it are
// shorter. What had begun before ends at its beginning.
sim::plan cut_time(const sim::plan& value, const stretch& out);

}  // namespace leaselab::properties
