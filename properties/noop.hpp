// The no-op provider: chosen only where operations are missing, always wins, changes nothing.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_noop_selected();
std::unique_ptr<property> make_noop_always_wins();
std::unique_ptr<property> make_noop_inert();
std::unique_ptr<property> make_noop_single_process();

}  // namespace leaselab::properties
