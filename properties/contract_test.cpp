#include "properties/contract.hpp"

#include <gtest/gtest.h>

#include "properties/expiry.hpp"
#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

// Everything lawful, the surprises included; silent for each property of this file.
run_builder lawful_run() {
  run_builder run;
  run.acquires(0.7, A);      // set late in its millisecond
  run.gets(100.99, A);       // and read in the last one: alive at its deadline
  run.acquires(101, B, 50);  // taken over in the next
  run.acquires(110, B, 5);   // a shortened ttl
  run.gets(115.5, B);
  run.gets(116, nobody);
  run.refused(117, verb::renew, B);
  run.acquires(118, B);
  run.refused(119, verb::acquire, A, B);
  run.refused(120, verb::release, A);
  run.renews(130, B, 20);
  run.renews(130, B, 20);  // in the same granule
  run.releases(140, B);
  run.acquires(141, B);
  run.renews(142, B);  // a late renewal under a reused owner
  run.transfers(145, B, A);
  // A dead record cleaned away by a stranger's release.
  const auto cleaning = run.invoke(300, verb::release, B);
  run.step(301, cleaning, {}).answer(302, cleaning, false);
  return run;
}

TEST(contract, silent_on_lawful_surprises) {
  run_builder run = lawful_run();
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::holds);
  EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::holds);
  EXPECT_EQ(run.judge(make_release_owner_only()), verdict::holds);
  EXPECT_EQ(run.judge(make_renew_honest()), verdict::holds);
  EXPECT_EQ(run.judge(make_key_isolation()), verdict::holds);
  EXPECT_EQ(run.judge(make_argument_refused()), verdict::holds);
  EXPECT_EQ(run.judge(make_expiry_on_time()), verdict::holds);
}

// ---- acquire.idempotent

TEST(contract, idempotent_fires_on_a_refused_holder) {
  run_builder run;
  run.acquires(0, A);
  run.refused(10, verb::acquire, A, A);
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::violated);
}

TEST(contract, idempotent_fires_on_added_ttls) {
  run_builder run;
  run.acquires(0, A);
  const auto again = run.invoke(10, verb::acquire, A);
  run.step(10, again, {A, 200}).answer(10, again, true);
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::violated);
}

TEST(contract, idempotent_fires_on_a_refresh_in_name_only) {
  run_builder run;
  run.acquires(0, A);
  const auto again = run.invoke(10, verb::acquire, A);
  run.look(10, again).answer(10, again, true);
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::violated);
}

// Three trips: found alive in the first, gone in the second, nobody else near.
TEST(contract, idempotent_fires_on_a_lone_owner_refused_at_its_deadline) {
  run_builder run;
  run.acquires(0, A);
  const auto again = run.invoke(99, verb::acquire, A);
  run.look(99, again).step(101, again, {}).look(102, again).answer(103, again, false);
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::violated);
}

TEST(contract, idempotent_is_silent_where_another_took_over_meanwhile) {
  run_builder run;
  run.acquires(0, A);
  const auto again = run.invoke(99, verb::acquire, A);
  run.look(99, again);
  run.as(P2).acquires(101, B);
  run.look(102, again).answer(103, again, false, B);
  EXPECT_EQ(run.judge(make_acquire_idempotent()), verdict::holds);
}

// ---- acquire.honest_denial

TEST(contract, denial_fires_on_nobody_oneself_and_the_dead) {
  for (const sim::owner_id named : {nobody, B, C}) {
    run_builder run;
    run.acquires(0, A);
    run.refused(10, verb::acquire, B, named);
    EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::violated) << named;
  }
}

TEST(contract, denial_may_name_who_died_within_the_call) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(99, verb::acquire, B);
  run.look(100, call).look(101, call).answer(110, call, false, A);
  EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::holds);
}

// Lease ended before the call began, though at the same true instant.
TEST(contract, denial_follows_the_order_of_events) {
  run_builder run;
  run.acquires(0, A);
  run.releases(10, A);
  run.refused(10, verb::acquire, B, A);
  EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::violated);
}

