#include "properties/search/switches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "properties/builtin.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

check_options options_for(const char* client, std::uint64_t schedules) {
  check_options options;
  options.providers = {find_variant("redis")};
  for (const auto& one : all_properties()) options.properties.emplace_back(one->id());
  options.profiles = {"interleave"};
  options.client = sim::parse_client(client);
  options.schedules = schedules;
  options.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return options;
}

switch_matrix matrix_of(const check_options& options) {
  auto matrix = search_switches(options);
  prove_switches(options, matrix);
  return matrix;
}

const switch_row& row_of(const switch_matrix& matrix, std::string_view policy,
                         std::string_view value) {
  const auto found = std::find_if(matrix.rows.begin(), matrix.rows.end(), [&](const auto& row) {
    return row.what.policy == policy && row.what.value == value;
  });
  if (found == matrix.rows.end()) throw std::logic_error("no such row");
  return *found;
}

const lost_property* loss_of(const switch_row& row, std::string_view property) {
  for (const auto& lost : row.lost) {
    if (lost.property == property) return &lost;
  }
  return nullptr;
}

bool violates(const lost_property& lost, const sim::client_policy& client) {
  auto plan = lost.shown->plan;
  plan.client = client;
  const auto& provider = *find_variant(lost.shown->provider);
  sim::world world(provider, std::make_unique<sim::redis::model_engine>());
  const auto chooser = make_strategy("replay");
  const auto& run = world.run(plan, *chooser);
  judge judge({lost.property});
  return judge.look(world, run, plan, provider.declared, 1).violated != 0;
}

TEST(switches, every_other_value_of_every_key_alone) {
  std::size_t values = 0;
  for (const auto& row : sim::policy_table()) values += row.values.size() - 1;
  const auto all = switches_from({});
  EXPECT_EQ(all.size(), values);
  for (const auto& one : all) {
    EXPECT_EQ(sim::to_string(one.client),
              "strict," + std::string(one.policy) + "=" + std::string(one.value));
  }
  const auto paired = switches_from(sim::parse_client("strict,dead_means=run"));
  EXPECT_EQ(paired.size(), values);
  const auto back = std::find_if(paired.begin(), paired.end(),
                                 [](const auto& one) { return one.policy == "dead_means"; });
  EXPECT_EQ(back->client, sim::client_policy{});
}

TEST(switches, a_flip_is_shown_by_a_plan_that_is_lawful_without_it) {
  const auto matrix = matrix_of(options_for("strict", 60));
  EXPECT_EQ(exit_status(matrix), 0);
  EXPECT_TRUE(matrix.lost_by_base.empty());
  std::size_t shown = 0;
  for (const auto& row : matrix.rows) {
    for (const auto& lost : row.lost) {
      EXPECT_TRUE(lost.where.front().promised);
      EXPECT_EQ(lost.where.front().before, 0U);
      ASSERT_TRUE(lost.shown) << row.what.policy << ' ' << lost.property;
      EXPECT_TRUE(violates(lost, row.what.client)) << row.what.policy << ' ' << lost.property;
      EXPECT_FALSE(violates(lost, {})) << row.what.policy << ' ' << lost.property;
      ++shown;
    }
  }
  EXPECT_GT(shown, 10U);
  EXPECT_TRUE(loss_of(row_of(matrix, "stop_before_release", "no"), "run.covered"));
  EXPECT_TRUE(loss_of(row_of(matrix, "plain_run_denied", "run_beside"), "run.serialized"));
  EXPECT_TRUE(loss_of(row_of(matrix, "detection", "outermost"), "noop.selected"));
}

TEST(switches, the_smallest_witness_comes_first) {
  for (const auto& row : matrix_of(options_for("strict", 30)).rows) {
    EXPECT_TRUE(std::is_sorted(row.lost.begin(), row.lost.end(), [](const auto& a, const auto& b) {
      return a.shown->events < b.shown->events;
    }));
  }
}

