#include "sim/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace leaselab::sim {
namespace {

// First outputs of the reference implementation in C, state seeded by splitmix64(42).
TEST(random, is_the_published_generator) {
  random_source source(42);
  EXPECT_EQ(source.draw(), 0x15780b2e0c2ec716);
  EXPECT_EQ(source.draw(), 0x6104d9866d113a7e);
  EXPECT_EQ(source.draw(), 0xae17533239e499a1);
}

TEST(random, below_is_even) {
  random_source source(1);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) ++seen[source.below(7)];
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(random, below_reaches_the_whole_range) {
  random_source source(2);
  EXPECT_EQ(source.below(1), 0U);
  const auto most = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 100; ++i) EXPECT_LT(source.below(most), most);
}

TEST(random, uniform_includes_both_ends) {
  random_source source(3);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(source.uniform(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
  const auto least = std::numeric_limits<std::int64_t>::min();
  source.uniform(least, std::numeric_limits<std::int64_t>::max());
}

TEST(random, chance_follows_its_threshold) {
  random_source source(4);
  int hits = 0;
  for (int i = 0; i < 40'000; ++i) hits += source.chance(one_in(4));
  EXPECT_NEAR(hits, 10'000, 400);
  EXPECT_FALSE(source.chance(0));
}

TEST(random, log_uniform_spreads_over_magnitudes) {
  random_source source(5);
  int small = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto value = source.log_uniform(1, (1 << 20) - 1);
    EXPECT_GE(value, 1);
    EXPECT_LT(value, 1 << 20);
    small += value < (1 << 10);
  }
  EXPECT_NEAR(small, 5'000, 300);
}

TEST(random, log_uniform_keeps_its_bounds) {
  random_source source(6);
  for (int i = 0; i < 1'000; ++i) {
    const auto value = source.log_uniform(5, 6);
    EXPECT_TRUE(value == 5 || value == 6);
  }
  EXPECT_EQ(source.log_uniform(7, 7), 7);
  const auto most = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 1'000; ++i) EXPECT_GE(source.log_uniform(1, most), 1);
}

TEST(random, a_split_depends_on_all_its_parts) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t index = 0; index < 10; ++index) {
      seeds.insert(split(seed, purpose::calls, index));
      seeds.insert(split(seed, purpose::faults, index));
    }
  }
  EXPECT_EQ(seeds.size(), 200U);
}

}  // namespace
}  // namespace leaselab::sim
