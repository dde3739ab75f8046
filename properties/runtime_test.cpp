// Stories of the runtime on a map, told in order: what its client does, event by event.
#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/strategy.hpp"
#include "sim/names.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/workload/runtime.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;

struct story {
  sim::plan plan;
  std::vector<std::string> told;  // "P1 begun 1", runtime events only
  std::string violated;           // ids, in order
  sim::true_time contender_won = sim::never;
  int work_steps = 0;
  bool cut_short = false;
  std::size_t steps = 0;
  std::vector<std::string> judged_by{"run.serialized", "run.covered", "signal.once", "loss.noticed",
                                     "progress.after_heal"};

  explicit story(const char* client = "strict") {
    plan.workload = sim::workload_kind::runtime;
    plan.client = sim::parse_client(client);
    plan.keys = {"K"};
    for (const char* name : {"P1", "P2"}) plan.processes.push_back({name});
    plan.bounds.call_limit = 50 * ns_per_ms;
    plan.bounds.quiet = 3000 * ns_per_ms;
  }
  sim::signal_spec& signal(sim::process_id process, std::int64_t at_ms, std::int64_t run_ms) {
    auto& added = plan.signals.emplace_back();
    added.id = std::uint32_t(plan.signals.size());
    added.process = process;
    added.at = at_ms * ns_per_ms;
    added.run = run_ms * ns_per_ms;
    return added;
  }
  sim::fault_spec& fault(sim::fault_kind kind, sim::process_id process, std::int64_t at_ms,
                         std::int64_t lasts_ms) {
    auto& added = plan.faults.emplace_back();
    added.id = std::uint32_t(plan.faults.size());
    added.kind = kind;
    added.process = process;
    added.at = added.at_latest = at_ms * ns_per_ms;
    added.lasts = lasts_ms * ns_per_ms;
    return added;
  }
  void closes(sim::process_id process, std::int64_t at_ms) {
    auto& added = plan.calls.emplace_back();
    added.id = std::uint32_t(plan.calls.size());
    added.what = sim::verb::close;
    added.process = process;
    added.at = at_ms * ns_per_ms;
  }
  story& run(const char* provider = "memory") { return run(*find_variant(provider)); }
  story& run(const sim::variant& kind) {
    sim::world world(kind, std::make_unique<sim::redis::model_engine>());
    const auto strategy = make_strategy("in_order");
    const auto& ran = world.run(plan, *strategy);
    cut_short = ran.step_limit_reached;
    steps = world.decisions().size();
    for (const sim::event& event : ran.events) {
      work_steps += event.kind == sim::event_kind::work;
      if (event.kind < sim::event_kind::signal_submitted) continue;
      told.push_back(ran.processes[event.process] + " " + std::string(name_of(event.kind)) + " " +
                     std::to_string(sim::signal_note::of(event.value).signal));
    }
    for (const sim::call_record& call : ran.calls)
      if (call.contender && call.yes) contender_won = call.completed;
    judge judged(judged_by);
    judged.look(world, ran, plan, kind.declared, (property_set{1} << judged_by.size()) - 1);
    for (const auto& one : judged.found())
      if (violated.find(one.property) == std::string::npos)
        violated += (violated.empty() ? "" : " ") + std::string(one.property);
    return *this;
  }
};

using lines = std::vector<std::string>;

TEST(runtime, a_signal_for_a_run_elsewhere_is_offered_queued_and_run_after_it) {
  story told;
  told.signal(0, 0, 150);
  told.signal(1, 50, 10);
  told.run();
  EXPECT_EQ(told.told, (lines{"P1 submitted 1", "P1 begun 1", "P1 run_started 1", "P2 submitted 2",
                              "P2 offered 2", "P1 accepted 2", "P2 handed 2", "P1 run_ended 1",
                              "P1 begun 2", "P1 run_started 2", "P1 run_ended 2"}));
  EXPECT_EQ(told.violated, "");
}

TEST(runtime, a_plain_run_that_is_denied_stops) {
  story told;
  told.signal(0, 0, 150);
  told.signal(1, 50, 10).plain = true;
  told.run();
  EXPECT_EQ(told.told, (lines{"P1 submitted 1", "P1 begun 1", "P1 run_started 1", "P2 submitted 2",
                              "P2 refused 2", "P1 run_ended 1"}));
}

