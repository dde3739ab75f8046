// `check --strategy exhaustive`: every line-up of small programs, every order of their effects and
// every relevant instant, for each provider.
#pragma once

#include "properties/search/check.hpp"

namespace leaselab::properties {

inline constexpr std::uint32_t most_exhaustive_processes = 5;
inline constexpr std::uint32_t most_exhaustive_calls = 6;

// The matrix of the one profile that it covers, `interleave`. A cell of a search that was stopped
// is unknown unless it is violated already. Throws as `expect_checkpoint` does.
check_result check_exhaustively(const check_options& options);

// That the checkpoint in `options` is one of this very search; throws std::invalid_argument.
void expect_checkpoint(const check_options& options);

// What is walked and what is not, in a few lines for people.
std::string scope_text(const check_options& options);

}  // namespace leaselab::properties
