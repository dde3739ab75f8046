#include "properties/search/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/builtin.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/sweep_world.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

sweep_options along(const char* provider, sweep_axis axis,
                    std::optional<sweep_axis> second = std::nullopt) {
  sweep_options out;
  out.provider = find_variant(provider);
  out.axis = axis;
  out.second = second;
  out.schedules = 4;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return out;
}

sweep_line line_of(const char* provider, sweep_axis axis) {
  return sweep(along(provider, axis)).lines.at(0);
}

void expect_near(const sweep_edge& edge, double share) {
  ASSERT_TRUE(edge.measured_ppm() && edge.analytic_ppm);
  ASSERT_TRUE(edge.off_by());
  EXPECT_LT(std::abs(*edge.off_by()), share)
      << *edge.measured_ppm() << " instead of " << *edge.analytic_ppm;
}

TEST(sweep, the_rate_envelope_is_within_one_percent_of_the_analytic_edge) {
  for (const char* provider : {"redis", "memory", "redis-three-step"}) {
    const auto line = line_of(provider, sweep_axis::clock_rate);
    expect_near(line.belief, 0.01);
    expect_near(line.effect, 0.01);
    EXPECT_NEAR(*line.belief.measured_ppm(), 900'000, 9'000) << "1 - margin, but for a granule";
  }
}

TEST(sweep, the_rate_envelope_follows_the_margin) {
  auto options = along("redis", sweep_axis::clock_rate, sweep_axis::margin);
  options.lines = 6;
  std::size_t edges = 0;
  for (const auto& line : sweep(options).lines) {
    if (!line.belief.analytic_ppm) {
      EXPECT_FALSE(line.belief.measured_ppm());
      continue;
    }
    expect_near(line.belief, 0.01);
    expect_near(line.effect, 0.01);
    ++edges;
  }
  EXPECT_GE(edges, 4u);
}

TEST(sweep, a_stop_with_standing_clocks_may_be_as_long_as_the_margin) {
  const auto line = line_of("redis", sweep_axis::pause);
  expect_near(line.belief, 0.02);
  expect_near(line.effect, 0.02);
  EXPECT_NEAR(*line.belief.analytic_ppm, 101'000, 1);
}

TEST(sweep, late_work_at_a_remote_resource_breaks_the_effect_and_never_the_belief) {
  const auto line = line_of("redis", sweep_axis::delay);
  EXPECT_FALSE(line.belief.violated_ppm);
  EXPECT_FALSE(line.belief.analytic_ppm);
  expect_near(line.effect, 0.02);
}

TEST(sweep, a_fence_keeps_the_effect) {
  for (const auto axis : {sweep_axis::delay, sweep_axis::clock_rate}) {
    const auto line = line_of("redis-fenced", axis);
    EXPECT_TRUE(line.effect.holds_ppm);
    EXPECT_FALSE(line.effect.violated_ppm);
    EXPECT_FALSE(line.effect.analytic_ppm);
  }
}

TEST(sweep, a_slow_clock_needs_its_margin) {
  const auto line = line_of("redis", sweep_axis::margin);
  EXPECT_EQ(line.at[sweep_axis::clock_rate], 900'000);
  EXPECT_NEAR(*line.belief.analytic_ppm, 99'000, 1);
  expect_near(line.belief, 0.02);
  expect_near(line.effect, 0.02);
}

TEST(sweep, without_a_lease_nothing_holds_anywhere) {
  for (const char* provider : {"noop", "memory-per-process"}) {
    const auto line = line_of(provider, sweep_axis::clock_rate);
    EXPECT_FALSE(line.belief.holds_ppm);
    EXPECT_FALSE(line.effect.holds_ppm);
    EXPECT_FALSE(line.belief.analytic_ppm);
    EXPECT_FALSE(sweep(along(provider, sweep_axis::clock_rate)).vacuous);
  }
}

TEST(sweep, what_ends_early_is_told_from_what_ends_by_the_formula) {
  const auto& declared = find_variant("redis")->declared;
  const auto early = [&](std::int64_t violated) {
    sweep_edge edge;
    edge.violated_ppm = violated;
    return ends_early(sweep_axis::clock_rate, {}, edge, sweep_guarantee::belief, declared);
  };
  EXPECT_TRUE(early(1'400'000));
  EXPECT_TRUE(early(920'000));
  EXPECT_FALSE(early(905'000)) << "within a hundredth";
  EXPECT_FALSE(early(890'000));
  for (const char* provider : {"redis", "memory", "redis-fenced", "noop"}) {
    for (const auto axis : {sweep_axis::clock_rate, sweep_axis::pause, sweep_axis::delay}) {
      const auto line = line_of(provider, axis);
      const auto& promised = find_variant(provider)->declared;
      EXPECT_FALSE(ends_early(axis, line.at, line.belief, sweep_guarantee::belief, promised));
      EXPECT_FALSE(ends_early(axis, line.at, line.effect, sweep_guarantee::effect, promised));
    }
  }
}

// M05 reads `free`, then writes whatever it is by then: no clock is needed.
TEST(sweep, a_faulty_provider_ends_early) {
  auto options = along("redis", sweep_axis::clock_rate);
  options.provider = &find_mutant("M05")->variant;
  const auto line = sweep(options).lines.at(0);
  EXPECT_TRUE(ends_early(options.axis, line.at, line.belief, sweep_guarantee::belief,
                         options.provider->declared));
}

TEST(sweep, one_seed_gives_one_digest_on_any_number_of_threads) {
  auto options = along("redis", sweep_axis::clock_rate, sweep_axis::pause);
  options.lines = 3;
  const auto one = sweep(options);
  options.jobs = 2;
  const auto two = sweep(options);
  EXPECT_EQ(one.digest, two.digest);
  EXPECT_EQ(one.runs, two.runs);
  options.seed = 2;
  EXPECT_NE(sweep(options).digest, one.digest);
}

TEST(sweep, axes_have_names) {
  for (const char* name : {"clock.rate", "pause/ttl", "delay/ttl", "margin"}) {
    const auto axis = sweep_axis_named(name);
    ASSERT_TRUE(axis);
    EXPECT_EQ(info_of(*axis).name, name);
  }
  EXPECT_FALSE(sweep_axis_named("rate"));
}

}  // namespace
}  // namespace leaselab::properties