TEST(runtime, or_runs_beside) {
  story told("strict,plain_run_denied=run_beside");
  told.signal(0, 0, 150);
  told.signal(1, 50, 60).plain = true;
  told.run();
  EXPECT_EQ(told.violated, "run.serialized run.covered loss.noticed");
}

// The holder stops for longer than its ttl; another takes the key meanwhile.
TEST(runtime, a_strict_run_stops_where_a_published_one_goes_on) {
  const auto paused = [](const char* client) {
    story told(client);
    told.signal(0, 0, 500);
    told.signal(1, 160, 300);
    told.fault(sim::fault_kind::pause, 0, 30, 200);
    return told.run().violated;
  };
  EXPECT_EQ(paused("strict"), "");
  EXPECT_EQ(paused("strict,local_deadline=none,renew_false=run_on"),
            "run.serialized run.covered loss.noticed");
}

// The record vanishes at 10 ms, the renewal at a third of the ttl is denied, the local deadline is
// at 89 ms; a step is due every 25 ms.
TEST(runtime, a_run_that_runs_on_stops_at_its_local_deadline) {
  const auto evicted = [](const char* client) {
    story told(client);
    told.signal(0, 0, 300);
    told.fault(sim::fault_kind::evict, sim::no_process, 10, 0);
    told.run("redis");
    EXPECT_EQ(told.told, (lines{"P1 submitted 1", "P1 begun 1", "P1 run_started 1",
                                "P1 interrupted 1", "P1 run_ended 1"}));
    return told.work_steps;
  };
  EXPECT_EQ(evicted("strict"), 2);
  EXPECT_EQ(evicted("strict,renew_false=run_on"), 4);
}

TEST(runtime, a_suspended_run_goes_on_elsewhere_under_a_token_of_its_own) {
  story told;
  auto& signal = told.signal(0, 0, 100);
  signal.suspend_at = 50 * ns_per_ms;
  signal.resume_at = 90 * ns_per_ms;
  signal.resume_in = 1;
  told.run();
  EXPECT_EQ(told.told, (lines{"P1 submitted 1", "P1 begun 1", "P1 run_started 1", "P1 run_ended 1",
                              "P2 run_started 1", "P2 run_ended 1"}));
  EXPECT_EQ(told.violated, "");
}

// Its queue is kept, its lease is not: the crashed incarnation's token has to lapse first.
TEST(runtime, a_process_that_comes_back_with_its_state_runs_what_was_queued) {
  story told;
  told.signal(0, 0, 100);
  told.signal(0, 20, 10);
  told.fault(sim::fault_kind::crash, 0, 40, 10).state_lost = false;
  told.run();
  EXPECT_EQ(told.told.back(), "P1 run_ended 2");
  EXPECT_EQ(told.violated, "");
}

// What it has is worked off, and nothing more is taken in.
TEST(runtime, a_process_that_shuts_down_refuses_offers_and_ends_its_runs) {
  story told;
  told.signal(0, 0, 150);
  told.signal(0, 10, 10);
  told.signal(1, 50, 10);
  told.signal(0, 60, 10);
  told.closes(0, 20);
  told.run();
  EXPECT_EQ(told.told,
            (lines{"P1 submitted 1",   "P1 begun 1",       "P1 run_started 1", "P1 submitted 2",
                   "P2 submitted 3",   "P2 offered 3",     "P2 refused 3",     "P1 submitted 4",
                   "P1 refused 4",     "P2 offered 3",     "P2 refused 3",     "P2 offered 3",
                   "P2 refused 3",     "P2 offered 3",     "P2 refused 3",     "P1 run_ended 1",
                   "P1 begun 2",       "P1 run_started 2", "P1 run_ended 2",   "P2 begun 3",
                   "P2 run_started 3", "P2 run_ended 3"}));
  EXPECT_EQ(told.violated, "");
}

