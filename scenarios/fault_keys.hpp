// Which keys each fault kind has: the one table that the loader checks and the documents show.
#pragma once

#include <span>
#include <string_view>

#include "sim/fault.hpp"

namespace leaselab::scenarios {

// The keys of one kind besides `kind` and `providers`.
std::span<const std::string_view> keys_of(sim::fault_kind kind);

// Whether it is one message that the fault hits.
bool hits_message(sim::fault_kind kind);

}  // namespace leaselab::scenarios
