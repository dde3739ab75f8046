#include "properties/noop.hpp"

#include <gtest/gtest.h>

#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

TEST(noop, selected_exactly_where_operations_are_missing) {
  for (const bool lacking : {false, true}) {
    for (const bool selected : {false, true}) {
      run_builder run;
      run.fallback_selected = selected;
      run.lacks_operations = lacking;
      run.end(1);
      EXPECT_EQ(run.judge(make_noop_selected()),
                lacking == selected ? verdict::holds : verdict::violated);
    }
  }
}

run_builder fallback() {
  run_builder run;
  run.fallback_selected = run.lacks_operations = true;
  run.declared.scope = scope::none;
  return run;
}

TEST(noop, wins_for_every_caller_and_changes_nothing) {
  run_builder run = fallback();
  for (const sim::owner_id owner : {A, B}) {
    const auto call = run.invoke(0, verb::acquire, owner);
    run.answer(0, call, true);
  }
  const auto zero = run.invoke(1, verb::acquire, A, 0);
  run.record.calls[zero].arguments_lawful = false;
  run.fail(1, zero, errc::invalid_argument);
  run.gets(2, nobody);
  EXPECT_EQ(run.judge(make_noop_always_wins()), verdict::holds);
  EXPECT_EQ(run.judge(make_noop_inert()), verdict::holds);
}

TEST(noop, always_wins_fires_on_a_denial) {
  run_builder run = fallback();
  run.refused(0, verb::renew, A);
  EXPECT_EQ(run.judge(make_noop_always_wins()), verdict::violated);
  run.fallback_selected = false;
  EXPECT_EQ(run.judge(make_noop_always_wins()), verdict::not_applicable);
}

TEST(noop, inert_fires_on_a_name_and_on_a_change) {
  run_builder named = fallback();
  named.gets(0, A);
  EXPECT_EQ(named.judge(make_noop_inert()), verdict::violated);
  run_builder changed = fallback();
  changed.acquires(0, A);
  EXPECT_EQ(changed.judge(make_noop_inert()), verdict::violated);
}

run_builder alone() {
  run_builder run;
  run.plan.processes.resize(1);
  run.declared.scope = scope::host;
  run.declared.reading = expiry_reading::at;
  return run;
}

TEST(noop, single_process_is_silent_on_a_map_alone) {
  run_builder run = alone();
  run.acquires(0, A);
  run.renews(50, A);
  run.transfers(60, A, B);
  run.releases(70, B);
  run.acquires(71, C);
  run.refused(80, verb::acquire, A, C);  // a second owner asks while the lease is live: lawful
  run.refused(171, verb::renew, C);      // too late: lawful
  EXPECT_EQ(run.judge(make_noop_single_process()), verdict::holds);
}

TEST(noop, single_process_fires_on_a_refused_holder) {
  run_builder run = alone();
  run.acquires(0, A);
  run.releases(10, A);
  run.refused(20, verb::acquire, B, A);
  EXPECT_EQ(run.judge(make_noop_single_process()), verdict::violated);
}

// The release may take effect before the renewal's step.
TEST(noop, single_process_says_nothing_of_overlapping_calls) {
  run_builder run = alone();
  run.acquires(0, A);
  const auto renewal = run.invoke(10, verb::renew, A);
  const auto release = run.invoke(11, verb::release, A);
  run.step(12, release, {}).answer(13, release, false);
  run.look(14, renewal).answer(15, renewal, false);
  EXPECT_EQ(run.judge(make_noop_single_process()), verdict::holds);
}

TEST(noop, single_process_needs_a_single_one_and_no_crash) {
  run_builder run = alone();
  run.plan.processes.resize(2);
  EXPECT_EQ(run.judge(make_noop_single_process()), verdict::not_applicable);
  run_builder crashing = alone();
  crashing.plan.faults.emplace_back().kind = sim::fault_kind::crash;
  EXPECT_EQ(crashing.judge(make_noop_single_process()), verdict::not_applicable);
}

}  // namespace
}  // namespace leaselab::properties
