// How a file names what a runtime does for a signal, which stands in no [[call]]: "s1:renew:2" is
// the second renewal of signal s1's run, "s1:acquire" the first acquire, "s1:offer" the first copy
// of an offer of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {

// The sim::runtime_subject() that the text names; a signal's number is its place in the list.
std::optional<std::uint32_t> runtime_call(const std::vector<signal>& signals,
                                          std::string_view text);
// And back, for a plan's signals.
std::string runtime_call_name(const sim::plan& plan, std::uint32_t subject);
// Those that the first signal's calls and messages would have, for a message about a wrong one.
std::vector<std::string> runtime_call_names(const std::vector<signal>& signals);

}  // namespace leaselab::scenarios
