#include "properties/single_owner.hpp"

#include <gtest/gtest.h>

#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

// ---- grant

TEST(single_owner, grant_fires_on_an_overwritten_lease) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).acquires(40, B);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
  ASSERT_EQ(run.found.size(), 1u);
  EXPECT_EQ(run.found[0].call, 1u);
  EXPECT_EQ(run.found[0].event, 4u);
  EXPECT_NE(run.found[0].text.find("P2: acquire(K, B, 100)"), std::string::npos)
      << run.found[0].text;
}

TEST(single_owner, grant_measures_the_overlap_up_to_the_first_end) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).acquires(40, B);
  run.releases(60, B);
  run.end(500);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
  EXPECT_EQ(run.found[0].size_ns, ms(20));
}

TEST(single_owner, grant_is_silent_on_a_life_of_leases) {
  run_builder run;
  run.acquires(0, A);
  run.renews(50, A);
  run.refused(60, verb::acquire, B, A);
  run.transfers(80, A, B);
  run.releases(90, B);
  run.acquires(90, C);
  run.acquires(191, A);  // C's deadline was 190, still alive at 190 in this reading
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

// Two readings of expiry: each is lawful where it is declared.
TEST(single_owner, grant_reads_expiry_as_declared) {
  run_builder run;
  run.acquires(0.7, A);
  run.acquires(100.99, B);
  run.declared.reading = expiry_reading::after;
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
  run.declared.reading = expiry_reading::at;
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

TEST(single_owner, grant_follows_a_shortened_ttl) {
  run_builder run;
  run.acquires(0, A, 100);
  run.acquires(10, A, 5);
  run.acquires(16, B);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

// A release by another owner that removes the record ends no grant.
TEST(single_owner, grant_outlives_a_strangers_release) {
  run_builder run;
  run.acquires(0, A);
  run.as(P2).releases(10, B);
  run.as(P3).acquires(20, C);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
}

// A late release under a reused owner ends the newer lease: lawful, and surprising.
TEST(single_owner, grant_ends_by_a_late_release_under_a_reused_owner) {
  run_builder run;
  const auto late = run.as(P1).invoke(0, verb::release, A);
  run.as(P2).acquires(10, A);
  run.step(20, late, {}).info(21, late);
  run.as(P3).acquires(30, B);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

// The step of a call that ended unknown has granted all the same.
TEST(single_owner, grant_counts_the_step_of_an_unknown_call) {
  run_builder run;
  const auto lost = run.invoke(0, verb::acquire, A);
  run.step(5, lost, {A, 105}).info(20, lost);
  run.as(P2).acquires(50, B);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
}

TEST(single_owner, grant_needs_no_overlap_of_stores) {
  run_builder run;
  run.in(0).acquires(0, A);
  run.in(1).as(P2).acquires(10, B);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
}

TEST(single_owner, grant_believes_an_answer_without_a_step) {
  run_builder run;
  const auto first = run.invoke(0, verb::acquire, A);
  run.answer(1, first, true);
  const auto second = run.as(P2).invoke(2, verb::acquire, B);
  run.answer(3, second, true);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
}

TEST(single_owner, grant_by_answer_ends_when_a_release_is_called) {
  run_builder run;
  const auto first = run.invoke(0, verb::acquire, A);
  run.answer(1, first, true);
  const auto release = run.invoke(2, verb::release, A);
  const auto second = run.as(P2).invoke(3, verb::acquire, B);
  run.answer(4, second, true).info(9, release);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

// Not instrumented: a release under way may land after the acquire, a shorter request likewise.
TEST(single_owner, grant_is_certain_only_where_nothing_is_under_way) {
  run_builder run;
  run.record.instrumented = false;
  const auto release = run.invoke(0, verb::release, A);
  const auto first = run.invoke(1, verb::acquire, A);
  run.answer(2, first, true);
  const auto second = run.as(P2).invoke(3, verb::acquire, B);
  run.answer(4, second, true).info(9, release);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);

  run_builder shorter;
  shorter.record.instrumented = false;
  const auto renewal = shorter.invoke(0, verb::renew, A, 3);
  const auto held = shorter.invoke(1, verb::acquire, A);
  shorter.answer(2, held, true);
  const auto other = shorter.as(P2).invoke(5, verb::acquire, B);
  shorter.answer(6, other, true).info(9, renewal);
  EXPECT_EQ(shorter.judge(make_single_owner_grant()), verdict::holds);
}

// The answer of a grant that ended long ago comes when another owner holds the key.
TEST(single_owner, grant_told_after_its_deadline_is_no_overlap) {
  run_builder run;
  run.record.instrumented = false;
  const auto first = run.invoke(0, verb::acquire, A, 3);
  const auto second = run.as(P2).invoke(5, verb::acquire, B);
  run.answer(6, second, true);
  run.answer(7, first, true);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::holds);
}

TEST(single_owner, grant_fires_without_instruments) {
  run_builder run;
  run.record.instrumented = false;
  const auto first = run.invoke(0, verb::acquire, A);
  run.answer(2, first, true);
  const auto second = run.as(P2).invoke(5, verb::acquire, B);
  run.answer(6, second, true);
  EXPECT_EQ(run.judge(make_single_owner_grant()), verdict::violated);
}

// ---- belief

TEST(single_owner, belief_fires_on_two_believers_even_under_one_owner) {
  run_builder run;
  run.as(P1).believe(0, A, 89);
  run.as(P2).believe(50, A, 139);
  run.end(200);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::violated);
  EXPECT_EQ(run.found[0].size_ns, ms(39));
}

TEST(single_owner, belief_ends_on_the_holders_own_clock) {
  run_builder run;
  run.record.monotonic[P1].set_rate(ms(40), 2 * sim::rate_one);  // 89 at 64.5
  run.as(P1).believe(0, A, 89);
  run.as(P2).believe(64.5, B, 150);
  run.end(200);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::holds);
}

TEST(single_owner, belief_lasts_while_its_clock_stands) {
  run_builder run;
  run.record.monotonic[P1].set_rate(ms(40), 0);
  run.record.monotonic[P1].set_rate(ms(90), sim::rate_one);  // 89 at 139
  run.as(P1).believe(0, A, 89);
  run.as(P2).believe(110, B, 199);
  run.end(200);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::violated);
  EXPECT_EQ(run.found[0].size_ns, ms(29));
}

