#include "sim/redis/numbers.hpp"

#include <charconv>

namespace leaselab::sim::redis {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string_view digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
  if (digits.empty()) return std::nullopt;
  if (digits.front() < '1' || digits.front() > '9') {
    return text == "0" ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace leaselab::sim::redis
