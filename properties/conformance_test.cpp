#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/builtin.hpp"
#include "properties/conformance_world.hpp"
#include "properties/mutants/mutants.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::properties::conformance {
namespace {

std::unique_ptr<sim::redis::engine> model() { return std::make_unique<sim::redis::model_engine>(); }
std::unique_ptr<sim::redis::engine> server() {
  return std::make_unique<sim::redis::server_engine>();
}

std::string text_of(const row& one) {
  std::string out = std::string(to_string(one.what)) + ", " + one.edge;
  return out + ": expected " + one.expected + ", got " + one.got + "; " + one.why;
}

std::size_t count(const std::vector<row>& rows, row_end ended) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const row& one) { return one.ended == ended; }));
}

void expect_nothing_broken(const std::vector<row>& rows) {
  EXPECT_EQ(rows.size(), cases().size());
  for (const row& one : rows) EXPECT_FALSE(one.broken()) << text_of(one);
}

void expect_conforms(const std::vector<row>& rows, const guarantees& declared) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool possible = inapplicable(cases()[i], declared).empty();
    EXPECT_EQ(rows[i].ended, possible ? row_end::ok : row_end::not_run) << text_of(rows[i]);
  }
}

TEST(conformance, cases_have_names_of_their_own) {
  std::set<std::pair<operation, std::string>> seen;
  for (const auto& one : cases()) {
    EXPECT_TRUE(seen.insert({one.what, one.edge}).second) << one.edge;
    EXPECT_FALSE(one.sentence.empty()) << one.edge;
    EXPECT_FALSE(one.steps.empty()) << one.edge;
  }
  EXPECT_GE(cases().size(), 40u);
}

TEST(conformance, every_operation_has_cases) {
  for (int i = 0; i < operation_count; ++i) {
    const auto what = static_cast<operation>(i);
    EXPECT_TRUE(std::any_of(cases().begin(), cases().end(), [&](const auto& one) {
      return one.what == what;
    })) << to_string(what);
  }
}

// Each step's instant is at or after the one before it, and its expectations can be met.
TEST(conformance, cases_are_in_order) {
  for (const auto& one : cases()) {
    for (std::size_t i = 1; i < one.steps.size(); ++i) {
      EXPECT_LE(one.steps[i - 1].at, one.steps[i].at) << one.edge << ", call " << i + 1;
    }
  }
}

TEST(conformance, correct_providers_conform_on_the_model) {
  for (const char* name : {"memory", "redis", "redis-three-step", "redis-fenced"}) {
    SCOPED_TRACE(name);
    const auto& provider = *find_variant(name);
    expect_conforms(run_in_worlds(provider, model), provider.declared);
  }
}

TEST(conformance, correct_providers_conform_on_a_server) {
  for (const char* name : {"redis", "redis-three-step", "redis-fenced"}) {
    SCOPED_TRACE(name);
    const auto& provider = *find_variant(name);
    expect_conforms(run_in_worlds(provider, server), provider.declared);
  }
}

TEST(conformance, release_then_acquire_departs_as_it_declares) {
  const std::pair<const char*, engine_factory> ways[] = {
      {"release-then-acquire", model},
      {"release-then-acquire", server},
      {"release-then-acquire:memory", model},
  };
  for (const auto& [name, engine] : ways) {
    SCOPED_TRACE(name);
    const auto rows = run_in_worlds(*find_variant(name), engine);
    expect_nothing_broken(rows);
    for (const row& one : rows) {
      if (one.ended != row_end::departed) continue;
      EXPECT_NE(one.why.find("handoff."), std::string::npos) << text_of(one);
    }
    EXPECT_GT(count(rows, row_end::departed), 0u);
  }
}

TEST(conformance, providers_that_promise_little_depart_and_break_nothing) {
  for (const char* name : {"noop", "memory-per-process"}) {
    SCOPED_TRACE(name);
    const auto rows = run_in_worlds(*find_variant(name), model);
    expect_nothing_broken(rows);
    EXPECT_GT(count(rows, row_end::departed), 20u);
    EXPECT_GT(count(rows, row_end::ok), 10u);
  }
}

// What shows with one call at a time and no fault. The others need a schedule.
TEST(conformance, mutants_depart) {
  for (const char* id : {"M01", "M03", "M07", "M09", "M11", "M12", "M15", "M16", "M18", "M19",
                         "M24", "M25", "M26", "M28", "M30", "M33", "M35", "M37", "M40", "N14"}) {
    const auto rows = run_in_worlds(find_mutant(id)->variant, model);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const row& one) { return one.broken(); }))
        << id;
  }
}

TEST(conformance, rows_say_what_departed) {
  const auto rows = run_in_worlds(find_mutant("M26")->variant, model);
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const row& one) { return one.broken(); });
  ASSERT_NE(found, rows.end());
  EXPECT_EQ(found->what, operation::renew);
  EXPECT_EQ(found->expected, "fail invalid_argument");
  EXPECT_EQ(found->got, "true to renew_lease(K, A, 0) at 10 ms");
  EXPECT_EQ(found->why, "argument.refused is promised");
}

TEST(conformance, the_same_seed_gives_the_same_rows) {
  const auto& provider = *find_variant("release-then-acquire");
  const auto one = run_in_worlds(provider, model, 7);
  const auto other = run_in_worlds(provider, model, 7);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(text_of(one[i]), text_of(other[i]));
}

}  // namespace
}  // namespace leaselab::properties::conformance
