// Random runs of every order, without reduction, where there are too many to walk them all: do they
// come to anything that the walk with reduction did not? And how many are there?
//
// Each fork on the way takes one of its n moves at random, so that a run is met with the chance
// 1 / (the product of its n); the mean of these products is the number of runs (Knuth, Estimating
// the Efficiency of Backtrack Programs, Mathematics of Computation 29, 1975).
#pragma once

#include <set>
#include <vector>

#include "properties/search/exhaustive/walk.hpp"

namespace leaselab::properties {

struct sampled {
  std::uint64_t runs = 0;
  double sum = 0, squares = 0;     // of the products
  std::set<std::uint64_t> finals;  // final_state() of the runs
  property_set violated = 0;

  void add(const sampled& later);
  double estimate() const { return runs == 0 ? 0 : sum / double(runs); }
  double standard_error() const;  // of the estimate
};

// `count` runs of these walks, each of one drawn among them.
sampled sample(const std::vector<walk_task>& tasks, bench& own, std::uint64_t seed,
               std::uint64_t count);

// Whatever a run in some other order comes to, the walk must have come to as well: if not, what
// was taken to commute does not. Both are of the provider that `out` names last.
void hold_against(const sampled& runs, const walk& walked, const judge& judge, check_result& out);

}  // namespace leaselab::properties
