#include "properties/handoff.hpp"

#include <gtest/gtest.h>

#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

struct all_four {
  verdict no_gap, no_steal, honest, full_ttl;
};

all_four judge(run_builder& run) {
  return {run.judge(make_handoff_no_gap()), run.judge(make_handoff_no_steal()),
          run.judge(make_handoff_honest()), run.judge(make_handoff_full_ttl())};
}

void expect_silence(run_builder& run) {
  const all_four got = judge(run);
  EXPECT_EQ(got.no_gap, verdict::holds);
  EXPECT_EQ(got.no_steal, verdict::holds);
  EXPECT_EQ(got.honest, verdict::holds);
  EXPECT_EQ(got.full_ttl, verdict::holds);
}

TEST(handoff, silent_on_a_move_in_one_step) {
  run_builder run;
  run.acquires(0, A);
  run.transfers(50, A, B);
  run.as(P2).transfers(60, B, C, 30);
  expect_silence(run);
}

TEST(handoff, silent_on_a_transfer_to_oneself) {
  run_builder run;
  run.acquires(0, A);
  run.transfers(0, A, A);  // in the same granule: the record stays as it was
  run.transfers(50, A, A);
  expect_silence(run);
}

// `to` holds another key: unrelated.
TEST(handoff, silent_on_a_receiver_with_another_key) {
  run_builder run;
  run.on(L).acquires(0, B);
  run.on(K).acquires(0, A);
  run.transfers(50, A, B);
  expect_silence(run);
}

TEST(handoff, silent_on_a_lawful_refusal) {
  run_builder run;
  run.acquires(0, A);
  run.refused(101, verb::transfer, A, nobody, B);
  // The giver's record dies within the call.
  run.acquires(110, A);
  const auto slow = run.invoke(200, verb::transfer, A, 100, B);
  run.step(211, slow, {}).answer(215, slow, false);
  expect_silence(run);
}

TEST(handoff, silent_on_an_unknown_end_with_or_without_a_move) {
  run_builder run;
  run.acquires(0, A);
  const auto lost = run.invoke(10, verb::transfer, A, 100, B);
  run.info(20, lost).step(30, lost, {B, 130});
  const auto never_sent = run.invoke(40, verb::transfer, B, 100, C);
  run.crash(41);
  (void)never_sent;
  expect_silence(run);
}

TEST(handoff, release_then_acquire_leaves_a_gap) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::transfer, A, 100, B);
  run.step(11, call, {}).step(15, call, {B, 115}).answer(16, call, true);
  const all_four got = judge(run);
  EXPECT_EQ(got.no_gap, verdict::violated);
  EXPECT_EQ(got.no_steal, verdict::holds);
  EXPECT_EQ(got.honest, verdict::violated);
  EXPECT_EQ(got.full_ttl, verdict::holds);
  run.judge(make_handoff_no_gap());
  EXPECT_EQ(run.found[0].size_ns, ms(4));
}

TEST(handoff, a_contender_steals_the_key_in_the_gap) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::transfer, A, 100, B);
  run.step(11, call, {});
  run.as(P2).acquires(12, C);
  run.look(15, call).answer(16, call, false);
  const all_four got = judge(run);
  EXPECT_EQ(got.no_gap, verdict::holds);
  EXPECT_EQ(got.no_steal, verdict::violated);
  EXPECT_EQ(got.honest, verdict::violated);
}

// The acquire leg never happened: nobody was let in before the transfer's last step.
TEST(handoff, no_steal_ends_with_the_last_step) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::transfer, A, 100, B);
  run.step(11, call, {}).info(30, call);
  run.as(P2).acquires(31, C);
  EXPECT_EQ(run.judge(make_handoff_no_steal()), verdict::holds);
}

// `from` is checked in one step and overwritten in a second: a takeover in between is lost.
TEST(handoff, honest_fires_on_check_then_overwrite) {
  run_builder run;
  run.acquires(0, A, 20);
  const auto call = run.invoke(10, verb::transfer, A, 100, B);
  run.look(15, call);
  run.as(P2).acquires(25, C);
  run.step(30, call, {B, 130}).answer(31, call, true);
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::violated);
}

TEST(handoff, honest_fires_on_a_move_from_a_free_key) {
  run_builder run;
  run.transfers(10, A, B);
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::violated);
}

TEST(handoff, honest_fires_on_a_refusal_of_the_holder) {
  run_builder run;
  run.acquires(0, A);
  run.refused(10, verb::transfer, A, nobody, B);
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::violated);
}

TEST(handoff, honest_fires_on_a_failure_with_an_effect) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::transfer, A, 100, B);
  run.step(11, call, {B, 111}).fail(12, call, errc::out_of_memory);
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::violated);
}

TEST(handoff, full_ttl_fires_on_a_kept_and_on_a_dropped_deadline) {
  run_builder kept;
  kept.acquires(0, A);
  const auto first = kept.invoke(10, verb::transfer, A, 100, B);
  kept.step(11, first, {B, 100}).answer(12, first, true);
  EXPECT_EQ(kept.judge(make_handoff_full_ttl()), verdict::violated);

  run_builder dropped;
  dropped.acquires(0, A);
  const auto second = dropped.invoke(10, verb::transfer, A, 100, B);
  dropped.step(11, second, {B, sim::no_deadline}).info(12, second);
  EXPECT_EQ(dropped.judge(make_handoff_full_ttl()), verdict::violated);
}

TEST(handoff, full_ttl_fires_on_a_transfer_to_oneself_that_renews_nothing) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::transfer, A, 100, A);
  run.look(11, call).answer(12, call, true);
  EXPECT_EQ(run.judge(make_handoff_full_ttl()), verdict::violated);
}

TEST(handoff, needs_transfers_and_instruments) {
  run_builder run;
  run.acquires(0, A);
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::not_applicable);
  run.transfers(10, A, B);
  run.record.instrumented = false;
  EXPECT_EQ(run.judge(make_handoff_honest()), verdict::not_applicable);
}

}  // namespace
}  // namespace leaselab::properties
