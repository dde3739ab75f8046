#include "properties/search/wrapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "properties/builtin.hpp"
#include "properties/search/generate.hpp"
#include "properties/search/strategy.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

sim::plan drawn(std::uint64_t index) {
  const auto& memory = *find_variant("memory");
  sim::plan out;
  generate(world_for(sim::workload_kind::contend, *find_profile("interleave"), memory.declared), 5,
           index, out);
  return out;
}

// How many of 1,000 instants fall on a deadline.
std::map<bool, int> on_deadlines(sim::chooser& chooser, sim::true_time from, sim::true_time to) {
  const std::vector<sim::true_time> deadlines{499, 500, 501};
  const std::vector<sim::candidate> candidates{{{}, from, to, 0, 0}};
  std::map<bool, int> out;
  chooser.begin(sim::plan{});
  for (int i = 0; i < 1000; ++i) {
    const auto made = chooser.choose({0, to, candidates, deadlines});
    EXPECT_GE(made.at, from);
    EXPECT_LE(made.at, to);
    ++out[std::count(deadlines.begin(), deadlines.end(), made.at) > 0];
  }
  return out;
}

TEST(aiming, most_instants_lie_at_deadlines) {
  aiming_chooser aimed(make_strategy("eager"), 1);
  const auto counted = on_deadlines(aimed, 0, 1'000);
  EXPECT_GT(counted.at(true), 700);
  EXPECT_GT(counted.at(false), 200);
  const auto plain = make_strategy("eager");
  EXPECT_EQ(on_deadlines(*plain, 0, 1'000).at(false), 1000);
}

TEST(aiming, windows_without_a_deadline_are_left_alone) {
  aiming_chooser aimed(make_strategy("eager"), 1);
  EXPECT_EQ(on_deadlines(aimed, 600, 1'000).at(false), 1000);
}

TEST(aiming, same_seed_same_run) {
  sim::world world(*find_variant("memory"));
  const auto plan = drawn(3);
  aiming_chooser one(make_strategy("random", 7), 7);
  aiming_chooser other(make_strategy("random", 7), 7);
  const auto digest = world.run(plan, one).digest;
  EXPECT_EQ(world.run(plan, other).digest, digest);
}

TEST(prefix, keeps_the_beginning_and_leaves_the_rest) {
  sim::world world(*find_variant("memory"));
  int parted = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    auto plan = drawn(i);
    const auto random = make_strategy("random", 1);
    world.run(plan, *random);
    plan.decisions = world.decisions();
    const auto length = plan.decisions.size() / 2;
    prefix_chooser chooser(make_strategy("random", 99), length);
    world.run(plan, chooser);
    const auto& again = world.decisions();
    ASSERT_GE(again.size(), length);
    EXPECT_TRUE(
        std::equal(again.begin(), again.begin() + std::ptrdiff_t(length), plan.decisions.begin()));
    parted += again != plan.decisions;
  }
  EXPECT_GT(parted, 10);
}

TEST(prefix, of_everything_is_a_replay) {
  sim::world world(*find_variant("memory"));
  auto plan = drawn(1);
  const auto random = make_strategy("random", 1);
  const auto digest = world.run(plan, *random).digest;
  plan.decisions = world.decisions();
  prefix_chooser chooser(make_strategy("random", 99), plan.decisions.size());
  EXPECT_EQ(world.run(plan, chooser).digest, digest);
}

}  // namespace
}  // namespace leaselab::properties
