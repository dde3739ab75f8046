#include "properties/search/exhaustive/explorer.hpp"

#include <gtest/gtest.h>

#include <set>

#include "properties/builtin.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/exhaustive/final_state.hpp"
#include "properties/search/exhaustive/programs.hpp"
#include "properties/search/judge.hpp"
#include "sim/random.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

using sim::verb;

struct came_to {
  std::uint64_t runs = 0, redundant = 0;
  std::set<std::uint64_t> finals;
  property_set violated = 0;

  void add(const came_to& other) {
    runs += other.runs;
    finals.insert(other.finals.begin(), other.finals.end());
    violated |= other.violated;
  }
};

class walker {
 public:
  explicit walker(const sim::variant& provider)
      : provider_(provider),
        world_(provider,
               provider.needs_engine ? std::make_unique<sim::redis::model_engine>() : nullptr),
        judge_(ids()) {}

  came_to walk(const sim::plan& plan, exploration how) {
    const auto programs = how.programs;
    explorer chooser(world_, std::move(how));
    came_to out;
    do {
      const auto& run = world_.run(plan, chooser);
      if (chooser.redundant()) {
        ++out.redundant;
        continue;
      }
      ++out.runs;
      const auto all = (property_set{1} << judge_.size()) - 1;
      out.violated |= judge_.look(world_, run, plan, provider_.declared, all).violated;
      out.finals.insert(final_state(run, plan, programs));
    } while (chooser.advance());
    return out;
  }

  came_to walk_all(std::uint32_t processes, std::uint32_t calls, std::uint32_t time_moves,
                   bool reduce) {
    const auto programs = programs_of(calls);
    came_to out;
    for (const auto& who : lineups_of(programs.size(), processes, reduce)) {
      small_scope scope;
      scope.processes = processes;
      scope.calls = calls;
      out.add(walk(plan_of(scope, programs, who), {reduce, time_moves, who}));
    }
    return out;
  }

  bool violates(const came_to& what, std::string_view property) const {
    return what.violated >> judge_.index_of(property) & 1;
  }

 private:
  static std::vector<std::string> ids() {
    std::vector<std::string> out;
    for (const auto& one : all_properties()) out.emplace_back(one->id());
    return out;
  }

  const sim::variant& provider_;
  sim::world world_;
  judge judge_;
};

// Two processes, a call each: S Q against S Q.
TEST(explorer, without_reduction_every_order_is_walked) {
  walker memory(*find_variant("memory"));
  EXPECT_EQ(memory.walk_all(2, 1, 0, false).runs, 6U);
  EXPECT_EQ(memory.walk_all(3, 1, 0, false).runs, 90U);
}

// Only the order of the steps counts, and of two alike the first one begins.
TEST(explorer, with_reduction_one_of_each_kind_is_walked) {
  walker memory(*find_variant("memory"));
  EXPECT_EQ(memory.walk_all(2, 1, 0, true).runs, 1U);
  const std::vector<program> programs{{verb::acquire}};
  EXPECT_EQ(memory.walk(plan_of({2, 1}, programs, {0, 0}), {true, 0, {0, 1}}).runs, 2U);
}

TEST(explorer, reduction_changes_neither_verdicts_nor_final_states) {
  for (const char* name : {"memory", "redis", "release-then-acquire", "redis-three-step"}) {
    walker provider(*find_variant(name));
    for (const std::uint32_t time_moves : {0U, 1U}) {
      const auto all = provider.walk_all(2, 2, time_moves, false);
      const auto reduced = provider.walk_all(2, 2, time_moves, true);
      EXPECT_EQ(reduced.finals, all.finals) << name << ' ' << time_moves;
      EXPECT_EQ(reduced.violated, all.violated) << name << ' ' << time_moves;
      EXPECT_GE(all.runs, 10 * reduced.runs) << name << ' ' << time_moves;
    }
  }
}

