// Variants out of what a user's program hands in.
#pragma once

#include "providers/handed_in.hpp"
#include "sim/deployment.hpp"

namespace leaselab::properties {

// What it lacks is found out here: of something that only hands on another, one object is made,
// in an environment in which nothing works. Throws host_failed where the factory makes nothing.
sim::variant handed_in_variant(handed_in value);

}  // namespace leaselab::properties
