#include "properties/search/critical.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace leaselab::properties {
namespace {

using sim::event_label;

sim::decision taken(event_label what, std::uint32_t call, sim::true_time at) {
  sim::decision made;
  made.event.what = what;
  made.event.subject = call;
  made.at = at;
  return made;
}

sim::true_time at_of(const sim::plan& plan, std::size_t call) {
  const auto found = std::find_if(plan.decisions.begin(), plan.decisions.end(),
                                  [call](const auto& one) { return one.event.subject == call; });
  return found == plan.decisions.end() ? sim::never : found->at;
}

// A world of five messages that arrive when they like within [0, 100], in any order.
sim::plan messages() {
  sim::plan plan;
  for (std::uint32_t call = 0; call < 5; ++call)
    plan.decisions.push_back(taken(event_label::request, call, 10 * (call + 1)));
  return plan;
}

// `fails` over that world; what a strategy draws is always the run in which all arrive at once.
template <class Fails>
trial in_that_world(Fails fails) {
  return [fails](sim::plan& candidate, sim::chooser* by) {
    if (by) {
      candidate.decisions.clear();
      for (std::uint32_t call = 0; call < 5; ++call)
        candidate.decisions.push_back(taken(event_label::request, call, 0));
    }
    for (auto& one : candidate.decisions) one.at = std::clamp<sim::true_time>(one.at, 0, 100);
    return fails(candidate) ? trial_end::fails : trial_end::passes;
  };
}

TEST(critical, one_choice_that_decides_is_found_with_its_threshold) {
  const auto test =
      in_that_world([](const sim::plan& plan) { return at_of(plan, 3) > at_of(plan, 1) + 7; });
  const auto got = find_critical(messages(), test, 1000);
  ASSERT_TRUE(got.found);
  ASSERT_EQ(got.found->choices.size(), 1u);
  const auto& choice = got.found->choices.front();
  EXPECT_EQ(choice.taken.event.subject, 3u) << "the later one of the two";
  EXPECT_EQ(choice.taken.at, 40);
  EXPECT_EQ(choice.instead, 27);
  sim::plan again = got.found->passing;
  EXPECT_EQ(test(again, nullptr), trial_end::passes);
  again = got.found->failing;
  EXPECT_EQ(test(again, nullptr), trial_end::fails);
}

TEST(critical, choices_that_decide_together_are_named_together) {
  const auto test =
      in_that_world([](const sim::plan& plan) { return at_of(plan, 0) > 5 || at_of(plan, 4) > 5; });
  const auto got = find_critical(messages(), test, 1000);
  ASSERT_TRUE(got.found);
  ASSERT_EQ(got.found->choices.size(), 2u);
  EXPECT_EQ(got.found->choices[0].taken.event.subject, 0u);
  EXPECT_EQ(got.found->choices[1].taken.event.subject, 4u);
}

TEST(critical, where_nothing_passes_nothing_is_claimed) {
  const auto test = in_that_world([](const sim::plan&) { return true; });
  const auto got = find_critical(messages(), test, 1000);
  EXPECT_FALSE(got.found);
  EXPECT_FALSE(got.fault);
  EXPECT_GT(got.runs, 10u);
}

TEST(critical, a_fault_that_decides_is_named) {
  sim::plan plan = messages();
  plan.faults.resize(2);
  plan.faults[0].id = 7;
  plan.faults[1].id = 8;
  const auto test = in_that_world([](const sim::plan& value) {
    return std::any_of(value.faults.begin(), value.faults.end(),
                       [](const auto& one) { return one.id == 8; });
  });
  const auto got = find_critical(plan, test, 1000);
  EXPECT_FALSE(got.found);
  EXPECT_EQ(got.fault, 1u);
}

TEST(critical, what_does_not_fail_or_cannot_be_judged_is_left_alone) {
  EXPECT_FALSE(
      find_critical(messages(), in_that_world([](const auto&) { return false; }), 100).found);
  const trial unknown = [](sim::plan&, sim::chooser*) { return trial_end::neither; };
  EXPECT_FALSE(find_critical(messages(), unknown, 100).found);
}

TEST(critical, the_budget_bounds_the_runs) {
  const auto test =
      in_that_world([](const sim::plan& plan) { return at_of(plan, 0) > 5 || at_of(plan, 4) > 5; });
  EXPECT_LE(find_critical(messages(), test, 40).runs, 50u);
}

}  // namespace
}  // namespace leaselab::properties
