// The words in which providers from elsewhere declare what they guarantee. A word that there is not
// throws std::runtime_error, one line that names it and what is allowed.
#pragma once

#include <cstdint>
#include <string_view>

#include "providers/guarantees.hpp"

namespace leaselab {

void declare_scope(guarantees& into, std::string_view word);    // cluster, host, none
void declare_expiry(guarantees& into, std::string_view word);   // at, after
void declare_handoff(guarantees& into, std::string_view word);  // atomic, none
void declare_granule(guarantees& into, std::int64_t ms);        // 1
// Where the records are: `<prefix>:lease:<key>` is the only place that oracles can look at.
void expect_known_place(std::string_view records);
// No message, no script and no replica lies between a process and the memory of its host.
void declare_within_host(guarantees& into);

}  // namespace leaselab
