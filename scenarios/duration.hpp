// Durations as they are written in scenario files: "250ms", "1.5s", "0.5ttl", "1ttl-1ms".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/time.hpp"

namespace leaselab::scenarios {

// The longest instant or duration a scenario may state: sums of two still fit.
inline constexpr sim::true_duration longest = std::int64_t{1} << 61;  // 73 years

// Units ns, us, ms, s, m, h and ttl; terms joined by + and -. Throws std::invalid_argument with
// what is wrong: no duration, finer than 1 ns, or longer than `longest`.
sim::true_duration parse_duration(std::string_view text, std::int64_t ttl_ms);

// The same in whole ms, for a call's ttl: any int64, so that bad arguments can be stated.
std::int64_t parse_milliseconds(std::string_view text, std::int64_t ttl_ms);

// In the largest unit up to seconds that needs no fraction: "250ms". parse_duration reads it back.
std::string format_duration(sim::true_duration value);

}  // namespace leaselab::scenarios