// One who stops too early harms nobody, and a provider's own weakness is none of the client's.
TEST(switches, a_harmless_flip_loses_nothing) {
  auto options = options_for("strict", 60);
  options.providers = {find_variant("redis-three-step")};
  options.profiles = {"lossy", "chaos"};
  const auto matrix = matrix_of(options);
  EXPECT_TRUE(row_of(matrix, "renew_error", "stop").lost.empty());
  EXPECT_TRUE(row_of(matrix, "waiter_error", "dead").lost.empty());
}

TEST(switches, over_a_base_that_breaks_something_only_what_comes_more_often_counts) {
  const auto matrix = matrix_of(options_for("strict,plain_run_denied=run_beside", 300));
  EXPECT_NE(std::ranges::find(matrix.lost_by_base, "run.covered"), matrix.lost_by_base.end());
  const auto* const often = loss_of(row_of(matrix, "stop_before_release", "no"), "run.covered");
  ASSERT_TRUE(often && often->shown);
  EXPECT_FALSE(often->where.front().promised);
  EXPECT_GT(often->where.front().before, 0U);
  EXPECT_FALSE(violates(*often, sim::parse_client("strict,plain_run_denied=run_beside")));
  EXPECT_TRUE(row_of(matrix, "renew_error", "stop").lost.empty());
  EXPECT_TRUE(row_of(matrix, "acquire_error", "fail_open").lost.empty());
  EXPECT_EQ(exit_status(matrix), 0);
}

TEST(switches, what_the_base_client_breaks_is_an_alarm_and_no_flips) {
  auto options = options_for("strict", 30);
  options.providers = {&find_mutant("M05")->variant};
  options.properties = {"lease.linearizable", "run.serialized"};
  const auto matrix = matrix_of(options);
  EXPECT_EQ(exit_status(matrix), 1);
  for (const auto& row : matrix.rows) EXPECT_TRUE(row.lost.empty());
  EXPECT_EQ(matrix.base.witnesses.size(), 2U);
}

TEST(switches, the_number_of_jobs_leaves_no_trace) {
  auto options = options_for("strict", 20);
  const auto alone = matrix_of(options);
  options.jobs = 3;
  const auto shared = matrix_of(options);
  ASSERT_TRUE(alone.digest && shared.digest);
  EXPECT_EQ(*alone.digest, *shared.digest);
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    const auto& one = alone.rows[i].lost;
    const auto& other = shared.rows[i].lost;
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t j = 0; j < one.size(); ++j) {
      EXPECT_EQ(one[j].property, other[j].property);
      EXPECT_EQ(one[j].shown->digest, other[j].shown->digest);
    }
  }
  options.seed = 2;
  EXPECT_NE(*search_switches(options).digest, *alone.digest);
}

// A row for each, and a second one with its reason for each that nothing was found against.
TEST(switches, the_manual_says_what_each_value_breaks_or_why_it_cannot) {
  std::ifstream file("docs/PROPERTIES.md");
  std::map<std::string, int> rows;
  std::set<std::string> silent;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const auto name = line.substr(3, line.find('`', 3) - 3);
    ++rows[name];
    if (line.find("` | nothing in ") != std::string::npos) silent.insert(name);
  }
  for (const auto& one : switches_from({})) {
    const auto name = std::string(one.policy) + "=" + std::string(one.value);
    EXPECT_EQ(rows[name], silent.contains(name) ? 2 : 1) << name;
  }
}

TEST(switches, stops_when_told_and_gives_no_digest) {
  auto options = options_for("strict", 60);
  std::atomic<bool> stop{true};
  options.stop = &stop;
  const auto matrix = matrix_of(options);
  EXPECT_TRUE(matrix.stopped);
  EXPECT_FALSE(matrix.digest);
  EXPECT_TRUE(matrix.rows.empty());
  EXPECT_EQ(exit_status(matrix), 2);
}

}  // namespace
}  // namespace leaselab::properties
