#include "properties/search/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "properties/builtin.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

check_options options_for(std::vector<std::string> providers, std::vector<std::string> profiles) {
  check_options options;
  for (const auto& name : providers) options.providers.push_back(find_variant(name));
  for (const auto& one : all_properties()) options.properties.emplace_back(one->id());
  options.profiles = std::move(profiles);
  options.schedules = 400;
  options.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return options;
}

cell_result result_of(const check_result& result, std::string_view provider,
                      std::string_view property, std::string_view profile) {
  for (const auto& cell : result.cells) {
    if (cell.provider == provider && cell.property == property && cell.profile == profile)
      return cell.result;
  }
  return cell_result::unknown;
}

TEST(check, variants_have_the_names_of_the_contract) {
  std::vector<std::string> names;
  for (const auto& one : builtin_variants()) names.push_back(one.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"memory", "memory-per-process", "redis", "redis-three-step",
                                      "redis-fenced", "release-then-acquire", "noop"}));
  EXPECT_NE(find_variant("release-then-acquire:memory"), nullptr);
  EXPECT_EQ(find_variant("release-then-acquire:noop"), nullptr);
}

TEST(check, fills_cells_as_declared) {
  const auto result = check(options_for({"memory", "memory-per-process", "redis", "noop"},
                                        {"interleave", "lossy", "crash", "eviction"}));
  const auto is = [&](const char* provider, const char* property, const char* profile) {
    return to_string(result_of(result, provider, property, profile));
  };
  EXPECT_EQ(is("memory", "single_owner.grant", "interleave"), "holds");
  EXPECT_EQ(is("memory", "single_owner.grant", "lossy"), "not_applicable");
  EXPECT_EQ(is("memory-per-process", "single_owner.grant", "interleave"), "witness");
  EXPECT_EQ(is("redis", "lease.linearizable", "lossy"), "holds");
  EXPECT_EQ(is("redis", "progress.after_crash", "interleave"), "not_applicable");
  EXPECT_EQ(is("redis", "progress.after_crash", "crash"), "holds");
  EXPECT_EQ(is("redis", "single_owner.grant", "eviction"), "limit");
  EXPECT_EQ(is("redis", "single_owner.fenced", "interleave"), "not_applicable");
  EXPECT_EQ(is("redis", "noop.always_wins", "interleave"), "not_applicable");
  EXPECT_EQ(is("noop", "noop.always_wins", "interleave"), "holds");
  EXPECT_EQ(is("noop", "single_owner.grant", "interleave"), "witness");
  EXPECT_EQ(exit_status(result), 0);
}

TEST(check, the_number_of_jobs_leaves_no_trace) {
  auto options = options_for({"redis-three-step", "release-then-acquire"}, {"interleave", "chaos"});
  const auto alone = check(options);
  options.jobs = 3;
  const auto shared = check(options);
  ASSERT_TRUE(alone.digest && shared.digest);
  EXPECT_EQ(*alone.digest, *shared.digest);
  ASSERT_EQ(alone.witnesses.size(), shared.witnesses.size());
  for (std::size_t i = 0; i < alone.witnesses.size(); ++i) {
    EXPECT_EQ(alone.witnesses[i].digest, shared.witnesses[i].digest);
    EXPECT_EQ(to_json(alone.witnesses[i].plan), to_json(shared.witnesses[i].plan));
  }
  options.seed = 2;
  EXPECT_NE(*check(options).digest, *alone.digest);
}

// Runs a witness as `replay` does and asks the judge.
void expect_proof(const witness& shown, const sim::plan& plan, const char* strategy,
                  bool same_digest) {
  const auto& provider = *find_variant(shown.provider);
  sim::world world(provider, std::make_unique<sim::redis::model_engine>());
  judge judge({shown.property});
  const auto chooser = make_strategy(strategy);
  const auto& run = world.run(plan, *chooser);
  const auto passed = judge.look(world, run, plan, provider.declared, 1);
  EXPECT_EQ(passed.violated, 1U) << shown.provider << ' ' << shown.property;
  if (same_digest) {
    EXPECT_EQ(run.digest, shown.digest);
  }
}

TEST(check, witnesses_prove_what_they_say) {
  const auto result = check(
      options_for({"redis-three-step", "release-then-acquire", "noop"}, {"interleave", "drift"}));
  ASSERT_GT(result.witnesses.size(), 6U);
  std::size_t told = 0;
  for (const auto& shown : result.witnesses) {
    EXPECT_FALSE(shown.text.empty());
    expect_proof(shown, shown.plan, "replay", true);
    if (!shown.directed) continue;
    ++told;
    expect_proof(shown, *shown.directed, "in_order", false);
  }
  EXPECT_GT(told, result.witnesses.size() / 2);
}

TEST(check, stops_when_told_and_gives_no_digest) {
  auto options = options_for({"memory"}, {"interleave"});
  std::atomic<bool> stop{true};
  options.stop = &stop;
  const auto result = check(options);
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.digest);
  EXPECT_EQ(exit_status(result), 2);
}

TEST(check, reports_progress_up_to_the_end) {
  auto options = options_for({"memory"}, {"calm", "interleave"});
  std::uint64_t last = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t of, std::uint64_t) {
    EXPECT_GT(done, last);
    EXPECT_EQ(of, 800U);
    last = done;
  };
  check(options);
  EXPECT_EQ(last, 800U);
}

TEST(check, one_workload_alone_judges_what_it_can_show) {
  auto options = options_for({"memory"}, {"interleave"});
  options.workload = sim::workload_kind::churn;
  const auto result = check(options);
  EXPECT_EQ(result_of(result, "memory", "handoff.no_gap", "interleave"),
            cell_result::not_applicable);
  EXPECT_EQ(result_of(result, "memory", "single_owner.grant", "interleave"), cell_result::holds);
}

TEST(check, wrong_names_are_refused) {
  EXPECT_THROW(check(options_for({"memory"}, {"clam"})), std::invalid_argument);
  auto options = options_for({"memory"}, {"calm"});
  options.properties.push_back("single_owner.gant");
  EXPECT_THROW(check(options), std::invalid_argument);
}

TEST(check, claims_are_met_from_a_thousand_schedules_on) {
  auto options = options_for({"memory", "redis"}, {"interleave", "crash", "lossy"});
  options.schedules = 1000;
  const auto result = check(options);
  int enforced = 0;
  for (const auto& claim : result.sometimes) {
    enforced += claim.enforced;
    EXPECT_TRUE(!claim.enforced || claim.count > 0) << claim.reach << ' ' << claim.profile;
  }
  EXPECT_GT(enforced, 15);
}

}  // namespace
}  // namespace leaselab::properties
