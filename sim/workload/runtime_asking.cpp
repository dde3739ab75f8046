// From a queued signal to its run: asking for the key, being denied, offering, waiting, and handing
// the lease over to the next run.
#include <utility>

#include "sim/core.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::sim {

const signals_runtime::queued& signals_runtime::wanted(const seat& at) const {
  return at.plain ? *at.plain : at.queue.front();
}

void signals_runtime::attend(seat& at) {
  if (at.now == phase::idle && !at.queue.empty()) ask(at);
}

void signals_runtime::ask(seat& at) {
  at.now = phase::asking;
  at.token = fresh_token(at, wanted(at));
  at.awaited = call(at.process, wanted(at).signal, verb::acquire, at.token);
}

void signals_runtime::asked(seat& at, const call_record& call) {
  at.now = phase::idle;
  if (call.ended != outcome::ok) {
    const bool open = world_plan().client.acquire_error == acquire_error_policy::fail_open;
    if (open) return begin_run(at, false);
    return rest(at);
  }
  if (!call.yes) return denied(at, call.named);
  if (holds(process_of(at), at.key, at.token)) return begin_run(at, true);
  // The answer came after its own deadline. The lease may be there, but nobody can count on it.
  rest(at);
}

void signals_runtime::denied(seat& at, owner_id named) {
  if (at.plain) return deny_plain(at, *std::exchange(at.plain, std::nullopt));
  const client_policy& client = world_plan().client;
  if (named == nobody) {
    if (client.nobody_named == nobody_named_policy::retry) return rest(at);
    return drop_front(at);
  }
  const auto holder = holder_of(named);
  const bool own =
      holder && holder->process == at.process && holder->incarnation == process_of(at).incarnation;
  if (own && client.own_token_named == own_token_policy::transfer) return hand_over(at, named);
  // Only signals can be offered: a run that has begun waits for the key itself.
  if (!holder || wanted(at).resumed) return wait(at);
  offer(at, named);
}

// It ends as refused, or runs all the same.
void signals_runtime::deny_plain(seat& at, queued denied_run) {
  if (world_plan().client.plain_run_denied == plain_denied_policy::run_beside) {
    start_beside(at, denied_run);
  } else {
    note(event_kind::signal_refused, process_of(at), denied_run.signal);
  }
  attend(at);
}

void signals_runtime::offer(seat& at, owner_id named) {
  const signal_index signal = wanted(at).signal;
  at.queue.erase(at.queue.begin());
  const holder to = *holder_of(named);
  world_.published.send(process_of(at), signal, named, to);
  if (to.process != at.process) return attend(at);
  // To oneself: whoever asked again at once would be denied, and offer, without end.
  at.now = phase::resting;
  set_timer(at.process, signal, errand::rest, world_.reading(process_of(at)) + period());
}

// Reported as delivered.
void signals_runtime::drop_front(seat& at) {
  note(event_kind::signal_handed, process_of(at), wanted(at).signal);
  at.queue.erase(at.queue.begin());
  attend(at);
}

void signals_runtime::rest(seat& at) {
  if (at.plain) return deny_plain(at, *std::exchange(at.plain, std::nullopt));
  if (at.queue.empty()) return;
  at.now = phase::resting;
  set_timer(at.process, wanted(at).signal, errand::rest, world_.reading(process_of(at)) + period());
}

void signals_runtime::wait(seat& at) {
  at.now = phase::waiting;
  set_timer(at.process, wanted(at).signal, errand::poll,
            world_.reading(process_of(at)) + world_plan().ttl_ms * ns_per_ms);
}

void signals_runtime::polled(seat& at, const call_record& call) {
  const client_policy& client = world_plan().client;
  const bool failed = call.ended != outcome::ok;
  if (failed && client.waiter_error == waiter_error_policy::unknown) return wait(at);
  const auto holder = holder_of(call.named);
  const bool own =
      holder && holder->process == at.process && holder->incarnation == process_of(at).incarnation;
  if (!failed && call.named != nobody && !own) return wait(at);
  at.now = phase::idle;
  if (client.dead_means == dead_means_policy::acquire) return attend(at);
  at.token = fresh_token(at, wanted(at));
  begin_run(at, false);
}

// ---- handing over: to the next run of this process, with no gap between

void signals_runtime::hand_over(seat& at, owner_id from) {
  at.now = phase::handing;
  at.token = fresh_token(at, wanted(at));
  at.awaited = call(at.process, wanted(at).signal, verb::transfer, from, at.token);
}

void signals_runtime::handed_over(seat& at, const call_record& call) {
  at.now = phase::idle;
  if (at.queue.empty()) return;
  if (call.ended == outcome::ok) {
    if (!call.yes) return ask(at);
    if (holds(process_of(at), at.key, at.token)) return begin_run(at, true);
    return rest(at);
  }
  if (world_plan().client.drain_error == drain_error_policy::drop) return drop_front(at);
  ask(at);
}

}  // namespace leaselab::sim
