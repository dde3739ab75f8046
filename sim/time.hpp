// True time: the scheduler's own, known to nobody inside a world.
#pragma once

#include <cstdint>
#include <limits>

namespace leaselab::sim {

using true_time = std::int64_t;      // ns since the world began
using true_duration = std::int64_t;  // ns

inline constexpr true_duration ns_per_ms = 1'000'000;
inline constexpr true_time never = std::numeric_limits<std::int64_t>::max();

}  // namespace leaselab::sim
