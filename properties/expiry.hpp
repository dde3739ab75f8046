// A lease ends on time: not before its deadline, not after.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_expiry_on_time();

}  // namespace leaselab::properties
