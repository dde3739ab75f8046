// The source of all chance: xoshiro256** 1.0 (Blackman and Vigna, public domain,
// prng.di.unimi.it/xoshiro256starstar.c), seeded by splitmix64.
//
// Our own integer draws, never `std::*_distribution`: theirs differ from library to library.
// One draw a full expression: compilers evaluate arguments in different orders.
#pragma once

#include <bit>
#include <cstdint>

namespace leaselab::sim {

// What a seed is split for. The values are part of what a seed means: append only.
enum class purpose : std::uint64_t {
  plan = 1,     // one schedule's own seed
  world,        // who there is, and how long things take
  calls,        // what they call
  faults,       // what goes wrong
  choices,      // which event runs when
  environment,  // a provider's own random numbers
  digest,       // the last draw of a run
  shrinking,
};

// An independent seed for that purpose and index.
std::uint64_t split(std::uint64_t seed, purpose for_what, std::uint64_t index = 0);

class random_source {
 public:
  explicit random_source(std::uint64_t seed = 0) { reseed(seed); }
  void reseed(std::uint64_t seed);

  // Uniform over all 64 bits.
  std::uint64_t draw() {
    const auto result = std::rotl(state_[1] * 5, 7) * 9;
    const auto shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform over [0, n), n > 0, without bias (Lemire's method: one multiplication, rarely a
  // second draw).
  std::uint64_t below(std::uint64_t n) {
    __extension__ using wide = unsigned __int128;
    auto product = wide(draw()) * n;
    if (auto low = std::uint64_t(product); low < n) {
      const auto threshold = (0 - n) % n;
      while (low < threshold) {
        product = wide(draw()) * n;
        low = std::uint64_t(product);
      }
    }
    return std::uint64_t(product >> 64);
  }

  // Uniform over [low, high], low <= high.
  std::int64_t uniform(std::int64_t low, std::int64_t high) {
    const auto span = std::uint64_t(high) - std::uint64_t(low) + 1;
    const auto offset = span == 0 ? draw() : below(span);
    return std::int64_t(std::uint64_t(low) + offset);
  }

  // True with probability threshold / 2^32.
  bool chance(std::uint32_t threshold) { return (draw() >> 32) < threshold; }

  // Over [low, high], 1 <= low <= high, each power of two as likely as the next: a uniform
  // exponent, then uniform below it. No floating point: libm differs from machine to machine.
  std::int64_t log_uniform(std::int64_t low, std::int64_t high);

 private:
  std::uint64_t state_[4];
};

// The threshold of a probability given as a fraction: chance(one_in(4)).
constexpr std::uint32_t one_in(std::uint32_t n) {
  return n <= 1 ? 0xffffffffU : std::uint32_t((std::uint64_t{1} << 32) / n);
}
constexpr std::uint32_t percent(std::uint32_t n) {
  return n >= 100 ? 0xffffffffU : std::uint32_t((std::uint64_t{n} << 32) / 100);
}

}  // namespace leaselab::sim