// Signal 3 is announced to P1 and has run when P1 crashes. To the next incarnation the broker
// replays the announcement, just as that one has begun with what it had queued.
TEST(runtime, a_replayed_announcement_is_known_by_its_number) {
  const auto late_subscriber = [](const char* client) {
    story told(client);
    told.signal(0, 45, 10);
    told.signal(0, 0, 50);
    told.signal(1, 30, 10);
    told.signal(0, 40, 100);
    told.fault(sim::fault_kind::crash, 0, 80, 220).state_lost = false;
    told.run();
    EXPECT_EQ(told.told.back(),
              client == std::string("strict") ? "P1 run_ended 1" : "P1 run_ended 3");
    return told.violated;
  };
  EXPECT_EQ(late_subscriber("strict"), "");
  EXPECT_EQ(late_subscriber("strict,offer=once"), "signal.once");
}

// Who is refused in its own name hands over to itself, is refused, and asks again.
TEST(runtime, asking_without_end_at_one_instant_ends_the_run) {
  story one;
  one.signal(0, 0, 100);
  one.signal(1, 10, 20);
  one.run(find_mutant("mutant:M11")->variant);
  EXPECT_TRUE(one.cut_short);
  EXPECT_LT(one.steps, 1000U) << "long before the step limit";
  EXPECT_EQ(one.violated, "") << "a run that is cut short has not given its signals their time";
}

TEST(runtime, many_signals_at_one_instant_are_no_livelock) {
  for (const char* client : {"strict", "published"}) {
    for (const char* provider : {"memory", "redis", "redis-three-step", "release-then-acquire"}) {
      story one(client);
      for (int i = 0; i < 100; ++i) one.signal(sim::process_id(i % 2), 0, 0);
      EXPECT_FALSE(one.run(provider).cut_short) << client << ' ' << provider;
    }
  }
}

// The quiet phase begins at 20 ms: one signal runs, one waits its turn, and only then a stranger
// asks.
TEST(runtime, a_contender_asks_when_the_last_run_has_ended) {
  story told;
  told.signal(0, 0, 40);
  told.signal(1, 10, 40);
  told.plan.bounds.safety = 20 * ns_per_ms;
  told.plan.bounds.asking_period = 30 * ns_per_ms;
  told.run();
  EXPECT_EQ(told.told.back(), "P1 run_ended 2");
  EXPECT_EQ(told.contender_won, 80 * ns_per_ms);
  EXPECT_EQ(told.violated, "");
}

// The third work step of P1 is held up until P2 has worked: the run has made it in time, and only a
// fence keeps its effect out. So the strict client has done nothing wrong, and a drawn world asks
// only what it sent: run.serialized, which holds.
TEST(runtime, late_work_lands_on_a_remote_resource_unless_it_is_fenced) {
  const auto landed_late = [](const char* provider, sim::resource_kind resource,
                              const char* drawn_profile = "") {
    story told;
    told.plan.profile = drawn_profile;
    told.judged_by.emplace_back("single_owner.effect");
    told.plan.resource = resource;
    told.signal(0, 0, 50);
    told.signal(1, 100, 50);
    auto& hold = told.fault(sim::fault_kind::hold, sim::no_process, 0, 0);
    hold.call = sim::runtime_subject(1, unsigned(sim::errand::work), 3);
    hold.until = 300 * ns_per_ms;
    return told.run(provider).violated;
  };
  EXPECT_EQ(landed_late("redis", sim::resource_kind::local), "");
  EXPECT_EQ(landed_late("redis", sim::resource_kind::remote), "single_owner.effect");
  EXPECT_EQ(landed_late("redis", sim::resource_kind::remote, "lossy"), "");
  EXPECT_EQ(landed_late("redis-fenced", sim::resource_kind::fenced), "");
}

TEST(runtime, behind_a_decorator_the_outermost_look_finds_nothing) {
  const auto two_runs = [](const char* client) {
    story told(client);
    told.plan.decorators = 1;
    told.signal(0, 0, 100);
    told.signal(1, 50, 100);
    return told.run("redis").violated;
  };
  EXPECT_EQ(two_runs("strict"), "");
  EXPECT_EQ(two_runs("strict,detection=outermost"), "run.serialized");
}

}  // namespace
}  // namespace leaselab::properties
