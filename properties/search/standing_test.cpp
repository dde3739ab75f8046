#include "properties/search/standing.hpp"

#include <gtest/gtest.h>

#include "properties/builtin.hpp"

namespace leaselab::properties {
namespace {

standing where(const char* provider, const char* id, const char* faults,
               std::vector<sim::workload_kind> workloads = {plain_workloads().begin(),
                                                            plain_workloads().end()}) {
  for (const auto& one : all_properties()) {
    if (one->id() == id)
      return standing_of(*one, find_variant(provider)->declared, *find_profile(faults), workloads);
  }
  ADD_FAILURE() << id;
  return standing::not_applicable;
}

TEST(standing, follows_the_declaration) {
  EXPECT_EQ(where("redis", "single_owner.grant", "chaos"), standing::guaranteed);
  EXPECT_EQ(where("redis-three-step", "acquire.honest_denial", "calm"), standing::not_guaranteed);
  EXPECT_EQ(where("memory-per-process", "single_owner.grant", "calm"), standing::not_guaranteed);
  EXPECT_EQ(where("noop", "single_owner.grant", "calm"), standing::not_guaranteed);
  EXPECT_EQ(where("memory", "single_owner.grant", "partition"), standing::not_applicable);
}

TEST(standing, outside_the_model_nothing_is_promised) {
  for (const char* faults : {"backend-clock", "backend-restart", "failover", "eviction"}) {
    EXPECT_EQ(where("redis", "single_owner.grant", faults), standing::limit);
    EXPECT_EQ(where("redis", "single_owner.belief", faults), standing::limit);
  }
}

TEST(standing, clients_are_promised_what_the_profile_says) {
  EXPECT_EQ(where("redis", "single_owner.belief", "pause"), standing::guaranteed);
  EXPECT_EQ(where("redis", "single_owner.belief", "drift"), standing::not_guaranteed);
  EXPECT_EQ(where("redis", "single_owner.belief", "pause", {sim::workload_kind::shared}),
            standing::not_guaranteed);
  EXPECT_EQ(where("redis", "single_owner.belief", "pause", {sim::workload_kind::calls}),
            standing::not_applicable);
}

TEST(standing, progress_needs_its_phase_and_a_crash) {
  EXPECT_EQ(where("redis", "progress.after_crash", "crash"), standing::guaranteed);
  EXPECT_EQ(where("redis", "progress.after_crash", "pause"), standing::not_applicable);
  EXPECT_EQ(where("redis", "progress.after_heal", "pause"), standing::guaranteed);
  EXPECT_EQ(where("redis", "progress.after_heal", "interleave"), standing::not_applicable);
}

TEST(standing, runtimes_are_judged_by_their_own) {
  const std::vector runtime{sim::workload_kind::runtime};
  for (const char* id : {"run.serialized", "run.covered", "signal.once", "loss.noticed"}) {
    EXPECT_EQ(where("redis", id, "pause"), standing::guaranteed) << id;
    EXPECT_EQ(where("redis", id, "chaos"), standing::not_guaranteed) << id;
    EXPECT_EQ(where("redis", id, "pause", {sim::workload_kind::contend}), standing::not_applicable)
        << id;
  }
  EXPECT_EQ(where("noop", "run.serialized", "calm"), standing::not_guaranteed);
  EXPECT_EQ(where("noop", "run.covered", "calm"), standing::not_applicable);
  EXPECT_EQ(where("redis", "progress.after_heal", "pause", runtime), standing::guaranteed);
  EXPECT_EQ(where("noop", "noop.single_process", "pause"), standing::guaranteed);
  EXPECT_EQ(where("noop", "noop.single_process", "crash"), standing::not_applicable);
}

TEST(standing, nothing_is_promised_to_a_client_that_is_not_strict) {
  const std::vector runtime{sim::workload_kind::runtime};
  for (const auto& one : all_properties()) {
    const auto found =
        standing_of(*one, find_variant("redis")->declared, *find_profile("pause"), runtime, false);
    if (one->at() != level::provider || one->id().starts_with("progress.")) {
      EXPECT_NE(found, standing::guaranteed) << one->id();
    }
  }
}

TEST(standing, tokens_and_the_fallback_are_judged_where_they_are) {
  EXPECT_EQ(where("redis", "single_owner.fenced", "pause"), standing::not_applicable);
  EXPECT_EQ(where("redis-fenced", "single_owner.fenced", "pause"), standing::guaranteed);
  EXPECT_EQ(where("redis", "noop.inert", "pause"), standing::not_applicable);
  EXPECT_EQ(where("noop", "noop.inert", "pause"), standing::guaranteed);
  EXPECT_EQ(where("redis", "noop.selected", "pause"), standing::guaranteed);
}

}  // namespace
}  // namespace leaselab::properties
