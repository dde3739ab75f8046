#include "cli/scenario_run.hpp"

#include <gtest/gtest.h>

#include "cli/exit_status.hpp"
#include "cli/registry.hpp"
#include "cli/scenario_plans.hpp"

namespace leaselab::cli {
namespace {

const std::string head = "schema = 1\ntitle = \"x\"\n";

scenarios::scenario parsed(const std::string& text) {
  return scenarios::parse(head + text, "x.toml", known_names()).front();
}

scenario_run run(const std::string& text, const std::string& provider = "redis") {
  const auto value = parsed(text);
  execution world(provider_named(provider), engine_named("model"));
  return run_scenario(value, provider, world, {}).report;
}

std::string call(const std::string& at, const std::string& who, const std::string& what,
                 const std::string& owner, const std::string& more = "") {
  return "[[call]]\nat = \"" + at + "\"\nprocess = \"" + who + "\"\ndo = \"" + what +
         "\"\nkey = \"K\"\nowner = \"" + owner + "\"\n" + more;
}

std::string violations_of(const scenario_run& run) {
  std::string out;
  for (const auto& one : run.violations) out += one.property + (one.expected ? " " : "! ");
  return out;
}

TEST(scenario_run, answers_are_held_against_what_is_expected) {
  const std::string first = call("0ms", "P1", "acquire", "A", "expect = { acquired = true }\n");
  EXPECT_EQ(run(first).ended, run_end::ok);
  const auto wrong =
      run(first + call("1ms", "P2", "acquire", "B", "expect = { acquired = true }\n"));
  EXPECT_EQ(wrong.ended, run_end::not_ok);
  EXPECT_EQ(wrong.got, "violates:answer.as_expected");
  EXPECT_EQ(wrong.violations[0].text, "call 2: expected acquired = true, got false");
  const auto named = run(
      first + call("1ms", "P2", "acquire", "B", "expect = { acquired = false, owner = \"B\" }\n"));
  EXPECT_EQ(named.violations[0].text, "call 2: expected owner B, got A");
}

TEST(scenario_run, a_call_that_was_not_made_has_no_answer) {
  const std::string crash = "[[fault]]\nkind = \"crash\"\nprocess = \"P1\"\nat = \"0ms\"\n";
  const auto made = [&](const std::string& expect) {
    return run(call("1ms", "P1", "acquire", "A", expect) + crash);
  };
  EXPECT_EQ(made("expect = { outcome = \"not_made\" }\n").ended, run_end::ok);
  EXPECT_EQ(made("expect = { outcome = \"ok\" }\n").violations[0].text,
            "call 1: expected an answer, was not made");
}

TEST(scenario_run, a_fault_that_was_never_met_is_noted) {
  const auto made = run(call("0ms", "P1", "acquire", "A", "name = \"c\"\n") +
                        "[[fault]]\nkind = \"drop\"\ncall = \"c\"\ntrip = 3\n");
  EXPECT_EQ(made.ended, run_end::ok);
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_EQ(made.notes[0], "fault 1 (drop) was never met");
}

TEST(scenario_run, what_is_not_guaranteed_may_be_violated_only_where_that_is_lawful) {
  // Two owners at once, by a provider that shares nothing between processes.
  const std::string both = call("0ms", "P1", "acquire", "A") + call("1ms", "P2", "acquire", "B");
  const auto expecting = [&](const std::string& what) {
    return run("[expect]\ndefault = \"" + what + "\"\n" + both, "memory-per-process");
  };
  EXPECT_EQ(expecting("holds").ended, run_end::ok);
  EXPECT_EQ(expecting("clean").ended, run_end::not_ok);
  EXPECT_EQ(expecting("violates:single_owner.grant").ended, run_end::ok);
  EXPECT_EQ(expecting("violates:key.isolation").ended, run_end::not_ok);
  const auto only = expecting("violates-only:single_owner.grant");
  EXPECT_EQ(only.ended, run_end::not_ok);
  EXPECT_EQ(violations_of(only), "lease.linearizable! single_owner.belief! single_owner.grant ");
}

TEST(scenario_run, a_client_that_breaks_the_rules_has_no_promise) {
  // One token in two processes: belief overlaps, and it is not the provider's fault.
  const auto made = run(call("0ms", "P1", "acquire", "A") + call("1ms", "P2", "acquire", "A"));
  EXPECT_EQ(made.got, "violates:single_owner.belief");
  EXPECT_EQ(made.ended, run_end::ok);
}

// ---- every order of the stated calls

// In the order of the file nobody asks while the lease is handed over.
const std::string handed_over =
    call("0ms", "P1", "acquire", "A") +
    "[[call]]\nat = \"10ms\"\nprocess = \"P1\"\ndo = \"transfer\"\nkey = \"K\"\nfrom = \"A\"\nto = "
    "\"B\"\n" +
    call("20ms", "P2", "acquire", "C", "expect = { acquired = false }\n");

scenario_run in_every_order(const std::string& text, const std::string& provider,
                            const std::atomic<bool>* stop = nullptr) {
  const auto value = parsed(text);
  execution world(provider_named(provider), engine_named("model"));
  run_choices choices;
  choices.every_order.emplace();
  choices.stop = stop;
  return run_scenario(value, provider, world, choices).report;
}

TEST(scenario_run, every_order_of_its_calls_finds_what_its_own_order_does_not) {
  const std::string text = "[expect]\ndefault = \"violates:handoff.no_steal\"\n" + handed_over;
  EXPECT_EQ(run(text, "release-then-acquire").ended, run_end::not_ok);
  const auto walked = in_every_order(text, "release-then-acquire");
  EXPECT_EQ(walked.ended, run_end::ok) << walked.got;
  ASSERT_FALSE(walked.notes.empty());
  EXPECT_TRUE(walked.notes.back().starts_with(
      "complete: every order of its 3 calls with at most 2 moves of time"))
      << walked.notes.back();
}

TEST(scenario_run, every_order_is_silent_where_nothing_is_wrong) {
  for (const char* provider : {"memory", "redis", "redis-fenced"}) {
    const auto walked = in_every_order("[expect]\ndefault = \"clean\"\n" + handed_over, provider);
    EXPECT_EQ(walked.ended, run_end::ok) << provider << ' ' << walked.got;
    EXPECT_GT(walked.schedules, 100U) << provider;
  }
}

TEST(scenario_run, a_walk_that_is_stopped_is_not_known_to_hold) {
  const std::atomic<bool> stop{true};
  const auto walked = in_every_order(handed_over, "redis", &stop);
  EXPECT_EQ(walked.ended, run_end::unknown);
  EXPECT_TRUE(walked.notes.back().starts_with("stopped before the end")) << walked.notes.back();
}

TEST(scenario_run, what_cannot_be_walked_in_every_order_is_skipped) {
  EXPECT_EQ(reason_not_to_walk(parsed(handed_over), "redis"), "");
  const std::string crash = "[[fault]]\nkind = \"crash\"\nprocess = \"P1\"\nat = \"5ms\"\n";
  EXPECT_EQ(reason_not_to_walk(parsed(handed_over + crash), "redis"), "exhaustive: it has faults");
  EXPECT_EQ(reason_not_to_walk(parsed("[workload]\nkind = \"handoff\"\n"), "redis"),
            "exhaustive: its calls are drawn");
}

TEST(scenario_run, generated_worlds_keep_to_what_is_asked) {
  const auto value = parsed(
      "ttl = \"50ms\"\n[workload]\nkind = \"contend\"\nprocesses = 3\nkeys = 2\ncalls = [4, 6]\n"
      "[nemesis]\nprofile = \"chaos\"\n[explore]\nschedules = 50\nseed = 7\n");
  const scenario_plans plans(value, provider_named("redis"), {}, 7);
  EXPECT_EQ(plans.schedules(), 50u);
  for (std::uint64_t i = 0; i < plans.schedules(); ++i) {
    const auto plan = plans.make(i);
    EXPECT_EQ(plan.ttl_ms, 50);
    EXPECT_EQ(plan.processes.size(), 3u);
    EXPECT_EQ(plan.keys.size(), 2u);
    EXPECT_EQ(plan.profile, "chaos");
    EXPECT_EQ(plan.bounds.safety, 20 * 50 * sim::ns_per_ms);
  }
  EXPECT_NE(sim::to_json(plans.make(1)), sim::to_json(plans.make(2)));
  EXPECT_EQ(sim::to_json(plans.make(1)), sim::to_json(plans.make(1)));
}

TEST(scenario_run, generated_worlds_are_judged_over_all_schedules) {
  const std::string explore = "[explore]\nschedules = 300\nseed = 1\n";
  const auto good =
      run("[workload]\nkind = \"handoff\"\n[nemesis]\nprofile = \"lossy\"\n" + explore);
  EXPECT_EQ(good.got, "holds");
  EXPECT_EQ(good.schedules, 300u);
  const auto bad =
      run("[expect]\ndefault = \"violates:handoff.no_gap\"\n[workload]\nkind = \"handoff\"\n"
          "[nemesis]\nprofile = \"interleave\"\n" +
              explore,
          "release-then-acquire");
  EXPECT_EQ(bad.ended, run_end::ok) << bad.got;
}

TEST(scenario_run, a_nemesis_table_draws_only_its_kinds) {
  const auto value = parsed(
      call("0ms", "P1", "acquire", "A") + call("30ms", "P1", "renew", "A") +
      "[nemesis]\nprofile = { pause = 0.5, drop = 0.5, budget = 3 }\n[explore]\nschedules = 200\n");
  const scenario_plans plans(value, provider_named("redis"), {}, 1);
  bool any = false;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto plan = plans.make(i);
    EXPECT_EQ(plan.calls.size(), 2u);
    for (const auto& fault : plan.faults) {
      const bool slow = fault.kind == sim::fault_kind::delay ||
                        fault.kind == sim::fault_kind::late_timer ||
                        fault.kind == sim::fault_kind::connect;
      const bool named =
          fault.kind == sim::fault_kind::pause || fault.kind == sim::fault_kind::drop;
      EXPECT_TRUE(slow || named) << to_string(fault.kind);
      any |= named;
    }
  }
  EXPECT_TRUE(any);
}

TEST(scenario_run, stated_and_drawn_calls_share_a_world) {
  const auto value =
      parsed(call("0ms", "P1", "acquire", "A", "name = \"first\"\nexpect = { acquired = true }\n") +
             "[workload]\nkind = \"churn\"\nprocesses = 2\n[explore]\nschedules = 20\n");
  const scenario_plans plans(value, provider_named("redis"), {}, 1);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto plan = plans.make(i);
    EXPECT_EQ(plan.calls[0].name, "first");
    EXPECT_EQ(plan.processes.size(), 2u);
    EXPECT_NO_THROW(sim::plan_from_json(sim::to_json(plan)));
  }
}

