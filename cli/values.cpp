#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <random>
#include <stdexcept>
#include <thread>

#include "cli/exit_status.hpp"
#include "scenarios/duration.hpp"

namespace leaselab::cli {
namespace {

[[noreturn]] void refuse(std::string_view flag, const std::string& text, const std::string& takes) {
  throw usage_error(fmt::format("{}: `{}` is no {}", flag, text, takes));
}

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t out = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, out, base);
  if (text.empty() || error != std::errc() || end != last) return std::nullopt;
  return out;
}

// The only chance in the program that no seed determines: it becomes the seed.
std::uint64_t drawn_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  const std::uint64_t low = device();
  return (high << 32 | low) & 0xffff'ffff'ffffu;  // 48 bits: short enough to be typed
}

}  // namespace

std::uint64_t whole_number(std::string_view flag, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  const auto value = digits(text, 10);
  if (!value || *value < least || *value > most) {
    refuse(flag, text, fmt::format("whole number from {} to {}", least, most));
  }
  return *value;
}

std::optional<std::uint64_t> optional_number(std::string_view flag, const std::string& text,
                                             std::uint64_t least, std::uint64_t most) {
  if (text.empty()) return std::nullopt;
  return whole_number(flag, text, least, most);
}

std::uint64_t seed_of(const std::string& text) {
  if (text.empty()) return drawn_seed();
  const std::string_view all = text;
  const bool hexadecimal = all.starts_with("0x") || all.starts_with("0X");
  const auto value = hexadecimal ? digits(all.substr(2), 16) : digits(all, 10);
  if (!value) refuse("--seed", text, "seed: decimal, or hexadecimal with 0x, below 2^64");
  return *value;
}

std::int64_t share_ppm(std::string_view flag, const std::string& text) {
  const std::string takes = "share of the ttl: a decimal number from 0 to below 1, as in 0.1";
  const auto point = std::min(text.find('.'), text.size());
  std::string places = text.substr(std::min(point + 1, text.size()));
  if (places.size() > 6) refuse(flag, text, takes);
  places.resize(6, '0');
  const auto whole = digits(text.substr(0, point), 10);
  const auto share = digits(places, 10);
  if (!whole || *whole != 0 || !share) refuse(flag, text, takes);
  return static_cast<std::int64_t>(*share);
}

sim::true_duration positive_duration(std::string_view flag, const std::string& text) {
  const std::string takes = "time, as in 60s, 1.5m or 250ms";
  try {
    const auto value = scenarios::parse_duration(text, 1);
    if (value <= 0 || text.find("ttl") != std::string::npos) refuse(flag, text, takes);
    return value;
  } catch (const std::invalid_argument&) {
    refuse(flag, text, takes);
  }
}

std::optional<sim::true_duration> optional_duration(std::string_view flag,
                                                    const std::string& text) {
  if (text.empty()) return std::nullopt;
  return positive_duration(flag, text);
}

unsigned jobs_of(const std::string& text) {
  if (text.empty()) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(whole_number("--jobs", text, 1, 1024));
}

}  // namespace leaselab::cli
