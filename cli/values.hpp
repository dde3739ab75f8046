// From what was typed to values. All throw usage_error that names the flag, what it was given and
// what it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/time.hpp"

namespace leaselab::cli {

// Decimal digits only, in [least, most].
std::uint64_t whole_number(std::string_view flag, const std::string& text, std::uint64_t least,
                           std::uint64_t most);
// Nothing where nothing was given.
std::optional<std::uint64_t> optional_number(std::string_view flag, const std::string& text,
                                             std::uint64_t least, std::uint64_t most);
// Decimal, or hexadecimal with 0x. Without a text, one drawn from the machine's chance.
std::uint64_t seed_of(const std::string& text);
// A decimal share in [0, 1), at most six digits after the point, in parts per million.
std::int64_t share_ppm(std::string_view flag, const std::string& text);
// "60s", "1.5m": more than nothing.
sim::true_duration positive_duration(std::string_view flag, const std::string& text);
// The same; nothing where nothing was typed.
std::optional<sim::true_duration> optional_duration(std::string_view flag, const std::string& text);
// One a core where nothing was given.
unsigned jobs_of(const std::string& text);

}  // namespace leaselab::cli
