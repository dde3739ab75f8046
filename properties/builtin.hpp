// The built-in provider variants, ready to be put into a world.
#pragma once

#include <vector>

#include "sim/deployment.hpp"

namespace leaselab::properties {

// memory, memory-per-process, redis, redis-three-step, redis-fenced, release-then-acquire, noop.
const std::vector<sim::variant>& builtin_variants();

// By name; also `release-then-acquire:<base>`. Null: there is none of that name.
const sim::variant* find_variant(const std::string& name);

}  // namespace leaselab::properties
