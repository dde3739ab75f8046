// A run of the signals runtime: its work steps, its renewals, and how it gives its lease up.
#include <algorithm>

#include "sim/core.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::sim {

signals_runtime::run* signals_runtime::find_run(process_id process, signal_index signal) {
  for (run& one : runs_)
    if (one.process == process && one.what.signal == signal) return &one;
  return nullptr;
}

bool signals_runtime::holds(process_slot& process, key_id key, owner_id token) {
  return world_plan().client.local_deadline == local_deadline_policy::none ||
         world_.clients.holds(process, key, token);
}

void signals_runtime::begin_run(seat& at, bool leased) {
  run starting;
  starting.what = wanted(at);
  starting.process = at.process;
  starting.token = at.token;
  starting.leased = leased;
  if (at.plain) {
    at.plain.reset();
  } else {
    at.queue.erase(at.queue.begin());
  }
  at.now = phase::running;
  start(starting);
}

// It holds nothing, renews nothing and releases nothing.
void signals_runtime::start_beside(seat& at, const queued& what) {
  run starting;
  starting.what = what;
  starting.process = at.process;
  starting.token = fresh_token(at, what);
  starting.leased = false;
  starting.beside = true;
  start(starting);
}

void signals_runtime::start(run starting) {
  process_slot& process = *world_.processes[starting.process];
  const signal_index signal = starting.what.signal;
  const true_duration ttl = world_plan().ttl_ms * ns_per_ms;
  starting.length = starting.what.resumed ? starting.what.left : spec(signal).run;
  if (world_.quiet) starting.length = std::min(starting.length, ttl);
  starting.pace = std::max<true_duration>(std::min(starting.length, ttl) / 4, 1);
  if (!starting.what.resumed) note(event_kind::signal_begun, process, signal, 0, starting.token);
  note(event_kind::run_started, process, signal, 0, starting.token);
  runs_.push_back(starting);
  if (!starting.beside) {
    std::int64_t asked = world_.reading(process);
    if (const held_token* held = process.find(spec(signal).key, starting.token))
      if (held->asked > 0) asked = held->asked;
    set_renewal(runs_.back(), asked + ttl / 3);
  }
  work(runs_.back());
}

bool signals_runtime::may_work(run& working) {
  if (!working.leased) return true;
  process_slot& process = *world_.processes[working.process];
  const key_id key = spec(working.what.signal).key;
  if (holds(process, key, working.token)) return true;
  // In spite of a denial, but no longer than its own deadline.
  const held_token* held = process.find(key, working.token);
  return world_plan().client.renew_false == renew_false_policy::run_on && held &&
         world_.reading(process) < held->deadline;
}

void signals_runtime::work_on(process_id process, signal_index signal) {
  run* working = find_run(process, signal);
  if (!working) return;
  if (working->leaving) {
    work(*working);
    note(event_kind::run_ended, *world_.processes[process], signal, 0, working->token);
    return erase_run(process, signal);
  }
  if (!may_work(*working)) return interrupt(process, signal);
  working->worked += working->pace;
  const auto& suspends = spec(signal).suspend_at;
  const bool suspended = suspends && !working->what.resumed && working->worked >= *suspends;
  work(*working);
  if (suspended || working->worked >= working->length) finish(process, signal, suspended);
}

// The clock is compared and the step made at one true instant: nothing fits between.
void signals_runtime::work(run& working) {
  process_slot& process = *world_.processes[working.process];
  const signal_index signal = working.what.signal;
  const key_id key = spec(signal).key;
  const held_token* held = process.find(key, working.token);
  resource::work_step step;
  step.process = working.process;
  step.incarnation = process.incarnation;
  step.key = key;
  step.owner = working.token;
  step.fence = held ? held->fence : 0;
  step.span = spec(signal).id;
  const bool last = working.leaving || working.worked >= working.length;
  const label own = name(event_label::landing, working.process, signal, unsigned(errand::work));
  world_.work.perform(step, own, 1000 + spec(signal).id);
  if (!last || working.worked == 0)
    set_timer(working.process, signal, errand::work, world_.reading(process) + working.pace);
}

void signals_runtime::erase_run(process_id process, signal_index signal) {
  std::erase_if(
      runs_, [&](const run& one) { return one.process == process && one.what.signal == signal; });
  drop_timers(process, signal, errand::work);
  end_renewals(process, signal);
}

void signals_runtime::drop_timers(process_id process, signal_index signal, errand what) {
  world_.events.remove_if([&](const pending& event) {
    return event.event.what == event_label::timer && event.event.process == process &&
           event.index == signal && kind_of_subject(event.event.subject) == unsigned(what);
  });
}

// Work ends first, then the lease is given up; or, by policy, one step comes after.
void signals_runtime::finish(process_id process, signal_index signal, bool suspended) {
  run& working = *find_run(process, signal);
  const run over = working;
  seat& at = seat_of(process, signal);
  if (suspended) suspend(working);
  const bool stops_first = world_plan().client.stop_before_release == stop_first_policy::yes;
  if (stops_first || suspended || over.beside) {
    note(event_kind::run_ended, *world_.processes[process], signal, 0, over.token);
    erase_run(process, signal);
  } else {
    working.leaving = true;
    set_timer(process, signal, errand::work,
              world_.reading(*world_.processes[process]) + working.pace);
  }
  if (over.beside) return;
  at.now = phase::idle;
  const bool keeps = suspended && world_plan().client.suspend == suspend_policy::keep;
  keeps ? attend(at) : leave(at, over);
}