TEST(scenario_run, a_strategy_turns_ties_into_choices) {
  const std::string expect = "[expect]\ndefault = \"violates:answer.as_expected\"\n";
  const std::string first_wins = "expect = { acquired = true }\n";
  const std::string wins =
      call("0ms", "P1", "acquire", "A", first_wins) + call("0ms", "P2", "acquire", "B");
  EXPECT_EQ(run(wins).ended, run_end::ok);
  const auto explored = run(expect + wins + "[explore]\nstrategy = \"random\"\nschedules = 50\n");
  EXPECT_EQ(explored.ended, run_end::ok) << explored.got;
}

TEST(scenario_run, an_unreached_claim_is_unknown) {
  const std::string claim = "[[sometimes]]\nreach = \"denial\"\n";
  const auto alone = run(call("0ms", "P1", "acquire", "A") + claim);
  EXPECT_EQ(alone.ended, run_end::unknown);
  const auto both =
      run(call("0ms", "P1", "acquire", "A") + call("1ms", "P2", "acquire", "B") + claim);
  EXPECT_EQ(both.ended, run_end::ok);
  EXPECT_THROW(expect_known_claims(parsed(call("0ms", "P1", "acquire", "A") +
                                          "[[sometimes]]\nreach = \"denail\"\n")),
               usage_error);
}

