#include "properties/search/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/search/cut_time.hpp"
#include "properties/search/generate.hpp"
#include "properties/search/reductions.hpp"
#include "properties/search/removal.hpp"

namespace leaselab::properties {
namespace {

using sim::event_label;
using sim::verb;

sim::call_spec call(std::uint32_t id, sim::process_id process, std::uint32_t after, int wait) {
  sim::call_spec made;
  made.id = id;
  made.process = process;
  made.after = after;
  made.wait = wait;
  return made;
}

sim::decision start_of(std::uint32_t id, sim::process_id process, int at) {
  sim::decision made;
  made.event.process = process;
  made.event.subject = id;
  made.at = at;
  return made;
}

// Three calls in a chain on the second process, one call of the first.
sim::plan small_plan() {
  sim::plan plan;
  plan.processes.resize(2);
  plan.processes[0].name = "P1";
  plan.processes[1].name = "P2";
  plan.keys = {"K", "L"};
  plan.owners = {"", "A", "B"};
  plan.calls = {call(0, 0, sim::no_spec, 0), call(1, 1, sim::no_spec, 0), call(2, 1, 1, 20),
                call(3, 1, 2, 30)};
  plan.calls[1].at = 10;
  plan.calls[3].owner = 2;
  plan.decisions = {start_of(0, 0, 0), start_of(1, 1, 10), start_of(2, 1, 30), start_of(3, 1, 60)};
  return plan;
}

TEST(shrink, a_removed_call_leaves_its_time_behind) {
  const auto smaller = keep_calls(small_plan(), {0, 3});
  ASSERT_EQ(smaller.calls.size(), 2U);
  EXPECT_EQ(smaller.calls[1].id, 3U);
  EXPECT_EQ(smaller.calls[1].after, sim::no_spec);
  EXPECT_EQ(smaller.calls[1].at, 10 + 20 + 30);
  EXPECT_EQ(smaller.calls[1].wait, 0);
  EXPECT_EQ(smaller.decisions.size(), 2U);
}

TEST(shrink, a_call_in_the_middle_is_bridged) {
  const auto smaller = keep_calls(small_plan(), {0, 1, 3});
  EXPECT_EQ(smaller.calls[2].after, 1U);
  EXPECT_EQ(smaller.calls[2].wait, 50);
}

TEST(shrink, a_fault_goes_with_the_call_it_names) {
  auto plan = small_plan();
  plan.faults.resize(3);
  plan.faults[0].id = 7;
  plan.faults[0].kind = sim::fault_kind::drop;
  plan.faults[0].call = 2;
  plan.faults[1].id = 8;
  plan.faults[1].point.emplace().call = 2;
  plan.faults[2].id = 9;
  for (const std::uint32_t id : {8U, 9U}) {
    sim::decision begin;
    begin.event.what = event_label::begin;
    begin.event.subject = id;
    plan.decisions.push_back(begin);
  }
  const auto smaller = keep_calls(plan, {0, 1, 3});
  ASSERT_EQ(smaller.faults.size(), 1U);
  EXPECT_EQ(smaller.faults[0].id, 9U);
  EXPECT_EQ(smaller.decisions.size(), 3U + 1U);
}

TEST(shrink, a_removed_process_takes_its_calls_and_the_others_move_up) {
  const auto smaller = keep_processes(small_plan(), {1});
  ASSERT_EQ(smaller.processes.size(), 1U);
  EXPECT_EQ(smaller.processes[0].name, "P2");
  ASSERT_EQ(smaller.calls.size(), 3U);
  for (const auto& one : smaller.calls) EXPECT_EQ(one.process, 0);
  for (const auto& one : smaller.decisions) EXPECT_EQ(one.event.process, 0);
}

TEST(shrink, names_that_nothing_uses_go) {
  const auto smaller = drop_unused_names(small_plan());
  EXPECT_EQ(smaller.keys, (std::vector<std::string>{"K"}));
  EXPECT_EQ(smaller.owners, (std::vector<std::string>{"", "B"}));
  EXPECT_EQ(smaller.calls[3].owner, 1);
}

TEST(shrink, the_contender_keeps_its_place_behind_the_processes) {
  auto plan = small_plan();
  plan.decisions.push_back(start_of(1000, 2, 99));
  const auto smaller = keep_processes(plan, {0});
  EXPECT_EQ(smaller.decisions.back().event.process, 1);
}

sim::plan big_plan() {
  const auto options = world_for(sim::workload_kind::handoff, *find_profile("chaos"), guarantees{});
  sim::plan plan;
  generate(options, 5, 5, plan);
  return plan;
}

TEST(shrink, every_step_is_consistent) {
  const auto plan = big_plan();
  auto candidates = shrink_plan(plan);
  int count = 0;
  while (const auto candidate = candidates.next()) {
    ++count;
    std::set<std::uint32_t> ids;
    for (const auto& one : candidate->calls) ids.insert(one.id);
    for (const auto& one : candidate->calls) {
      EXPECT_LT(one.process, candidate->processes.size());
      EXPECT_LT(one.key, candidate->keys.size());
      EXPECT_LT(one.owner, candidate->owners.size());
      EXPECT_TRUE(one.after == sim::no_spec || ids.contains(one.after));
    }
    for (const auto& one : candidate->faults) {
      EXPECT_TRUE(one.call == sim::no_spec || ids.contains(one.call));
      EXPECT_TRUE(!one.point || ids.contains(one.point->call));
    }
    EXPECT_NE(to_json(*candidate), to_json(plan));
  }
  EXPECT_GT(count, 100);
}

TEST(shrink, finds_the_two_calls_and_the_fault_that_matter) {
  auto plan = big_plan();
  ASSERT_FALSE(plan.faults.empty());
  const auto wanted = plan.faults.back().kind;
  const auto fails = [&](sim::plan& candidate) {
    const auto count = [&](verb what) {
      return std::count_if(candidate.calls.begin(), candidate.calls.end(),
                           [what](const auto& one) { return one.what == what; });
    };
    return count(verb::acquire) >= 1 && count(verb::transfer) >= 1 &&
           std::any_of(candidate.faults.begin(), candidate.faults.end(),
                       [&](const auto& one) { return one.kind == wanted; });
  };
  ASSERT_TRUE(fails(plan));
  const auto found = shrink(plan, fails, 5000);
  EXPECT_EQ(found.plan.calls.size(), 2U);
  EXPECT_EQ(found.plan.faults.size(), 1U);
  EXPECT_EQ(found.plan.bounds.quiet, 0);
  EXPECT_LT(found.runs, 5000U);
}

sim::decision of_runtime(event_label what, sim::process_id process, std::uint32_t signal,
                         unsigned kind, std::uint16_t nth, sim::true_time at) {
  return {{what, process, 0, nth, sim::runtime_subject(signal, kind, nth)}, at};
}

// One signal with three renewals, ten ns apart; a fault on the third.
sim::plan renewing_plan() {
  constexpr unsigned renewals = 8, work = 7;
  sim::plan plan;
  plan.ttl_ms = 1;
  plan.processes.resize(2);
  plan.keys = {"K"};
  plan.signals.resize(2);
  plan.signals[0].id = 3;
  plan.signals[0].run = 100;
  plan.signals[1].id = 4;
  plan.signals[1].at = 25;
  plan.faults.resize(1);
  plan.faults[0].kind = sim::fault_kind::drop;
  plan.faults[0].call = sim::runtime_subject(3, renewals, 3);
  for (std::uint16_t nth = 1; nth <= 3; ++nth) {
    plan.decisions.push_back(of_runtime(event_label::timer, 0, 3, renewals, nth, nth * 10));
    plan.decisions.push_back(of_runtime(event_label::timer, 0, 3, work, nth, nth * 10 + 1));
  }
  return plan;
}

TEST(shrink, a_stretch_of_time_goes_and_what_comes_after_counts_down) {
  const auto before = renewing_plan();
  const auto shorter = cut_time(before, {15, 10});
  ASSERT_EQ(shorter.decisions.size(), 4U);
  EXPECT_EQ(shorter.decisions[0], before.decisions[0]);
  EXPECT_EQ(shorter.decisions[2].at, 20);
  EXPECT_EQ(shorter.decisions[2].event, before.decisions[2].event);
  EXPECT_EQ(shorter.signals[0].run, 90);
  EXPECT_EQ(shorter.signals[1].at, 15);
  EXPECT_EQ(shorter.faults[0].call, sim::runtime_subject(3, 8, 2));
}

TEST(shrink, a_stretch_without_events_only_comes_closer) {
  const auto shorter = cut_time(renewing_plan(), {12, 7});
  EXPECT_EQ(shorter.decisions.size(), 6U);
  EXPECT_EQ(shorter.decisions[2].at, 13);
  EXPECT_EQ(shorter.signals[0].run, 100);
}

TEST(shrink, policies_that_do_not_matter_become_strict) {
  auto plan = renewing_plan();
  plan.client = sim::preset("published");
  const auto fails = [](sim::plan& candidate) {
    return candidate.client.offer == sim::offer_policy::once && !candidate.signals.empty();
  };
  const auto found = shrink(plan, fails, 1000);
  EXPECT_EQ(to_string(found.plan.client), "strict,offer=once");
  EXPECT_EQ(found.plan.signals.size(), 1U);
  EXPECT_EQ(found.plan.processes.size(), 1U);
}

TEST(shrink, a_signal_moves_to_another_process_with_its_arrival) {
  auto plan = renewing_plan();
  plan.decisions.push_back(of_runtime(event_label::signal, 0, 4, 15, 0, 25));
  auto candidates = moved_signals(plan);
  bool moved = false;
  while (const auto candidate = candidates.next()) {
    if (candidate->signals[1].process != 1) continue;
    moved = true;
    EXPECT_EQ(candidate->decisions.back().event.process, 1);
    EXPECT_EQ(candidate->decisions[0].event.process, 0);
  }
  EXPECT_TRUE(moved);
}

TEST(shrink, tries_every_reduction_of_the_smallest_plan_once) {
  std::uint32_t runs = 0, last = 0;
  const auto found = shrink(
      big_plan(),
      [&](sim::plan& candidate) {
        ++runs;
        if (last > 0 || candidate.calls.size() == big_plan().calls.size()) return false;
        last = runs;
        return true;
      },
      10'000);
  std::uint32_t left = 0;
  for (auto all = shrink_plan(found.plan); all.next();) ++left;
  EXPECT_GT(last, 0U);
  EXPECT_EQ(found.runs - last, left);
}

TEST(shrink, keeps_to_its_budget) {
  std::uint32_t runs = 0;
  shrink(
      big_plan(), [&](sim::plan&) { return ++runs % 3 == 0; }, 40);
  EXPECT_LE(runs, 40U);
}

}  // namespace
}  // namespace leaselab::properties
