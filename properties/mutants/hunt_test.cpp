// The suite against its mutants, and against what is correct: it kills every one of the first and
// raises no alarm about the second.
#include "properties/mutants/hunt.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/builtin.hpp"
#include "properties/mutants/controls.hpp"
#include "properties/mutants/score.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

using sim::verb;

check_options asked(std::uint64_t seed) {
  check_options out;
  out.seed = seed;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return out;
}

score_options asked_of(std::vector<const mutant*> of, std::uint64_t schedules) {
  score_options out;
  out.mutants = std::move(of);
  out.schedules = schedules;
  out.controls = false;
  out.search = asked(1);
  return out;
}

TEST(hunt, kills_every_mutant_by_what_it_breaks) {
  std::vector<const mutant*> all;
  for (const auto& one : mutants()) all.push_back(&one);
  const auto result = score(asked_of(all, 20'000));
  for (const auto& one : result.mutants) {
    ASSERT_TRUE(one.shown.has_value()) << one.of->id << " survives " << one.tried << " schedules";
    const auto& by = one.of->killed_by;
    EXPECT_NE(std::count(by.begin(), by.end(), one.shown->property), 0) << one.of->id;
    EXPECT_FALSE(one.shown->text.empty()) << one.of->id;
    EXPECT_EQ(one.shown->events, one.shown->plan.decisions.size()) << one.of->id;
    EXPECT_TRUE(one.replays) << one.of->id;
  }
  EXPECT_EQ(exit_status(result), 0);
}

// A mutant of clients without its fault: the kit that everybody gets.
mutant harmless() {
  auto value = *find_mutant("N01");
  value.variant.clients = std::make_shared<sim::client_kit>();
  return value;
}

TEST(hunt, lets_a_client_without_a_fault_live) {
  const auto value = harmless();
  const auto result = score(asked_of({&value}, 3'000));
  EXPECT_FALSE(result.mutants.front().schedules.has_value());
  EXPECT_EQ(result.mutants.front().tried, 3'000u);
  EXPECT_EQ(result.killed(), 0u);
  EXPECT_EQ(exit_status(result), 1);
}

// Each policy alone breaks promises: only what the base keeps in the same plan counts.
TEST(hunt, lets_a_client_live_whose_base_is_as_bad) {
  auto value = *find_mutant("N07");
  value.variant.clients = std::make_shared<sim::client_kit>();
  value.variant.policy = sim::parse_client("published");
  const auto result = score(asked_of({&value}, 1'000));
  EXPECT_FALSE(result.mutants.front().schedules.has_value());
}

TEST(hunt, finds_the_same_again) {
  const auto* const one = find_mutant("N03");
  const auto first = score(asked_of({one}, 3'000));
  const auto again = score(asked_of({one}, 3'000));
  EXPECT_EQ(first.mutants.front().schedules, again.mutants.front().schedules);
  ASSERT_TRUE(first.mutants.front().shown.has_value());
  EXPECT_EQ(first.mutants.front().shown->digest, again.mutants.front().shown->digest);
}

TEST(controls, raise_no_alarm) {
  for (const auto& one : controls()) {
    const auto result = run_control(one, asked(1), 0, 300);
    EXPECT_EQ(result.schedules, 300u) << one.name;
    EXPECT_EQ(result.alarms, 0u) << one.name << ": "
                                 << (result.first ? result.first->text : std::string());
  }
}

TEST(controls, would_raise_one_about_a_faulty_provider) {
  auto faulty = controls().front();
  faulty.provider = &find_mutant("M01")->variant;
  const auto result = run_control(faulty, asked(1), 0, 200);
  EXPECT_GT(result.alarms, 0u);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_FALSE(result.first->text.empty());
}

const control& named(std::string_view name) {
  return *std::find_if(controls().begin(), controls().end(),
                       [&](const control& one) { return one.name == name; });
}

// The plans of a control, as they run.
std::vector<sim::plan> plans_of(const control& of) {
  std::vector<sim::plan> all;
  for (std::uint64_t index = 0; index < 40; ++index) {
    const auto options =
        world_for(of.workloads.front(), *find_profile(of.profiles.front()), of.provider->declared);
    sim::plan plan;
    generate(options, 1, index, plan);
    sim::random_source random(index);
    of.change(plan, random);
    all.push_back(plan);
  }
  return all;
}

std::int64_t count(const sim::plan& plan, verb what) {
  return std::count_if(plan.calls.begin(), plan.calls.end(),
                       [what](const auto& call) { return call.what == what; });
}

TEST(controls, are_what_they_are_called) {
  for (const auto& plan : plans_of(named("transfer to oneself")))
    for (const auto& call : plan.calls)
      EXPECT_TRUE(call.what != verb::transfer || call.to == call.owner);
  for (const auto& plan : plans_of(named("storm of readers")))
    EXPECT_GE(count(plan, verb::get), std::int64_t(plan.processes.size()));
  for (const auto& plan : plans_of(named("rate inside the margin")))
    for (const auto& process : plan.processes) EXPECT_GE(process.rate_ppb, 900'000'000);
  for (const auto& plan : plans_of(named("full recovery")))
    for (const auto& fault : plan.faults)
      EXPECT_TRUE(fault.kind != sim::fault_kind::crash || !fault.state_lost);
  for (const auto& plan : plans_of(named("late in the millisecond"))) {
    const auto within = (plan.calls.front().at + plan.backend_phase) % sim::ns_per_ms;
    EXPECT_GE(within, sim::ns_per_ms * 9 / 10);
  }
  for (const auto& plan : plans_of(named("late renewal"))) EXPECT_EQ(plan.faults.size(), 1u);
}

TEST(score, medians_count_what_was_not_killed_as_longer) {
  EXPECT_EQ(median({}), std::nullopt);
  EXPECT_EQ(median({{7}}), 7u);
  EXPECT_EQ(median({std::nullopt, 5, 3}), 5u);
  EXPECT_EQ(median({9, std::nullopt, std::nullopt}), std::nullopt);
  EXPECT_EQ(median({4, 2, 8, std::nullopt}), 4u);
}

TEST(score, compares_with_random_over_several_seeds) {
  auto options = asked_of({find_mutant("M15")}, 500);
  options.seeds = 3;
  const auto result = score(options);
  ASSERT_EQ(result.seeded.size(), 1u);
  EXPECT_EQ(result.seeded.front().by_strategy.size(), 3u);
  EXPECT_EQ(result.seeded.front().by_strategy.front(), result.mutants.front().schedules);
  EXPECT_TRUE(median(result.seeded.front().by_random).has_value());
}

}  // namespace
}  // namespace leaselab::properties
