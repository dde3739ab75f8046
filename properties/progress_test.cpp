#include "properties/progress.hpp"

#include <gtest/gtest.h>

#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

// D = 10, ttl = 100, period = 30, lateness = 1, one trip: a bound of 10 + 100 + 1 + 30 + 1 + 40.
run_builder quiet_world() {
  run_builder run;
  run.plan.bounds.asking_period = ms(30);
  run.plan.bounds.lateness = ms(1);
  run.plan.bounds.quiet = ms(600);
  run.plan.bounds.call_limit = ms(50);
  return run;
}

void contender_acquires(run_builder& run, double at) {
  const auto call = run.as(P3).acquires(at, C);
  run.record.calls[call].contender = true;
}

void contender_is_denied(run_builder& run, double at) {
  const auto call = run.as(P3).refused(at, verb::acquire, C, A);
  run.record.calls[call].contender = true;
}

TEST(progress, after_heal_holds_within_its_bound_and_fires_beyond) {
  for (const double at : {382.0, 382.1}) {
    run_builder run = quiet_world();
    run.acquires(150, A);
    run.add(200, event_kind::quiet);
    contender_is_denied(run, 201);
    contender_acquires(run, at);
    run.end(800);
    EXPECT_EQ(run.judge(make_progress_after_heal()),
              at <= 382 ? verdict::holds : verdict::violated);
  }
}

TEST(progress, after_heal_fires_where_nothing_is_ever_granted) {
  run_builder run = quiet_world();
  run.add(200, event_kind::quiet);
  contender_is_denied(run, 201);
  run.end(800);
  EXPECT_EQ(run.judge(make_progress_after_heal()), verdict::violated);
  run.record.step_limit_reached = true;
  run.record.ended = ms(210);
  EXPECT_EQ(run.judge(make_progress_after_heal()), verdict::unknown);
}

TEST(progress, after_heal_needs_a_quiet_phase_that_is_long_enough) {
  run_builder run = quiet_world();
  run.acquires(150, A, 15'000);
  run.add(200, event_kind::quiet);
  contender_is_denied(run, 201);
  run.end(800);
  EXPECT_EQ(run.judge(make_progress_after_heal()), verdict::not_applicable);
  run_builder short_limit = quiet_world();
  short_limit.plan.bounds.call_limit = ms(20);
  short_limit.add(200, event_kind::quiet);
  EXPECT_EQ(short_limit.judge(make_progress_after_heal()), verdict::not_applicable);
}

// Runtimes come to their end first, however long that takes; the contender asks after them.
TEST(progress, after_heal_counts_from_the_end_of_the_last_runtime) {
  for (const double at : {482.0, 482.1}) {
    run_builder run = quiet_world();
    run.plan.signals.emplace_back();
    run.acquires(150, A);
    run.add(200, event_kind::quiet);
    contender_is_denied(run, 300);
    contender_acquires(run, at);
    run.end(800);
    EXPECT_EQ(run.judge(make_progress_after_heal()),
              at <= 482 ? verdict::holds : verdict::violated);
  }
}

TEST(progress, after_heal_expects_pending_calls_to_end) {
  for (const double at : {261.0, 270.0}) {
    run_builder run = quiet_world();
    const auto pending = run.as(P1).invoke(190, verb::get);
    const auto crashed = run.as(P2).invoke(191, verb::get);
    run.crash(195);
    (void)crashed;
    run.add(200, event_kind::quiet);
    contender_acquires(run, 201);
    run.info(at, pending);
    run.end(800);
    EXPECT_EQ(run.judge(make_progress_after_heal()), at < 262 ? verdict::holds : verdict::violated);
  }
}

// The holder's last effect at 100; free at 201; then 30 + 1 + 40.
run_builder crashed_world(std::int64_t stored_deadline) {
  run_builder run = quiet_world();
  run.plan.faults.emplace_back().kind = sim::fault_kind::crash;
  const auto call = run.as(P1).invoke(95, verb::acquire, A);
  run.step(100, call, {A, stored_deadline}).crash(102);
  run.add(110, event_kind::quiet);
  contender_is_denied(run, 111);
  return run;
}

TEST(progress, after_crash_holds_within_its_bound) {
  run_builder run = crashed_world(200);
  contender_acquires(run, 272);
  run.end(710);
  EXPECT_EQ(run.judge(make_progress_after_crash()), verdict::holds);
}

// Set without a ttl, crashed before the ttl followed: the key is held for ever.
TEST(progress, after_crash_fires_on_a_lease_that_outlives_its_holder) {
  run_builder run = crashed_world(sim::no_deadline);
  contender_is_denied(run, 300);
  run.end(710);
  EXPECT_EQ(run.judge(make_progress_after_crash()), verdict::violated);
}

// In one line the contender's acquire of one key waits for that of the other: 30 + 1 + 80. A client
// of npm that pipelines its commands: K was answered after 1.5 s, L came 2.5 s after it was asked
// for, and its answer after the call's limit of 3.75 s. A server that answers in order does the
// same.
TEST(progress, after_crash_waits_in_line) {
  for (const bool one_line : {true, false}) {
    for (const double at : {272.0, 311.9, 312.1}) {
      run_builder run = crashed_world(200);
      run.plan.keys = {"K", "L"};
      run.declared.one_line = one_line;
      contender_acquires(run, at);
      run.end(800);
      EXPECT_EQ(run.judge(make_progress_after_crash()),
                at < (one_line ? 312 : 273) ? verdict::holds : verdict::violated)
          << at << one_line;
      run.plan.bounds.call_limit = ms(40);
      EXPECT_EQ(
          run.judge(make_progress_after_crash()),
          one_line ? verdict::not_applicable : (at < 273 ? verdict::holds : verdict::violated));
    }
  }
}

TEST(progress, after_crash_is_silent_where_somebody_else_asked_since) {
  run_builder run = crashed_world(sim::no_deadline);
  run.as(P2).refused(112, verb::acquire, B, A);
  run.end(710);
  EXPECT_EQ(run.judge(make_progress_after_crash()), verdict::holds);
}

TEST(progress, after_crash_needs_crashes) {
  run_builder run = crashed_world(200);
  run.plan.faults.clear();
  EXPECT_EQ(run.judge(make_progress_after_crash()), verdict::not_applicable);
}

}  // namespace
}  // namespace leaselab::properties
