// Retells a run as a directed plan: every call at an absolute instant, every message that took its
// time delayed by name. What a scenario file can say.
#pragma once

#include <optional>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// `value` holds the decisions of `run`. The result has none: run in order, the earliest event
// first, it is meant to be the same story, but is not the same run; whether it still shows a
// violation is for the caller to see. None: something of the run cannot be said that way.
std::optional<sim::plan> directed(const sim::plan& value, const sim::run_record& run);

}  // namespace leaselab::properties
