// What single operations promise: acquire, release, renew, separate keys, refused arguments.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_acquire_idempotent();
std::unique_ptr<property> make_acquire_honest_denial();
std::unique_ptr<property> make_release_owner_only();
std::unique_ptr<property> make_renew_honest();
std::unique_ptr<property> make_key_isolation();
std::unique_ptr<property> make_argument_refused();

}  // namespace leaselab::properties
