// Each property once violated and once not, on records written by hand.
#include "properties/runs.hpp"

#include <gtest/gtest.h>

#include "properties/testing/run_builder.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;

// Signals 1 and 2 for the key K.
struct runtime_run : run_builder {
  runtime_run() {
    plan.workload = sim::workload_kind::runtime;
    for (std::uint32_t id : {1, 2}) {
      auto& signal = plan.signals.emplace_back();
      signal.id = id;
    }
  }
  runtime_run& works(double at, std::uint32_t signal, sim::owner_id token) {
    work(at, token);
    record.events.back().value = signal;
    return *this;
  }
  runtime_run& notes(double at, event_kind kind, std::uint32_t signal, std::uint32_t offer = 0,
                     sim::process_id to = P1, std::uint8_t to_incarnation = 0) {
    sim::event& event = add(at, kind);
    event.value = sim::signal_note{signal, offer, to_incarnation}.packed();
    event.store = to;
    return *this;
  }
  runtime_run& strikes(double at, const sim::fault_spec& fault) {
    plan.faults.push_back(fault);
    add(at, event_kind::fault).value = std::int64_t(plan.faults.size() - 1);
    return *this;
  }
  runtime_run& in(sim::process_id process, std::uint8_t incarnation = 0) {
    as(process, incarnation);
    return *this;
  }
};

TEST(run_serialized, a_step_of_another_incarnation_inside_a_span) {
  runtime_run run;
  run.in(P1).works(0, 1, A).works(20, 1, A);
  run.in(P2).works(30, 2, B);
  run.in(P1).works(40, 1, A).end(50);
  EXPECT_EQ(run.judge(make_run_serialized()), verdict::violated);
}

TEST(run_serialized, one_after_the_other_and_side_by_side_in_one_incarnation) {
  runtime_run run;
  run.in(P1).works(0, 1, A).works(20, 1, A);
  run.in(P2).works(30, 2, B).works(40, 2, B).end(50);
  EXPECT_EQ(run.judge(make_run_serialized()), verdict::holds);
  runtime_run beside;
  beside.in(P1).works(0, 1, A).works(10, 2, B).works(20, 1, A).end(50);
  EXPECT_EQ(beside.judge(make_run_serialized()), verdict::holds);
}

// What lands late was made in time.
TEST(run_serialized, counts_work_for_a_remote_resource_when_it_is_sent) {
  const auto with = [](double sent_last) {
    runtime_run run;
    run.plan.resource = sim::resource_kind::remote;
    const auto sends = [&](double at, std::uint32_t signal, sim::owner_id token) {
      run.works(at, signal, token);
      run.record.events.back().kind = event_kind::work_sent;
    };
    run.in(P1);
    sends(0, 1, A);
    sends(std::min(sent_last, 20.0), 1, A);
    run.in(P2);
    sends(30, 2, B);
    run.in(P1);
    if (sent_last > 30) sends(sent_last, 1, A);
    run.works(50, 1, A).end(60);
    return run.judge(make_run_serialized());
  };
  EXPECT_EQ(with(20), verdict::holds);
  EXPECT_EQ(with(40), verdict::violated);
}

TEST(run_covered, a_step_after_the_deadline) {
  runtime_run run;
  run.in(P1).acquires(0, A);
  run.works(10, 1, A).works(105, 1, A).end(110);
  EXPECT_EQ(run.judge(make_run_covered()), verdict::violated);
  EXPECT_EQ(run.found.front().size_ns, ms(4));  // dead after 100: from 101 on
}

TEST(run_covered, a_gap_between_two_steps_that_are_both_covered) {
  runtime_run run;
  run.in(P1).acquires(0, A);
  run.works(10, 1, A).releases(20, A);
  run.acquires(30, A);
  run.works(40, 1, A).end(50);
  EXPECT_EQ(run.judge(make_run_covered()), verdict::violated);
}

TEST(run_covered, renewed_in_time) {
  runtime_run run;
  run.in(P1).acquires(0, A);
  run.works(10, 1, A).renews(60, A);
  run.works(150, 1, A).releases(155, A);
  run.end(200);
  EXPECT_EQ(run.judge(make_run_covered()), verdict::holds);
}

TEST(loss_noticed, by_the_clients_own_bound) {
  const auto late_by = [](double late, auto change) {
    runtime_run run;
    change(run.plan);
    run.in(P1).acquires(0, A);
    run.works(10, 1, A).works(101 + late, 1, A).end(500);
    return run.judge(make_loss_noticed());
  };
  const auto strict = [](sim::plan&) {};
  const auto published = [](sim::plan& plan) { plan.client = sim::preset("published"); };
  EXPECT_EQ(late_by(1, strict), verdict::violated);
  EXPECT_EQ(late_by(100, published), verdict::holds);
  EXPECT_EQ(late_by(101, published), verdict::violated);
}

TEST(signal_once, begun_twice) {
  runtime_run run;
  run.in(P1).notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_begun, 1);
  run.in(P2).notes(2, event_kind::signal_begun, 1).end(10);
  EXPECT_EQ(run.judge(make_signal_once()), verdict::violated);
}

TEST(signal_once, never_begun) {
  runtime_run run;
  run.in(P1).notes(0, event_kind::signal_submitted, 1).end(10);
  EXPECT_EQ(run.judge(make_signal_once()), verdict::violated);
  runtime_run handed;
  handed.in(P1).notes(0, event_kind::signal_submitted, 1);
  handed.notes(1, event_kind::signal_offered, 1, 1, P2).notes(2, event_kind::signal_handed, 1, 1);
  handed.end(10);
  EXPECT_EQ(handed.judge(make_signal_once()), verdict::violated);
}

