// What a provider promises in a run whose faults nobody named a profile for.
#pragma once

#include <string>
#include <vector>

#include "properties/property.hpp"
#include "sim/deployment.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// The profiles that the plan's clocks and faults belong to; "interleave" where there is none.
std::vector<std::string> profiles_of(const sim::plan& value);

// Promised in each of these profiles that can occur with the provider, and in at least one; a
// property of clients only where the run kept the clients' rules.
bool guaranteed(const properties::property& judged, const guarantees& declared,
                const sim::run_record& run, const sim::plan& value);

}  // namespace leaselab::cli
