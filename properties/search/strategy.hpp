// The strategies: how the free choices of a run are made.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choice.hpp"

namespace leaselab::properties {

struct strategy_info {
  std::string_view name;  // "pct:d" stands for pct:1 to pct:6
  std::string_view about;
};
// For `list strategies` and for "did you mean".
std::span<const strategy_info> strategies();

// Makes the strategy of that name; throws std::invalid_argument that names the nearest one there
// is. Each run draws from `seed` and from its plan's seed only, so a run does not depend on those
// before it.
std::unique_ptr<sim::chooser> make_strategy(std::string_view name, std::uint64_t seed = 0);

}  // namespace leaselab::properties