TEST(contract, denial_is_judged_by_its_name_without_instruments) {
  run_builder run;
  run.record.instrumented = false;
  const auto call = run.invoke(0, verb::acquire, B);
  run.answer(1, call, false, A);
  EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::holds);
  run.record.calls[call].named = nobody;
  EXPECT_EQ(run.judge(make_acquire_honest_denial()), verdict::violated);
}

// ---- release.owner_only

TEST(contract, release_fires_on_a_strangers_delete) {
  run_builder run;
  run.acquires(0, A);
  run.releases(10, B);
  EXPECT_EQ(run.judge(make_release_owner_only()), verdict::violated);
}

// Checked in one step, deleted in the next: the lease between has changed hands.
TEST(contract, release_fires_on_check_then_delete) {
  run_builder run;
  run.acquires(0, A, 10);
  const auto call = run.invoke(9, verb::release, A);
  run.look(10, call);
  run.as(P2).acquires(11, B);
  run.step(12, call, {}).answer(13, call, false);
  EXPECT_EQ(run.judge(make_release_owner_only()), verdict::violated);
}

// ---- renew.honest

TEST(contract, renew_fires_on_creation_revival_and_theft) {
  run_builder created;
  created.renews(0, A);
  EXPECT_EQ(created.judge(make_renew_honest()), verdict::violated);

  run_builder revived;
  revived.acquires(0, A);
  revived.renews(101, A);
  EXPECT_EQ(revived.judge(make_renew_honest()), verdict::violated);

  run_builder stretched;
  stretched.acquires(0, A);
  const auto call = stretched.invoke(10, verb::renew, B);
  stretched.step(10, call, {A, 110}).info(11, call);
  EXPECT_EQ(stretched.judge(make_renew_honest()), verdict::violated);
}

TEST(contract, renew_fires_on_a_false_yes_and_a_false_no) {
  run_builder yes;
  const auto first = yes.invoke(0, verb::renew, A);
  yes.look(0, first).answer(0, first, true);
  EXPECT_EQ(yes.judge(make_renew_honest()), verdict::violated);

  run_builder no;
  no.acquires(0, A);
  no.refused(10, verb::renew, A);
  EXPECT_EQ(no.judge(make_renew_honest()), verdict::violated);
}

TEST(contract, renew_fires_on_a_failure_with_an_effect) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::renew, A);
  run.step(10, call, {A, 110}).fail(11, call, errc::busy);
  EXPECT_EQ(run.judge(make_renew_honest()), verdict::violated);
}

TEST(contract, renew_may_land_after_its_caller_gave_up) {
  run_builder run;
  run.acquires(0, A);
  const auto call = run.invoke(10, verb::renew, A);
  run.info(20, call).step(30, call, {A, 130});
  EXPECT_EQ(run.judge(make_renew_honest()), verdict::holds);
}

// ---- key.isolation

TEST(contract, isolation_fires_on_a_shared_slot) {
  run_builder run;
  run.on(L).acquires(0, B);
  const auto call = run.on(K).invoke(10, verb::acquire, A);
  run.step(10, call, {A, 110}).change(10, L, {A, 110}, call).answer(10, call, true);
  EXPECT_EQ(run.judge(make_key_isolation()), verdict::violated);
}

TEST(contract, isolation_is_silent_on_a_dead_records_removal_and_on_evictions) {
  run_builder run;
  run.on(L).acquires(0, B, 5);
  const auto call = run.on(K).invoke(10, verb::acquire, A);
  run.step(10, call, {A, 110}).change(10, L, {}, call).answer(10, call, true);
  run.change(20, K, {});
  EXPECT_EQ(run.judge(make_key_isolation()), verdict::holds);
}

// ---- argument.refused

