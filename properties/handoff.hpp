// transfer_lease moves a key from one owner to the next in one step.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_handoff_no_gap();
std::unique_ptr<property> make_handoff_no_steal();
std::unique_ptr<property> make_handoff_honest();
std::unique_ptr<property> make_handoff_full_ttl();

}  // namespace leaselab::properties
