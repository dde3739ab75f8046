// The calls of a given plan in every order: what its processes do is fixed, when they do it is not.
#pragma once

#include <string>

#include "sim/plan.hpp"

namespace leaselab::properties {

// Why the calls of `stated` cannot be walked in every order; empty: they can.
std::string why_not_walked(const sim::plan& stated);

// The same calls, each process's one after another in the order of their instants. Each may come
// as late as anybody likes and none gives up; the instants themselves are gone.
sim::plan in_any_order(const sim::plan& stated);

}  // namespace leaselab::properties
