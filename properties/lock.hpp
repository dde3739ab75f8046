// A provider tested as a lock (`--as lock`): acquire and release, and of the rest what it has. No
// runtime could live on it, so none is simulated, and the no-op provider never takes its place.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/deployment.hpp"

namespace leaselab::properties {

inline constexpr std::string_view lock_prefix = "lock:";

// `base` under the name "lock:<name>": what is missing there is never called, and its denials name
// nobody. Throws std::invalid_argument where it is no lock either.
const sim::variant& lock_variant(const sim::variant& base);

// Whether the property says anything about such a provider; of a lease it always does.
bool asked_of(std::string_view property, const guarantees& declared);
bool lacks(const guarantees& declared, operation one);

// The same provider with the owners left out of its denials. It outlives the view.
std::unique_ptr<any_lease_provider> make_lock_view(any_lease_provider& provider);

}  // namespace leaselab::properties
