// A lone runtime on the no-op provider and on a map: by hand, and on worlds drawn at random.
#include "properties/lone_runs.hpp"

#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/noop.hpp"
#include "properties/search/generate.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/strategy.hpp"
#include "properties/testing/run_builder.hpp"
#include "sim/names.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

struct lone_run : run_builder {
  lone_run() {
    plan.processes.resize(1);
    declared.scope = scope::none;
    for (std::uint32_t id : {1, 2}) plan.signals.emplace_back().id = id;
  }
  lone_run& notes(double at, event_kind kind, std::uint32_t signal) {
    add(at, kind).value = sim::signal_note{signal, 0, 0}.packed();
    return *this;
  }
  verdict judged() { return judge(make_noop_single_process()); }
};

lone_run two_runs() {
  lone_run run;
  run.notes(0, event_kind::signal_submitted, 1).notes(0, event_kind::signal_begun, 1);
  run.notes(0, event_kind::run_started, 1).notes(1, event_kind::signal_submitted, 2);
  run.notes(5, event_kind::run_ended, 1).notes(5, event_kind::signal_begun, 2);
  run.notes(5, event_kind::run_started, 2).notes(9, event_kind::run_ended, 2);
  return run;
}

TEST(lone_runs, one_after_the_other) { EXPECT_EQ(two_runs().judged(), verdict::holds); }

TEST(lone_runs, out_of_turn) {
  lone_run run;
  run.notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_submitted, 2);
  run.notes(2, event_kind::signal_begun, 2).notes(3, event_kind::signal_begun, 1);
  EXPECT_EQ(run.judged(), verdict::violated);
}

TEST(lone_runs, side_by_side) {
  lone_run run;
  run.notes(0, event_kind::run_started, 1).notes(1, event_kind::run_started, 2);
  EXPECT_EQ(run.judged(), verdict::violated);
}

TEST(lone_runs, anything_but_a_run) {
  for (const auto kind : {event_kind::signal_refused, event_kind::signal_interrupted,
                          event_kind::signal_offered, event_kind::signal_unknown}) {
    lone_run run;
    run.notes(0, event_kind::signal_submitted, 1).notes(1, kind, 1);
    EXPECT_EQ(run.judged(), verdict::violated);
  }
}

TEST(lone_runs, what_may_be) {
  lone_run plain;
  plain.plan.signals[0].plain = true;
  plain.notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_refused, 1);
  EXPECT_EQ(plain.judged(), verdict::holds);
  lone_run closing;
  closing.plan.calls.emplace_back().what = verb::close;
  closing.notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_refused, 1);
  EXPECT_EQ(closing.judged(), verdict::holds);
  lone_run paused;
  paused.plan.faults.emplace_back().kind = sim::fault_kind::pause;
  paused.plan.faults[0].lasts = ms(60);
  paused.notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_interrupted, 1);
  EXPECT_EQ(paused.judged(), verdict::holds);
  paused.plan.faults[0].lasts = ms(5);
  EXPECT_EQ(paused.judged(), verdict::violated);
}

// A renewal that fails for a stop is made again by a timer, which is late once more.
TEST(lone_runs, late_timers_count_for_each_renewal) {
  lone_run run;
  run.plan.bounds.call_limit = ms(25);
  run.plan.faults.resize(2);
  run.plan.faults[0].kind = sim::fault_kind::late_timer;
  run.plan.faults[0].by = ms(8);
  run.plan.faults[1].kind = sim::fault_kind::pause;
  run.notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_interrupted, 1);
  EXPECT_EQ(run.judged(), verdict::violated);
  run.plan.faults[1].lasts = ms(5);
  EXPECT_EQ(run.judged(), verdict::holds);
  run.plan.faults[1].kind = sim::fault_kind::delay;
  run.plan.faults[1].by = ms(5);
  EXPECT_EQ(run.judged(), verdict::holds);
}

// In which order signals that queue and run in one piece begin, end and are refused, for each key.
std::string told_by(const sim::run_record& run, const sim::plan& plan) {
  std::string told;
  const auto tell = [&](event_kind kind, std::size_t key) {
    told += std::string(name_of(kind));
    for (const sim::event& event : run.events) {
      if (event.kind != kind || event.key != key) continue;
      const auto id = sim::signal_note::of(event.value).signal;
      const sim::signal_spec& signal = plan.signals[id];
      if (!signal.plain && !signal.suspend_at) told += " " + std::to_string(id);
    }
    told += "; ";
  };
  for (std::size_t key = 0; key < run.keys.size(); ++key)
    for (const auto kind :
         {event_kind::signal_begun, event_kind::run_ended, event_kind::signal_refused})
      tell(kind, key);
  return told;
}

struct told_run {
  std::string told;
  bool judged = false, silent = true;
};

told_run run_on(const char* provider, const sim::plan& plan) {
  const sim::variant& kind = *find_variant(provider);
  sim::world world(kind);
  const auto strategy = make_strategy("in_order");
  const auto& run = world.run(plan, *strategy);
  judge by({"noop.single_process"});
  const auto passed = by.look(world, run, plan, kind.declared, 1);
  return {told_by(run, plan), passed.not_applicable == 0, passed.violated == 0};
}

TEST(lone_runs, are_the_same_on_the_noop_provider_and_on_a_map) {
  const guarantees& declared = find_variant("noop")->declared;
  int compared = 0;
  for (const char* faults : {"calm", "interleave", "skew", "pause"}) {
    auto options = world_for(sim::workload_kind::runtime, *find_profile(faults), declared);
    options.processes = 1;
    sim::plan plan;
    for (std::uint64_t i = 0; i < 200; ++i) {
      generate(options, 5, i, plan);
      const told_run fallback = run_on("noop", plan);
      plan.lacking = 0;
      const told_run map = run_on("memory", plan);
      EXPECT_TRUE(fallback.silent && map.silent) << faults << " " << i;
      if (!fallback.judged || !map.judged) continue;
      EXPECT_EQ(fallback.told, map.told) << faults << " " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 400);
}

}  // namespace
}  // namespace leaselab::properties
