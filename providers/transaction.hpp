// What a client says between MULTI and EXEC, as one command: a server executes it as a whole.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "providers/command.hpp"

namespace leaselab {

// EXEC, then for each command the number of its words and the words. On the wire of a real server
// it would be wrong: it is for engines.
command transaction_of(std::vector<std::vector<std::string>> commands);

bool is_transaction(const command& request);
// Of one that is, in order.
std::vector<std::span<const std::string>> commands_of(const command& transaction);

}  // namespace leaselab
