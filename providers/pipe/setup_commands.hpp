// Commands by which a client sets up its connection, or that look at the server and not at the
// keys. The front answers them itself, at once and always alike: they are no trips.
#pragma once

#include <optional>

#include "providers/pipe/resp.hpp"

namespace leaselab::pipe {

// None: it is for the backend. Throws std::runtime_error for what the front does not carry.
std::optional<reply> setup_answer(const request& asked);

}  // namespace leaselab::pipe
