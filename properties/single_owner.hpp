// At most one owner: by the provider's grants, by the clients' beliefs, by their effects on the
// resource, and by fencing tokens.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_single_owner_grant();
std::unique_ptr<property> make_single_owner_belief();
std::unique_ptr<property> make_single_owner_effect();
std::unique_ptr<property> make_single_owner_fenced();

}  // namespace leaselab::properties
