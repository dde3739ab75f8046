// Integers as Redis reads them and adds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace leaselab::sim::redis {

// Decimal, no sign but '-', no leading zeros, no space: "007", "+7", "-0" and "" are refused.
std::optional<std::int64_t> parse_integer(std::string_view text);

// The server adds without a check where it means to see the overflow in the sign afterwards.
constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace leaselab::sim::redis
