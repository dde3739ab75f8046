// RapidCheck's view of plans: drawn by `generate`, shrunk by `shrink_plan`. RapidCheck's own
// generators cost more than running the world does.
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <ostream>

#include "properties/search/generate.hpp"
#include "properties/search/shrink.hpp"

namespace leaselab::sim {

// Found by RapidCheck when it prints a counterexample.
inline void showValue(const plan& value, std::ostream& out) { out << to_json(value); }

}  // namespace leaselab::sim

namespace leaselab::properties {

// Any plan of that kind of world. `record`, where given, runs a fresh plan and fills in its
// decisions, so that shrinking keeps the run in place; run what comes out by `replay`.
inline rc::Gen<sim::plan> any_plan(world_options options,
                                   std::function<void(sim::plan&)> record = {}) {
  return [options = std::move(options), record = std::move(record)](const rc::Random& random, int) {
    auto source = random;
    sim::plan plan;
    generate(options, source.next(), 0, plan);
    if (record) record(plan);
    return rc::shrinkable::shrinkRecur(std::move(plan), shrink_plan);
  };
}

}  // namespace leaselab::properties
