#include "sim/random.hpp"

#include <algorithm>

namespace leaselab::sim {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

// The finalizer of splitmix64 (Steele, Lea and Flood): a bijection that mixes every bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

int exponent_of(std::int64_t value) { return std::bit_width(std::uint64_t(value)) - 1; }

}  // namespace

std::uint64_t split(std::uint64_t seed, purpose for_what, std::uint64_t index) {
  const auto own = mix(seed + golden * std::uint64_t(for_what));
  return mix(own ^ mix(index + golden));
}

void random_source::reseed(std::uint64_t seed) {
  for (auto& word : state_) word = mix(seed += golden);
}

std::int64_t random_source::log_uniform(std::int64_t low, std::int64_t high) {
  const auto exponent = int(uniform(exponent_of(low), exponent_of(high)));
  const auto from = std::max(low, std::int64_t{1} << exponent);
  const auto end = exponent == 62 ? high : std::min(high, (std::int64_t{2} << exponent) - 1);
  return uniform(from, end);
}

}  // namespace leaselab::sim
