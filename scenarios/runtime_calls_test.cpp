// Faults on what a runtime does, in files: read, refused, written back.
#include "scenarios/runtime_calls.hpp"

#include <gtest/gtest.h>

#include "sim/decision.hpp"

namespace leaselab::scenarios {
namespace {

using sim::runtime_subject;

constexpr const char* head = R"(
schema = 1
title = "t"
ttl = "100ms"
[[signal]]
process = "P1"
id = "s1"
[[signal]]
process = "P2"
id = "s1:offer"
)";

known_names names() {
  known_names known;
  known.providers = {"redis"};
  known.properties = {"signal.once"};
  for (const auto& one : sim::policy_table())
    known.policies[std::string(one.key)] = {one.values.begin(), one.values.end()};
  return known;
}

sim::plan plan_of(const std::string& fault) {
  return parse(std::string(head) + "[[fault]]\n" + fault, "f.toml", names()).front().plan;
}
sim::fault_spec drop(const std::string& call) {
  return plan_of("kind = \"drop\"\ncall = \"" + call + "\"\n").faults.front();
}

TEST(runtime_calls, are_named_by_their_signal) {
  EXPECT_EQ(drop("s1:acquire").call, runtime_subject(0, 0, 1));
  EXPECT_EQ(drop("s1:renew:12").call, runtime_subject(0, 3, 12));
  EXPECT_EQ(drop("s1:offer:verdict").call, runtime_subject(1, 15, 1));
  EXPECT_EQ(drop("s1:offer").call, runtime_subject(0, 14, 1));
}

TEST(runtime_calls, or_refused_with_what_is_allowed) {
  for (const char* wrong : {"s1:renw", "s1:renew:0", "s1:renew:255", "s3:acquire", "s1"}) {
    try {
      drop(wrong);
      ADD_FAILURE() << wrong;
    } catch (const scenario_error& error) {
      EXPECT_NE(std::string(error.what()).find(wrong), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("s1:"), std::string::npos) << error.what();
    }
  }
}

TEST(runtime_calls, a_code_point_says_who_is_struck) {
  const auto fault =
      plan_of("kind = \"crash\"\npoint = \"P2:s1:transfer:2:trip1:after\"\n").faults.front();
  EXPECT_EQ(fault.process, 1);
  ASSERT_TRUE(fault.point);
  EXPECT_EQ(fault.point->call, runtime_subject(0, 4, 2));
  EXPECT_TRUE(fault.point->after);
  EXPECT_THROW(plan_of("kind = \"crash\"\npoint = \"P3:s1:get:trip1:after\"\n"), scenario_error);
}

TEST(runtime_calls, a_runtimes_plan_is_written_as_a_file_that_loads_to_it) {
  sim::plan plan = plan_of("kind = \"drop\"\ncall = \"s1:renew:2\"\nleg = \"reply\"\n");
  plan.client = sim::parse_client("strict,renew_error=ignore,offer=once");
  plan.processes = {{"P1"}, {"P2"}};
  plan.keys = {"K"};
  plan.signals.resize(1);
  plan.signals[0].run = 5;
  plan.signals[0].suspend_at = 2;
  plan.signals[0].resume_at = 7;
  plan.signals[0].resume_in = 1;
  const std::string text = to_toml(plan, {"t", "s", "o", "redis", {"signal.once"}});
  const scenario one = parse(text, "f.toml", names()).front();
  ASSERT_EQ(one.signals.size(), 1U);
  EXPECT_EQ(one.signals[0].id, "s1");
  EXPECT_EQ(one.signals[0].run, 5);
  EXPECT_EQ(one.signals[0].suspend_at, 2);
  EXPECT_EQ(one.signals[0].resume_in, 1);
  EXPECT_EQ(one.workload.client.policies.at("renew_error"), "ignore");
  EXPECT_EQ(one.workload.client.policies.size(), 2U);
  ASSERT_EQ(one.plan.faults.size(), 1U);
  EXPECT_EQ(one.plan.faults[0].call, plan.faults[0].call);
  EXPECT_EQ(one.plan.faults[0].leg, sim::leg::reply);
  EXPECT_NE(print(one).find("\"s1:renew:2\""), std::string::npos);
}

}  // namespace
}  // namespace leaselab::scenarios
