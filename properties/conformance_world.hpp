// The contract suite in a world of the simulator: exact instants, no fault, one call at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "properties/conformance.hpp"
#include "properties/search/check.hpp"
#include "sim/deployment.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties::conformance {

// The case as it is asked of such a provider, as a directed plan: a call a step. A provider of
// scope `none` is what a runtime falls back to: there its backend lacks an operation.
sim::plan plan_of(const conformance_case& about, const guarantees& declared, std::uint64_t seed);

// All cases, a row each, in the order of cases(). Besides the expectations every property of
// providers is judged on every run. `engine` is asked where the variant needs one. Once `stop` is
// set, the rest is not run. Throws what the engine throws, and host_failed that says in which case.
std::vector<row> run_in_worlds(const sim::variant& provider, const engine_factory& engine,
                               std::uint64_t seed = 1, const std::atomic<bool>* stop = nullptr);

}  // namespace leaselab::properties::conformance