// A call may start between two moves of time, and its first step come after the second.
TEST(explorer, nor_does_it_where_calls_start_between_moves_of_time) {
  for (const char* name : {"memory", "release-then-acquire:memory"}) {
    walker provider(*find_variant(name));
    const auto all = provider.walk_all(2, 2, 2, false);
    const auto reduced = provider.walk_all(2, 2, 2, true);
    EXPECT_EQ(reduced.finals, all.finals) << name;
    EXPECT_EQ(reduced.violated, all.violated) << name;
    EXPECT_GE(all.runs, 5 * reduced.runs) << name;
  }
}

// A renewal is given up after a third of its ttl. Its request may then land before the next call's
// or after it, also a move of time later.
TEST(explorer, nor_does_it_where_a_request_outlives_its_call) {
  walker redis(*find_variant("redis"));
  for (const auto next : {verb::renew, verb::transfer, verb::release}) {
    const std::vector<program> programs{{verb::acquire, verb::renew, next}, {verb::acquire}};
    for (const lineup& who : {lineup{0}, lineup{0, 1}}) {
      const auto plan = plan_of({std::uint32_t(who.size()), 3}, programs, who);
      const auto all = redis.walk(plan, {false, 2, who});
      const auto reduced = redis.walk(plan, {true, 2, who});
      EXPECT_EQ(reduced.finals, all.finals) << int(next) << ' ' << who.size();
      EXPECT_EQ(reduced.violated, all.violated) << int(next) << ' ' << who.size();
      EXPECT_LT(reduced.runs, all.runs) << int(next) << ' ' << who.size();
    }
  }
}

// One line-up of the scope 3 x 2; all of them take minutes without reduction.
TEST(explorer, three_processes_are_reduced_a_hundredfold) {
  walker memory(*find_variant("memory"));
  const auto programs = programs_of(2);
  const auto plan = plan_of({3, 2}, programs, {0, 1, 2});
  const auto all = memory.walk(plan, {false, 0, {0, 1, 2}});
  const auto reduced = memory.walk(plan, {true, 0, {0, 1, 2}});
  EXPECT_EQ(reduced.finals, all.finals);
  EXPECT_EQ(reduced.violated, all.violated);
  EXPECT_GE(all.runs, 100 * reduced.runs);
}

// Two keys, odd programs: what commutes must really commute.
sim::plan random_plan(sim::random_source& random) {
  const std::vector<program> programs{{}, {}, {}};
  const auto processes = std::uint32_t(2 + random.below(2));
  sim::plan plan = plan_of({processes, 1}, programs, lineup(processes, 0));
  plan.keys = {"K", "L"};
  plan.owners = {"", "A", "B", "C"};
  constexpr verb verbs[] = {verb::acquire, verb::acquire,  verb::renew,
                            verb::release, verb::transfer, verb::get};
  for (sim::process_id process = 0; process < processes; ++process) {
    auto before = sim::no_spec;
    const auto calls = processes == 2 ? 1 + random.below(2) : 1;
    for (std::uint64_t i = 0; i < calls; ++i) {
      auto& call = plan.calls.emplace_back();
      call.id = std::uint32_t(plan.calls.size());
      call.process = process;
      call.what = verbs[random.below(6)];
      call.key = sim::key_id(random.below(2));
      call.owner = sim::owner_id(1 + random.below(3));
      call.to = sim::owner_id(1 + random.below(3));
      call.ttl_ms = 100;
      call.after = before;
      before = call.id;
    }
  }
  return plan;
}

TEST(explorer, random_plans_come_to_the_same_with_and_without_reduction) {
  sim::random_source random(2026);
  for (const char* name : {"memory", "redis", "redis-fenced", "release-then-acquire:memory"}) {
    walker provider(*find_variant(name));
    for (int i = 0; i < 25; ++i) {
      const auto plan = random_plan(random);
      std::vector<std::uint32_t> who;
      for (std::uint32_t p = 0; p < plan.processes.size(); ++p) who.push_back(p);
      const auto all = provider.walk(plan, {false, 1, who});
      const auto reduced = provider.walk(plan, {true, 1, who});
      EXPECT_EQ(reduced.finals, all.finals) << name << ' ' << i << '\n' << to_json(plan);
      EXPECT_EQ(reduced.violated, all.violated) << name << ' ' << i << '\n' << to_json(plan);
      EXPECT_LE(reduced.runs, all.runs);
    }
  }
}

