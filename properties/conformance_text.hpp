// Answers and calls of the contract suite in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/conformance.hpp"

namespace leaselab::properties::conformance {

// A name as one can print it: valid UTF-8, odd bytes escaped, long ones cut with their length said.
std::string readable(std::string_view name, std::size_t longest = 40);
// "denied, B holds it", "fail closed": what came, in a few words.
std::string describe(const step& asked, const answer& got);
// "renew_lease(K, A, 100) at 50 ms"
std::string describe_call(const step& asked);
// What the calls of the case's own operation answered, each answer once.
std::string describe_all(const conformance_case& about, const std::vector<answer>& answers);

}  // namespace leaselab::properties::conformance