TEST(single_owner, belief_is_silent_after_crash_disbelief_and_prolongation) {
  run_builder run;
  run.as(P1).believe(0, A, 50).believe(30, A, 80).disbelieve(70, A);
  run.as(P2).believe(70, B, 150).believe(75, C, 160).crash(100);
  run.as(P2, 1).believe(101, B, 190);
  run.end(200);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::holds);
}

TEST(single_owner, belief_is_prolonged) {
  run_builder run;
  run.as(P1).believe(0, A, 50).believe(30, A, 80);
  run.as(P2).believe(60, B, 150);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::violated);
}

TEST(single_owner, belief_of_keys_apart) {
  run_builder run;
  run.as(P1).on(K).believe(0, A, 50);
  run.as(P2).on(L).believe(10, A, 60);
  EXPECT_EQ(run.judge(make_single_owner_belief()), verdict::holds);
}

// ---- effect

run_builder with_writes() {
  run_builder run;
  run.plan.calls.emplace_back().what = verb::write;
  return run;
}

TEST(single_owner, effect_fires_on_interleaved_spans) {
  run_builder run = with_writes();
  run.as(P1).work(0, A);
  run.as(P2).work(10, B);
  run.as(P1).work(20, A);
  EXPECT_EQ(run.judge(make_single_owner_effect()), verdict::violated);
}

// At one true instant the order of events decides.
TEST(single_owner, effect_is_silent_on_spans_that_touch) {
  run_builder run = with_writes();
  run.as(P1).work(0, A).work(10, A);
  run.as(P2).work(10, B).work(20, B);
  EXPECT_EQ(run.judge(make_single_owner_effect()), verdict::holds);
}

TEST(single_owner, effect_begins_a_new_span_with_a_reused_owner) {
  run_builder run = with_writes();
  run.as(P1).acquires(0, A);
  run.work(1, A);
  run.releases(2, A);
  run.as(P2).work(3, B);
  run.as(P1).acquires(4, A);
  run.work(5, A);
  EXPECT_EQ(run.judge(make_single_owner_effect()), verdict::holds);
}

TEST(single_owner, effect_sees_work_that_goes_on_after_the_release) {
  run_builder run = with_writes();
  run.as(P1).work(1, A);
  run.releases(2, A);
  run.as(P2).work(3, B);
  run.as(P1).work(5, A);
  EXPECT_EQ(run.judge(make_single_owner_effect()), verdict::violated);
}

// ---- fenced

TEST(single_owner, fenced_fires_on_a_token_that_does_not_grow) {
  run_builder run;
  run.declared.fencing = true;
  const auto first = run.invoke(0, verb::acquire, A, 10);
  run.step(0, first, {A, 10, 7}).answer(0, first, true);
  const auto second = run.invoke(20, verb::acquire, B);
  run.step(20, second, {B, 120, 7}).answer(20, second, true);
  EXPECT_EQ(run.judge(make_single_owner_fenced()), verdict::violated);
}

TEST(single_owner, fenced_fires_on_a_write_from_the_past) {
  run_builder run;
  run.declared.fencing = true;
  run.plan.resource = sim::resource_kind::fenced;
  run.as(P1).work(0, A, 1);
  run.as(P2).work(1, B, 2);
  run.as(P1).work(2, A, 1);
  EXPECT_EQ(run.judge(make_single_owner_fenced()), verdict::violated);
}

TEST(single_owner, fenced_is_silent_where_tokens_grow) {
  run_builder run;
  run.declared.fencing = true;
  run.plan.resource = sim::resource_kind::fenced;
  const auto first = run.invoke(0, verb::acquire, A, 10);
  run.step(0, first, {A, 10, 1}).answer(0, first, true);
  run.work(1, A, 1).work(2, A, 1);
  const auto second = run.as(P2).invoke(20, verb::acquire, B);
  run.step(20, second, {B, 120, 2}).answer(20, second, true);
  run.work(21, B, 2);
  EXPECT_EQ(run.judge(make_single_owner_fenced()), verdict::holds);
  run.declared.fencing = false;
  EXPECT_EQ(run.judge(make_single_owner_fenced()), verdict::not_applicable);
}

}  // namespace
}  // namespace leaselab::properties