// Steps on two keys commute, on one they do not.
TEST(explorer, sleep_sets_join_what_different_keys_do) {
  walker memory(*find_variant("memory"));
  sim::plan plan = plan_of({2, 1}, {{verb::acquire}}, {0, 0});
  plan.keys = {"K", "L"};
  EXPECT_EQ(memory.walk(plan, {true, 0, {0, 1}}).runs, 2U);
  plan.calls[1].key = 1;
  const auto apart = memory.walk(plan, {true, 0, {0, 1}});
  EXPECT_EQ(apart.runs, 1U);
  EXPECT_EQ(apart.redundant, 1U);
}

// A takeover just before, on and just after the deadline: refused, granted, granted.
TEST(explorer, time_moves_to_before_on_and_after_a_deadline) {
  sim::world world(*find_variant("memory"));
  const auto plan = plan_of({2, 1}, {{verb::acquire}}, {0, 0});
  explorer chooser(world, {true, 1, {0, 1}});
  std::set<std::pair<std::int64_t, bool>> second;
  do {
    const auto& run = world.run(plan, chooser);
    if (chooser.redundant() || !run.calls[0].yes) continue;
    for (const auto& event : run.events)
      if (event.kind == sim::event_kind::step && event.call == 1)
        second.insert({event.granule, run.calls[1].yes});
  } while (chooser.advance());
  for (const auto& seen : {std::pair{0, false}, {99, false}, {100, true}, {101, true}})
    EXPECT_TRUE(second.contains(seen)) << seen.first;
}

TEST(explorer, gaps_are_found_and_correct_providers_are_clean) {
  for (const char* name : {"memory", "redis", "redis-fenced"})
    EXPECT_EQ(walker(*find_variant(name)).walk_all(2, 2, 1, true).violated, 0U) << name;
  walker gap(*find_variant("release-then-acquire"));
  EXPECT_TRUE(gap.violates(gap.walk_all(2, 2, 0, true), "handoff.no_gap"));
}

TEST(explorer, mutants_are_found) {
  walker blind(find_mutant("mutant:M01")->variant);
  EXPECT_TRUE(blind.violates(blind.walk_all(2, 2, 1, true), "release.owner_only"));
  walker racing(find_mutant("mutant:M05")->variant);
  EXPECT_TRUE(racing.violates(racing.walk_all(2, 1, 0, true), "single_owner.grant"));
}

// From any point: what is left of the walk is walked, once.
TEST(explorer, a_walk_goes_on_where_it_was_left) {
  sim::world world(*find_variant("memory"));
  const auto plan = plan_of({2, 2}, programs_of(2), {0, 1});
  const exploration how{true, 1, {0, 1}};
  const auto walk = [&](explorer& chooser, std::vector<std::uint64_t>& digests, int most) {
    do {
      digests.push_back(world.run(plan, chooser).digest);
      if (--most == 0) return chooser.advance();
    } while (chooser.advance());
    return false;
  };
  explorer whole(world, how);
  std::vector<std::uint64_t> expected;
  EXPECT_FALSE(walk(whole, expected, -1));
  for (const int first : {1, 7, 50}) {
    std::vector<std::uint64_t> digests;
    explorer one(world, how);
    ASSERT_TRUE(walk(one, digests, first));
    explorer other(world, how);
    other.go_on_from(one.path());
    EXPECT_FALSE(walk(other, digests, -1));
    EXPECT_EQ(digests, expected) << first;
  }
}

TEST(programs, are_all_that_a_strict_client_may_run) {
  EXPECT_EQ(programs_of(1).size(), 1U);
  EXPECT_EQ(programs_of(2).size(), 3U);
  EXPECT_EQ(programs_of(3).size(), 7U);
  EXPECT_EQ(lineups_of(7, 2, true).size(), 28U);
  EXPECT_EQ(lineups_of(3, 3, true).size(), 10U);
  EXPECT_EQ(lineups_of(3, 3, false).size(), 27U);
}

}  // namespace
}  // namespace leaselab::properties
