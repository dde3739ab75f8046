#include "properties/linearizability.hpp"

#include <gtest/gtest.h>

#include "properties/step_witness.hpp"
#include "properties/testing/run_builder.hpp"

namespace leaselab::properties::testing {
namespace {

verdict judged(run_builder& run) { return run.judge(make_linearizable()); }

// Of the same run, as if its steps had not been seen.
verdict judged_blind(run_builder& run) {
  run.record.instrumented = false;
  const verdict result = judged(run);
  run.record.instrumented = true;
  return result;
}

void expect_both(run_builder& run, verdict expected) {
  EXPECT_EQ(judged(run), expected);
  EXPECT_EQ(judged_blind(run), expected);
}

TEST(linearizable, a_lawful_life_holds) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).refused(10, verb::acquire, B, A);
  run.as(P1).renews(50, A);
  run.gets(60, A);
  run.transfers(70, A, C);
  run.gets(75, C);
  run.releases(80, C);
  run.as(P2).acquires(90, B);
  run.gets(191, nobody);
  expect_both(run, verdict::holds);
}

TEST(linearizable, a_second_grant_is_violated_and_blamed) {
  run_builder run;
  run.acquires(0, A);
  const auto bad = run.as(P2).acquires(50, B);
  run.gets(60, B);
  expect_both(run, verdict::violated);
  ASSERT_EQ(run.found.size(), 1u);
  EXPECT_EQ(run.found[0].call, bad);
  EXPECT_NE(run.found[0].text.find("first 2 answers on K"), std::string::npos) << run.found[0].text;
}

TEST(linearizable, keys_are_judged_apart) {
  run_builder run;
  run.acquires(0, A);
  run.on(L).acquires(10, B);
  expect_both(run, verdict::holds);
}

TEST(linearizable, the_declared_reading_counts) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).acquires(100, B);
  run.declared.reading = expiry_reading::after;
  expect_both(run, verdict::violated);
  run.declared.reading = expiry_reading::at;
  expect_both(run, verdict::holds);
}

TEST(linearizable, a_denial_without_a_name_claims_that_nobody_held) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).refused(10, verb::acquire, B, nobody);
  expect_both(run, verdict::violated);
  EXPECT_EQ(run.judge(make_linearizable({.denials_name_owners = false})), verdict::holds);
}

// At one true instant, and still one after the other.
TEST(linearizable, order_is_that_of_events) {
  run_builder run;
  run.acquires(5, A);
  run.gets(5, nobody);
  expect_both(run, verdict::violated);
}

TEST(linearizable, an_unanswered_call_may_or_may_not_have_happened) {
  run_builder run;
  const auto lost = run.invoke(0, verb::acquire, A);
  run.info(10, lost);
  run.as(P2).gets(20, nobody);
  run.step(30, lost, {A, 130});
  run.gets(40, A);
  run.as(P3).invoke(50, verb::release, A);  // open at the end
  run.as(P2).gets(60, nobody);
  EXPECT_EQ(judged_blind(run), verdict::holds);
  EXPECT_EQ(judged(run), verdict::holds);
}

TEST(linearizable, refused_arguments_and_closed_providers_are_no_steps) {
  run_builder run;
  run.acquires(0, A);
  const auto odd = run.invoke(10, verb::acquire, B, 0);
  run.record.calls[odd].arguments_lawful = false;
  run.answer(10, odd, true);
  const auto closed = run.invoke(20, verb::get);
  run.record.calls[closed].closed = true;
  run.answer(20, closed, false);
  expect_both(run, verdict::holds);
}

// A copy of the request landed after the answer: not what was answered, and harmless here.
TEST(linearizable, a_late_copy_is_not_the_effect) {
  run_builder run;
  const auto call = run.acquires(0, A);
  run.step(20, call, {A, 120});
  run.gets(110, nobody);
  EXPECT_EQ(judged(run), verdict::holds);
}

TEST(linearizable, a_lost_record_is_violated) {
  run_builder run;
  run.acquires(0, A);
  run.change(20, K, {});
  run.as(P2).acquires(30, B);
  expect_both(run, verdict::violated);
}

TEST(linearizable, tokens_count_only_where_they_are_declared) {
  run_builder run;
  run.record.calls[run.acquires(0, A)].token = 1;
  run.record.calls[run.acquires(200, B)].token = 1;
  expect_both(run, verdict::holds);
  run.declared.fencing = true;
  expect_both(run, verdict::violated);
}

TEST(linearizable, a_clock_that_leaps_ahead_ends_leases) {
  run_builder run;
  run.acquires(0, A);
  run.record.backend.step(ms(10), 500 * sim::ns_per_ms);
  run.as(P2).acquires(20, B);
  expect_both(run, verdict::holds);
}

// The granules fall, so there is no zone; what no order explains is violated even so.
TEST(linearizable, a_clock_that_falls_leaves_deadlines_out) {
  run_builder run;
  run.record.backend.reset(1000 * sim::ns_per_ms, sim::rate_one);
  run.acquires(0, A);
  run.record.backend.step(ms(10), -500 * sim::ns_per_ms);
  run.as(P2).acquires(20, B);
  EXPECT_EQ(judged(run), verdict::unknown);
  run.gets(30, C);
  EXPECT_EQ(judged(run), verdict::violated);
}

}  // namespace
}  // namespace leaselab::properties::testing