TEST(scenario_run, what_cannot_be_run_here_says_why) {
  const auto value = parsed(call("0ms", "P1", "acquire", "A") +
                            "[[fault]]\nkind = \"failover\"\nat = \"5ms\"\nbehind = 1\n");
  EXPECT_EQ(reason_to_skip(value, "redis", "model"), "");
  EXPECT_EQ(reason_to_skip(value, "redis", "server"), "the server engine cannot do failover");
  EXPECT_EQ(reason_to_skip(value, "mutant:N99", "model"), "this version has no such provider");
  EXPECT_NE(reason_to_skip(value, "redis+published", "model"), "");
}

// A contender that polls for a lease meets its deadline more often when instants are aimed.
TEST(scenario_run, aim_draws_instants_to_deadlines) {
  const auto explored = [](const std::string& more) {
    return run(
        "[workload]\nkind = \"contend\"\n[nemesis]\nprofile = \"interleave\"\n"
        "[explore]\nschedules = 20\nstrategy = \"pct:3\"\n" +
        more);
  };
  const auto plain = explored("");
  const auto aimed = explored("aim = \"deadline\"\n");
  EXPECT_EQ(aimed.ended, run_end::ok);
  EXPECT_NE(aimed.digest, plain.digest);
  EXPECT_EQ(aimed.digest, explored("aim = \"deadline\"\n").digest);
}

TEST(scenario_run, exhaustive_is_no_strategy_of_scenarios) {
  EXPECT_THROW(parsed("[explore]\nstrategy = \"exhaustive\"\n" + call("0ms", "P1", "acquire", "A")),
               scenarios::scenario_error);
}

}  // namespace
}  // namespace leaselab::cli
