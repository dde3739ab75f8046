// `replay TRACE --until N --then-explore`: the beginning of a recorded run, and what else might
// have come of it.
#pragma once

#include <cstdint>

#include "cli/options.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {

// Keeps `recorded` up to that line, runs many schedules from there and says what they violate.
// Writes a trace for each property that is violated.
int then_explore(const sim::trace& recorded, std::uint64_t line, const options& given);

}  // namespace leaselab::cli