// A signal that nobody begins, where a call may take `limit` ms.
verdict never_begun_within(double limit, runtime_run& run) {
  run.plan.bounds.delay_max = 10 * sim::ns_per_ms;
  run.plan.bounds.call_limit = static_cast<sim::true_duration>(limit * sim::ns_per_ms);
  run.in(P1).notes(0, event_kind::signal_submitted, 1).end(10);
  return run.judge(make_signal_once());
}

// Where a call may reach its limit before its trips are made, a lawful provider answers unknown
// each time, and a signal waits for ever with nobody to blame: a transfer by release, then acquire
// takes two trips of two legs, of D = 10 ms at the most each.
TEST(signal_once, never_begun_where_no_call_need_ever_end) {
  const auto never_begun = [](double limit, bool atomic) {
    runtime_run run;
    run.declared.atomic_handoff = atomic;
    return never_begun_within(limit, run);
  };
  EXPECT_EQ(never_begun(20, true), verdict::holds);
  EXPECT_EQ(never_begun(20.001, true), verdict::violated);
  EXPECT_EQ(never_begun(40, false), verdict::holds);
  EXPECT_EQ(never_begun(40.001, false), verdict::violated);
}

// In one line the call of a signal may stand behind a lease and a renewal for each of the two: a
// server that answers in order, each trip in 20 ms, then answers the last of them that much later,
// and the client has given it up without anybody being at fault.
TEST(signal_once, never_begun_where_a_call_waits_in_line) {
  const auto never_begun = [](double limit, bool one_line) {
    runtime_run run;
    run.declared.one_line = one_line;
    return never_begun_within(limit, run);
  };
  EXPECT_EQ(never_begun(80, true), verdict::holds);
  EXPECT_EQ(never_begun(80.001, true), verdict::violated);
  EXPECT_EQ(never_begun(80, false), verdict::violated);
}

TEST(signal_once, begun_refused_or_lost_with_its_incarnation) {
  runtime_run run;
  run.in(P1).notes(0, event_kind::signal_submitted, 1).notes(1, event_kind::signal_begun, 1);
  run.notes(2, event_kind::signal_submitted, 2).notes(3, event_kind::signal_refused, 2).end(10);
  EXPECT_EQ(run.judge(make_signal_once()), verdict::holds);
  runtime_run lost;
  lost.in(P1).notes(0, event_kind::signal_submitted, 1).crash(1).end(10);
  EXPECT_EQ(lost.judge(make_signal_once()), verdict::holds);
}

// Dropped where nobody else has it: no end of the world, and no quiet phase, has to be waited for.
TEST(signal_once, dropped_in_a_world_that_is_cut_short) {
  const auto dropped = [](bool accepted_elsewhere) {
    runtime_run run;
    run.plan.bounds.safety = 1;
    run.in(P1).notes(0, event_kind::signal_submitted, 1);
    if (accepted_elsewhere) run.in(P2).notes(1, event_kind::signal_accepted, 1, 1);
    run.in(P1).notes(2, event_kind::signal_handed, 1).end(10);
    return run.judge(make_signal_once());
  };
  EXPECT_EQ(dropped(false), verdict::violated);
  EXPECT_EQ(dropped(true), verdict::holds);
}

// A refused offer brings the signal back: that is not its end.
TEST(signal_once, refused_offers_end_nothing) {
  runtime_run run;
  run.in(P1).notes(0, event_kind::signal_submitted, 1);
  run.notes(1, event_kind::signal_offered, 1, 1, P2).notes(2, event_kind::signal_refused, 1, 1);
  run.end(10);
  EXPECT_EQ(run.judge(make_signal_once()), verdict::violated);
}

TEST(signal_once, unknown_needs_a_reason) {
  const auto given_up = [](auto between) {
    runtime_run run;
    run.in(P1).notes(0, event_kind::signal_submitted, 1);
    run.notes(1, event_kind::signal_offered, 1, 1, P2);
    between(run);
    run.in(P1).notes(300, event_kind::signal_unknown, 1, 1).end(400);
    return run.judge(make_signal_once());
  };
  EXPECT_EQ(given_up([](runtime_run&) {}), verdict::violated);
  EXPECT_EQ(given_up([](runtime_run& run) { run.in(P2).crash(10); }), verdict::holds);
  EXPECT_EQ(given_up([](runtime_run& run) { run.in(P3).crash(10); }), verdict::violated);
  EXPECT_EQ(given_up([](runtime_run& run) { run.in(P2).add(10, event_kind::pause); }),
            verdict::holds);
  sim::fault_spec drop;
  drop.kind = sim::fault_kind::drop;
  drop.call = sim::runtime_subject(1, 14, 1);
  EXPECT_EQ(given_up([&](runtime_run& run) { run.strikes(10, drop); }), verdict::holds);
  drop.call = sim::runtime_subject(2, 14, 1);
  EXPECT_EQ(given_up([&](runtime_run& run) { run.strikes(10, drop); }), verdict::violated);
}

TEST(runs, nothing_to_say_without_signals) {
  run_builder run;
  run.as(P1).acquires(0, A);
  run.work(10, A).end(20);
  EXPECT_EQ(run.judge(make_run_serialized()), verdict::not_applicable);
  EXPECT_EQ(run.judge(make_run_covered()), verdict::not_applicable);
  EXPECT_EQ(run.judge(make_signal_once()), verdict::not_applicable);
  EXPECT_EQ(run.judge(make_loss_noticed()), verdict::not_applicable);
}

}  // namespace
}  // namespace leaselab::properties
