#include "properties/split_scripts.hpp"

#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/check.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

// Every order of small programs, so that "nothing was found" means something.
check_result walked(const sim::variant& provider) {
  check_options options;
  options.providers = {&provider};
  for (const auto& one : all_properties()) options.properties.emplace_back(one->id());
  options.profiles = {"interleave"};
  options.strategy = "exhaustive";
  options.calls = 2;
  options.exhaustive.time_moves = 1;
  options.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return check(options);
}

const cell& cell_of(const check_result& result, std::string_view property) {
  for (const auto& one : result.cells)
    if (one.property == property) return one;
  throw std::out_of_range(std::string(property));
}

TEST(split_scripts, a_split_acquire_grants_twice) {
  const auto result = walked(split_variant(*find_variant("redis"), "acquire"));
  EXPECT_EQ(cell_of(result, "single_owner.grant").result, cell_result::witness);
}

TEST(split_scripts, a_split_release_frees_what_another_holds) {
  const auto result = walked(split_variant(*find_variant("redis"), "release"));
  EXPECT_EQ(cell_of(result, "release.owner_only").result, cell_result::witness);
}

// The very same provider, whole.
TEST(split_scripts, a_whole_provider_shows_nothing) {
  for (const auto& one : walked(*find_variant("redis")).cells) EXPECT_EQ(one.violations, 0U);
}

// One script taken apart leaves the others as they are: programs without a transfer do the same.
TEST(split_scripts, only_the_named_script_is_taken_apart) {
  const auto& redis = *find_variant("redis");
  const auto steps = [](const sim::variant& provider) {
    sim::world world(provider, std::make_unique<sim::redis::model_engine>());
    sim::plan plan;
    plan.keys = {"K"};
    plan.owners = {"", "A"};
    plan.processes.emplace_back().name = "P1";
    auto& call = plan.calls.emplace_back();
    call.id = 1;
    call.owner = 1;
    call.ttl_ms = 100;
    struct first final : sim::chooser {
      void begin(const sim::plan&) override {}
      sim::choice choose(const sim::moment& now) override {
        return {0, now.candidates[0].earliest};
      }
    } chooser;
    const auto& run = world.run(plan, chooser);
    EXPECT_EQ(run.calls.at(0).ended, outcome::ok);
    EXPECT_TRUE(run.calls.at(0).yes);
    int out = 0;
    for (const auto& event : run.events) out += event.kind == sim::event_kind::step;
    return out;
  };
  EXPECT_EQ(steps(redis), 1);
  EXPECT_EQ(steps(split_variant(redis, "transfer")), 1);
  EXPECT_EQ(steps(split_variant(redis, "acquire")), 2);  // GET, SET
  EXPECT_EQ(steps(split_variant(redis, "")), 2);
}

TEST(split_scripts, variants_are_made_once) {
  const auto& redis = *find_variant("redis");
  EXPECT_EQ(&split_variant(redis, "renew"), &split_variant(redis, "renew"));
  EXPECT_EQ(split_variant(redis, "renew").name, "split:redis/renew");
  EXPECT_EQ(split_variant(redis, "").name, "split:redis");
}

TEST(split_scripts, scripts_are_known_by_name) {
  EXPECT_EQ(scripts_of(*find_variant("redis")),
            (std::vector<std::string>{"acquire", "release", "renew", "transfer"}));
  EXPECT_TRUE(scripts_of(*find_variant("memory")).empty());
}

}  // namespace
}  // namespace leaselab::properties
