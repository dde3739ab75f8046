// After a crash, and after all faults, a fresh contender gets the key in bounded time.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_progress_after_crash();
std::unique_ptr<property> make_progress_after_heal();

}  // namespace leaselab::properties
