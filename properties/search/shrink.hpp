// Makes a failing plan small. `shrink_plan` is the only list of reductions; the greedy loop here
// and RapidCheck's property tests both walk it.
#pragma once

#include <rapidcheck/Seq.h>

#include <cstdint>
#include <functional>

#include "sim/plan.hpp"

namespace leaselab::properties {

// Plans that are one step simpler, the boldest steps first: fewer calls, faults, processes and
// decisions; earlier, rounder times; plainer clocks; for runtimes also policies nearer to the
// strict client's, signals in fewer processes, and whole stretches of time left out. What is left
// keeps its ids, and a removed call or fault takes its decisions along. A strict client's rules
// survive every step.
rc::Seq<sim::plan> shrink_plan(const sim::plan& value);

// Runs the plan by its decisions: does it still fail in the same way? If so, the plan's decisions
// are replaced by those of that run.
using still_fails = std::function<bool(sim::plan& candidate)>;

struct shrunk {
  sim::plan plan;
  std::uint32_t runs = 0;
};

// The smallest plan that greedy descent finds in at most `budget` runs; counted in runs, not in
// seconds, so that the same failure always shrinks to the same plan.
shrunk shrink(sim::plan failing, const still_fails& test, std::uint32_t budget);

}  // namespace leaselab::properties
