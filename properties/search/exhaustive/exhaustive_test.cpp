#include "properties/search/exhaustive/exhaustive.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "properties/builtin.hpp"
#include "properties/search/exhaustive/sample.hpp"
#include "properties/search/exhaustive/walk.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

check_options asked(std::vector<const sim::variant*> providers) {
  check_options out;
  out.providers = std::move(providers);
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  out.profiles = {"interleave"};
  out.strategy = "exhaustive";
  out.processes = 2;
  out.calls = 2;
  out.exhaustive.time_moves = 1;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return out;
}

const cell& cell_of(const check_result& result, std::string_view property) {
  for (const auto& one : result.cells)
    if (one.property == property) return one;
  throw std::out_of_range(std::string(property));
}

TEST(exhaustive, ends_and_says_complete) {
  const auto result = check(asked({find_variant("redis")}));
  ASSERT_EQ(result.walked.size(), 1U);
  EXPECT_TRUE(result.walked[0].complete());
  EXPECT_EQ(result.walked[0].lineups, 6U);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(cell_of(result, "single_owner.grant").result, cell_result::holds);
  EXPECT_EQ(exit_status(result), 0);
}

TEST(exhaustive, shows_a_gap_by_a_shrunk_witness) {
  const auto result = check(asked({find_variant("release-then-acquire")}));
  const auto& gap = cell_of(result, "handoff.no_gap");
  EXPECT_EQ(gap.result, cell_result::witness);
  ASSERT_TRUE(gap.witness);
  const auto& shown = result.witnesses[*gap.witness];
  EXPECT_LE(shown.events, 12U);
  EXPECT_FALSE(shown.text.empty());
}

TEST(exhaustive, random_runs_of_every_order_come_to_nothing_else) {
  auto options = asked({find_variant("redis"), find_variant("release-then-acquire")});
  options.exhaustive.reduce = false;
  const auto all = check(options);
  options.exhaustive.reduce = true;
  options.exhaustive.sample = 6000;
  options.jobs = 2;
  const auto reduced = check(options);
  EXPECT_TRUE(reduced.nondeterminism.empty());
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& one = reduced.walked[i];
    EXPECT_EQ(one.sampled, 6000U);
    EXPECT_EQ(one.strange_states, 0U);
    EXPECT_GT(one.sampled_states, 10U);
    EXPECT_NEAR(one.every_order, double(all.walked[i].runs), 5 * one.every_order_error);
    EXPECT_LT(one.every_order_error, 0.3 * one.every_order);
    EXPECT_EQ(one.final_states_digest, all.walked[i].final_states_digest);
  }
}

// A walk without moves of time knows nothing of what comes of one.
TEST(exhaustive, random_runs_tell_what_a_walk_has_not_seen) {
  const auto options = asked({find_variant("release-then-acquire")});
  bench own(options);
  auto handing = options;
  handing.workload = sim::workload_kind::handoff;
  const auto of =
      make_campaign(*options.providers[0], *find_profile("interleave"), handing, own.judged_by());
  const std::vector<program> programs{{sim::verb::acquire, sim::verb::transfer}};
  const auto plan = plan_of({2, 2}, programs, {0, 0});
  const auto runs = sample({{&of, plan, {false, 1, {0, 0}}}}, own, 1, 500);
  const walk_task task{&of, plan, {true, 0, {0, 0}}};
  check_result out;
  out.walked.emplace_back();
  walk walked;
  go_on(walked, task, own, nullptr);
  hold_against(runs, walked, own.judged_by(), out);
  EXPECT_GT(out.walked[0].strange_states, 0U);
  ASSERT_EQ(out.nondeterminism.size(), 1U);
  for (auto& one : walked.tallies) one.violations = 0;
  hold_against(runs, walked, own.judged_by(), out);
  EXPECT_GT(out.nondeterminism.size(), 2U) << "the gap is not in this walk, either";
}

TEST(exhaustive, jobs_change_nothing) {
  auto options = asked({find_variant("memory"), find_variant("release-then-acquire")});
  const auto one = check(options);
  options.jobs = 2;
  const auto two = check(options);
  ASSERT_TRUE(one.digest);
  EXPECT_EQ(one.digest, two.digest);
  EXPECT_EQ(one.checkpoint, two.checkpoint);
}

// Stopped after some line-ups, and one gone on with is as if it had never been stopped.
TEST(exhaustive, a_checkpoint_goes_on) {
  auto options = asked({find_variant("memory"), find_variant("release-then-acquire")});
  const auto whole = check(options);
  std::atomic<bool> stop{false};
  options.stop = &stop;
  options.progress = [&](std::uint64_t done, std::uint64_t, std::uint64_t) { stop = done >= 3; };
  const auto part = check(options);
  EXPECT_TRUE(part.stopped);
  EXPECT_FALSE(part.digest);
  EXPECT_EQ(part.walked[0].lineups_done, 3U);
  EXPECT_EQ(cell_of(part, "single_owner.grant").result, cell_result::unknown);
  EXPECT_EQ(exit_status(part), 2);
  auto again = asked(options.providers);
  again.exhaustive.resume = part.checkpoint;
  const auto rest = check(again);
  EXPECT_EQ(rest.digest, whole.digest);
  EXPECT_EQ(rest.checkpoint, whole.checkpoint);
}

TEST(exhaustive, the_checkpoint_of_another_search_is_refused) {
  auto options = asked({find_variant("memory")});
  const auto text = check(options).checkpoint;
  options.exhaustive.resume = text;
  EXPECT_NO_THROW(expect_checkpoint(options));
  options.calls = 3;
  EXPECT_THROW(expect_checkpoint(options), std::invalid_argument);
  options.calls = 2;
  for (const auto& broken : {std::string("nonsense"), text.substr(0, text.size() / 2)}) {
    options.exhaustive.resume = broken;
    EXPECT_THROW(expect_checkpoint(options), std::invalid_argument);
  }
}

TEST(checkpoint, a_walk_left_in_the_middle_is_told_and_read_back) {
  sim::world world(*find_variant("memory"));
  const auto plan = plan_of({2, 2}, programs_of(2), {0, 1});
  explorer chooser(world, {true, 1, {0, 1}});
  for (int i = 0; i < 20; ++i) {
    world.run(plan, chooser);
    ASSERT_TRUE(chooser.advance());
  }
  checkpoint value{"a scope", std::vector<walk>(2)};
  value.walks[0].path = chooser.path();
  value.walks[0].runs = 20;
  value.walks[0].finals = {1, 2, 3};
  value.walks[0].tallies.resize(2);
  value.walks[0].first[1] = world.decisions();
  value.walks[1].complete = true;
  const auto text = to_text(value);
  const auto again = checkpoint_from_text(text);
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.walks[0].path, value.walks[0].path);
  EXPECT_EQ(again.walks[0].first, value.walks[0].first);
}

}  // namespace
}  // namespace leaselab::properties
