// Retells a run as a directed plan: every call and signal at an absolute instant, every message
// that took its time delayed by name. What a scenario file can say.
#pragma once

#include <functional>
#include <optional>

#include "sim/choice.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// What the retelling needs of a world: runs a plan under a chooser, or in order (the earliest event
// first) and says whether it still shows what is to be told.
struct retelling_world {
  std::function<const sim::run_record&(const sim::plan&, sim::chooser&)> run;
  std::function<bool(sim::plan&)> shows_in_order;
};

// `value` holds the decisions of its run. The result has none: run in order, it is meant to be the
// same story, but is not the same run. None: something of the run cannot be said that way, or it
// does not show then.
std::optional<sim::plan> directed(const sim::plan& value, const retelling_world& world);

}  // namespace leaselab::properties