void signals_runtime::leave(seat& at, const run& over) {
  // Past its deadline the token is nobody's business any more: it lapses, or whoever is denied by
  // it hands it on.
  if (over.leased && !holds(process_of(at), at.key, over.token)) return attend(at);
  if (over.leased && !at.queue.empty()) return hand_over(at, over.token);
  release(at, over.what.signal, over.token);
  attend(at);
}

// It stops in the middle. Its signal has begun and never begins again.
void signals_runtime::interrupt(process_id process, signal_index signal) {
  const run over = *find_run(process, signal);
  note(event_kind::signal_interrupted, *world_.processes[process], signal, 0, over.token);
  note(event_kind::run_ended, *world_.processes[process], signal, 0, over.token);
  erase_run(process, signal);
  if (over.beside) return;
  seat& at = seat_of(process, signal);
  if (at.now != phase::running) return;
  at.now = phase::idle;
  attend(at);
}

// ---- renewals

void signals_runtime::set_renewal(run& working, std::int64_t due) {
  const std::int64_t now = world_.reading(*world_.processes[working.process]);
  set_timer(working.process, working.what.signal, errand::renew, std::max(now, due));
}

void signals_runtime::end_renewals(process_id process, signal_index signal) {
  drop_timers(process, signal, errand::renew);
}

void signals_runtime::renewal_due(process_id process, signal_index signal) {
  if (run* working = find_run(process, signal)) renew(*working);
}

void signals_runtime::renew(run& working) {
  if (working.leaving || working.beside) return;
  const call_index made = call(working.process, working.what.signal, verb::renew, working.token);
  working.renewal = made;
}

void signals_runtime::renewed(run& working, const call_record& call) {
  const process_id process = working.process;
  const signal_index signal = working.what.signal;
  const true_duration every = world_plan().ttl_ms * ns_per_ms / 3;
  const std::int64_t sent = world_.workload.invoked_reading(working.renewal);
  working.renewal = no_call;
  if (working.leaving) return;
  const client_policy& client = world_plan().client;
  if (call.ended != outcome::ok) {
    if (client.renew_error == renew_error_policy::stop) return interrupt(process, signal);
    // At once after a renewal that took its whole limit.
    const bool at_once = client.renew_error == renew_error_policy::until_deadline;
    return set_renewal(working,
                       at_once ? sent + every : world_.reading(*world_.processes[process]) + every);
  }
  if (!call.yes && client.renew_false == renew_false_policy::stop)
    return interrupt(process, signal);
  set_renewal(working, sent + every);
}

// ---- releases

void signals_runtime::release(seat& at, signal_index signal, owner_id token) {
  const release_policy policy = world_plan().client.release;
  const call_index sent = call(at.process, signal, verb::release, token);
  if (policy == release_policy::repeat) releases_.push_back({at.process, signal, token, sent});
  if (policy != release_policy::await_once || at.now != phase::idle) return;
  at.now = phase::releasing;
  at.awaited = sent;
}

// Until it is answered or the lease has lapsed by itself.
void signals_runtime::released(sent_release& sent, const call_record& call) {
  process_slot& process = *world_.processes[sent.process];
  const held_token* held = process.find(call.key, sent.token);
  const std::int64_t next = world_.reading(process) + period();
  if (call.ended != outcome::ok && held && next < held->deadline) {
    sent.call = no_call;
    return set_timer(sent.process, sent.signal, errand::release, next);
  }
  const call_index over = sent.call;
  std::erase_if(releases_, [&](const sent_release& one) { return one.call == over; });
}

// ---- suspended runs

// What is left is stored where any process can find it.
void signals_runtime::suspend(run& over) {
  suspended_run stored;
  stored.what = over.what;
  stored.what.resumed = true;
  stored.what.left = std::max<true_duration>(over.length - over.worked, 1);
  stored.origin = over.process;
  stored.token = over.token;
  if (world_plan().client.suspend == suspend_policy::keep) {
    stored.what.token = over.token;
    set_timer(over.process, over.what.signal, errand::clean_up,
              world_.reading(*world_.processes[over.process]) + world_plan().ttl_ms * ns_per_ms);
  }
  suspended_.push_back(stored);
  if (resume_due_[over.what.signal]) resume(over.what.signal);
}

void signals_runtime::resume(signal_index signal) {
  resume_due_[signal] = true;
  process_slot& process = *world_.processes[spec(signal).resume_in];
  for (suspended_run& stored : suspended_) {
    if (stored.what.signal != signal || stored.resumed) continue;
    stored.resumed = true;
    // Nobody takes it up: its signal has begun, and that was that.
    if (!process.up || process.closing) return;
    seat& at = seat_of(process.id, signal);
    at.queue.push_back(stored.what);
    return attend(at);
  }
}

}  // namespace leaselab::sim
