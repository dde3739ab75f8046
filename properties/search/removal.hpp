// Takes parts out of a plan and keeps what is left consistent.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan.hpp"

namespace leaselab::properties {

// Places in the plan's lists.
using places = std::vector<std::uint32_t>;

places all_places(std::size_t count);

// Only these calls, in order. What waited for a removed one waits for its predecessor as long as
// both would have; faults on a removed call go with it.
sim::plan keep_calls(const sim::plan& value, const places& kept);
sim::plan keep_signals(const sim::plan& value, const places& kept);
sim::plan keep_faults(const sim::plan& value, const places& kept);
// Only these processes with what they call and suffer.
sim::plan keep_processes(const sim::plan& value, const places& kept);
// Without the calls that have no decision: they never began.
sim::plan drop_idle_calls(const sim::plan& value);
// Without processes, keys and owners that nothing names.
sim::plan drop_unused_names(const sim::plan& value);

}  // namespace leaselab::properties