TEST(contract, arguments_fire_on_an_effect_and_on_a_wrong_end) {
  run_builder sent;
  sent.acquires(0, A);
  const auto zero = sent.invoke(10, verb::renew, A, 0);
  sent.record.calls[zero].arguments_lawful = false;
  sent.step(10, zero, {}).answer(10, zero, true);
  EXPECT_EQ(sent.judge(make_argument_refused()), verdict::violated);

  run_builder denied;
  const auto closed = denied.invoke(0, verb::acquire, A);
  denied.record.calls[closed].closed = true;
  denied.answer(1, closed, false);
  EXPECT_EQ(denied.judge(make_argument_refused()), verdict::violated);
}

TEST(contract, arguments_are_silent_on_refusals) {
  run_builder run;
  const auto zero = run.invoke(0, verb::acquire, A, 0);
  run.record.calls[zero].arguments_lawful = false;
  run.fail(0, zero, errc::invalid_argument);
  const auto closed = run.invoke(1, verb::get);
  run.record.calls[closed].closed = true;
  run.fail(1, closed, errc::closed);
  EXPECT_EQ(run.judge(make_argument_refused()), verdict::holds);
}

// ---- expiry.on_time

TEST(expiry, fires_on_a_lease_lost_early) {
  run_builder stranger;
  stranger.acquires(0, A);
  stranger.releases(10, B);
  EXPECT_EQ(stranger.judge(make_expiry_on_time()), verdict::violated);

  run_builder evicted;
  evicted.acquires(0, A);
  evicted.change(10, K, {});
  EXPECT_EQ(evicted.judge(make_expiry_on_time()), verdict::violated);
}

TEST(expiry, fires_on_a_lease_that_never_ends) {
  run_builder run;
  const auto call = run.invoke(0, verb::acquire, A);
  run.step(0, call, {A, sim::no_deadline}).step(1, call, {A, 101}).answer(2, call, true);
  EXPECT_EQ(run.judge(make_expiry_on_time()), verdict::violated);
}

TEST(expiry, fires_on_a_renewal_by_another_clock_or_in_name_only) {
  run_builder skewed;
  skewed.acquires(0, A);
  const auto first = skewed.invoke(10, verb::renew, A);
  skewed.step(10, first, {A, 107}).answer(10, first, true);
  EXPECT_EQ(skewed.judge(make_expiry_on_time()), verdict::violated);

  run_builder idle;
  idle.acquires(0, A);
  const auto second = idle.invoke(10, verb::renew, A);
  idle.look(10, second).answer(10, second, true);
  EXPECT_EQ(idle.judge(make_expiry_on_time()), verdict::violated);
}

TEST(expiry, fires_on_reads_past_and_before_the_deadline) {
  run_builder late;
  late.acquires(0, A);
  late.gets(101, A);
  EXPECT_EQ(late.judge(make_expiry_on_time()), verdict::violated);

  run_builder early;
  early.acquires(0, A);
  early.gets(100, nobody);
  EXPECT_EQ(early.judge(make_expiry_on_time()), verdict::violated);
  early.declared.reading = expiry_reading::at;
  EXPECT_EQ(early.judge(make_expiry_on_time()), verdict::holds);
}

// Who was never there, or was released, is another property's question.
TEST(expiry, leaves_other_wrong_names_alone) {
  run_builder run;
  run.gets(0, C);
  run.acquires(1, A);
  run.releases(2, A);
  run.gets(3, A);
  EXPECT_EQ(run.judge(make_expiry_on_time()), verdict::holds);
}

// A backend clock that was set back lets a record live again.
TEST(expiry, follows_a_clock_that_goes_back) {
  run_builder run;
  run.record.backend.step(ms(120), -ms(50));
  run.acquires(0, A);
  const auto call = run.invoke(110, verb::get);
  run.look(125, call).answer(126, call, false, A);
  EXPECT_EQ(run.judge(make_expiry_on_time()), verdict::holds);
}

}  // namespace
}  // namespace leaselab::properties
