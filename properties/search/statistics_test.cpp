#include "properties/search/statistics.hpp"

#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/check.hpp"
#include "properties/search/choosers.hpp"

namespace leaselab::properties {
namespace {

sim::decision step(std::uint32_t call, sim::true_time at) {
  return {{sim::event_label::step, 0, 1, 0, call}, at};
}

struct made {
  sim::plan plan;
  sim::run_record run;
  std::vector<sim::decision> decisions;
};

made schedule(std::vector<sim::decision> decisions) {
  made out;
  out.plan.calls.resize(2);
  out.run.ended = 2'000'000;
  out.decisions = std::move(decisions);
  return out;
}

void see(search_statistics& into, const made& one) { into.see(one.plan, one.run, one.decisions); }

TEST(statistics, counts_steps_limits_and_simulated_time) {
  search_statistics counted;
  see(counted, schedule({step(0, 1), step(1, 2), step(0, 3)}));
  auto cut = schedule({step(0, 1)});
  cut.run.step_limit_reached = true;
  see(counted, cut);
  EXPECT_EQ(counted.schedules, 2U);
  EXPECT_EQ(counted.steps, 4U);
  EXPECT_EQ(counted.fewest_steps, 1U);
  EXPECT_EQ(counted.most_steps, 3U);
  EXPECT_EQ(counted.at_step_limit, 1U);
  EXPECT_EQ(counted.simulated_us, 4000U);
}

TEST(statistics, schedules_differ_by_their_order_their_calls_and_their_faults) {
  search_statistics counted;
  const auto first = schedule({step(0, 1), step(1, 2)});
  see(counted, first);
  see(counted, schedule({step(0, 5), step(1, 9)}));  // at other instants: the same
  see(counted, schedule({step(1, 1), step(0, 2)}));
  auto other = first;
  other.plan.calls[1].what = sim::verb::release;
  see(counted, other);
  auto faulty = first;
  faulty.plan.faults.emplace_back();
  see(counted, faulty);
  EXPECT_EQ(counted.count_distinct(), 4U);
  EXPECT_FALSE(counted.estimated());
}

TEST(statistics, parts_add_up_to_the_whole) {
  search_statistics whole;
  search_statistics one;
  search_statistics other;
  for (std::uint32_t i = 0; i < 20; ++i) {
    auto drawn = schedule({step(i % 7, 1), step(1, 2)});
    drawn.decisions.resize(1 + i % 2);
    see(whole, drawn);
    see(i < 9 ? one : other, drawn);
  }
  one.add(other);
  EXPECT_EQ(one.steps, whole.steps);
  EXPECT_EQ(one.fewest_steps, whole.fewest_steps);
  EXPECT_EQ(one.count_distinct(), whole.count_distinct());
}

TEST(statistics, a_long_search_compares_a_share_and_estimates) {
  search_statistics counted(8'000'000'000);
  constexpr std::uint32_t all = 400'000;
  for (std::uint32_t i = 0; i < all; ++i) see(counted, schedule({step(i, 1)}));
  EXPECT_TRUE(counted.estimated());
  EXPECT_NEAR(double(counted.count_distinct()), all, all * 0.35);
}

TEST(statistics, the_bound_of_pct_is_that_of_the_schedules_at_hand) {
  search_statistics counted(2, true);
  see(counted, schedule({step(0, 1), step(1, 2), step(0, 3)}));
  auto longer = schedule({});
  longer.plan.calls.clear();
  longer.decisions = {step(0, 1), step(0, 2)};  // changes were drawn in its first step alone
  see(counted, longer);
  const auto bound = bound_of("pct:3", counted);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->threads, 2U);
  EXPECT_EQ(bound->steps, 13U);  // 6 a call, and 1
  EXPECT_DOUBLE_EQ(bound->probability, 1.0 / (2 * 13 * 13));
  EXPECT_DOUBLE_EQ(bound->share_of_schedules, 0.5);
  EXPECT_FALSE(bound_of("random", counted));
  EXPECT_FALSE(bound_of("pct:3", search_statistics()));
}

TEST(statistics, zero_in_so_many) { EXPECT_DOUBLE_EQ(rule_of_three(4000), 0.00075); }

TEST(statistics, a_check_reports_what_it_covered) {
  check_options options;
  options.providers = {find_variant("memory"), find_variant("noop")};
  options.properties = {"single_owner.grant"};
  options.profiles = {"calm", "interleave"};
  options.schedules = 300;
  options.strategy = "pct:2";
  const auto alone = check(options);
  options.jobs = 3;
  const auto shared = check(options);
  ASSERT_EQ(alone.covered.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& one = alone.covered[i];
    EXPECT_EQ(one.counted.schedules, 300U);
    EXPECT_GT(one.distinct, 100U);
    EXPECT_LE(one.distinct, 300U);
    EXPECT_GT(one.counted.most_threads, 2U);
    EXPECT_EQ(one.distinct, shared.covered[i].distinct);
    EXPECT_EQ(one.counted.steps, shared.covered[i].counted.steps);
    EXPECT_EQ(one.counted.simulated_us, shared.covered[i].counted.simulated_us);
  }
}

}  // namespace
}  // namespace leaselab::properties
