// The errands of a world.
#pragma once

#include <memory>

#include "providers/errands.hpp"
#include "sim/deployment.hpp"

namespace leaselab::sim {

// Of the world whose host this is, which outlives them.
std::unique_ptr<errands> errands_of(const host& where);

}  // namespace leaselab::sim
