// From a signal's arrival to its run: asking, being denied, offering, waiting, handing over.
// What happens while a run works is in runtime_runs.cpp.
#include "sim/workload/runtime.hpp"

#include <algorithm>
#include <utility>

#include "sim/core.hpp"

namespace leaselab::sim {

void signals_runtime::begin() {
  const plan& value = *world_.plan;
  seats_.clear();
  for (std::size_t p = 0; p < value.processes.size(); ++p)
    for (std::size_t k = 0; k < value.keys.size(); ++k)
      seats_.push_back({static_cast<process_id>(p), static_cast<key_id>(k), phase::idle, {}, {}});
  runs_.clear();
  releases_.clear();
  suspended_.clear();
  holders_.clear();
  resume_due_.assign(value.signals.size(), false);
  counters_.assign(value.signals.size(), {});
  tokens_.assign(value.processes.size(), 0);
  for (signal_index i = 0; i < value.signals.size(); ++i) {
    const signal_spec& signal = value.signals[i];
    pending event;
    event.event = {event_label::signal, signal.process, 0, 0, runtime_subject(signal.id, 15, 0)};
    event.index = i;
    event.earliest = signal.at;
    event.latest = signal.at + value.bounds.lateness;
    event.addressee = signal.process;
    event.rank = 1000 + signal.id;
    world_.post(event);
    if (!signal.suspend_at) continue;
    event.event.process = event.addressee = signal.resume_in;
    event.event.trip = 1;
    event.earliest = signal.resume_at;
    event.latest = signal.resume_at + value.bounds.lateness;
    world_.post(event);
  }
}

const plan& signals_runtime::world_plan() const { return *world_.plan; }

std::int64_t signals_runtime::period() const { return world_plan().ttl_ms * ns_per_ms * 3 / 10; }

signals_runtime::seat& signals_runtime::seat_of(process_id process, key_id key) {
  return seats_[process * world_plan().keys.size() + key];
}
signals_runtime::seat& signals_runtime::seat_of(process_id process, signal_index signal) {
  return seat_of(process, spec(signal).key);
}
process_slot& signals_runtime::process_of(const seat& at) { return *world_.processes[at.process]; }

label signals_runtime::name(event_label what, process_id process, signal_index signal,
                            unsigned kind) {
  const std::uint16_t nth = ++counters_[signal][kind];
  return {what, process, 0, nth, runtime_subject(spec(signal).id, kind, nth)};
}

event& signals_runtime::note(event_kind what, process_slot& process, signal_index signal,
                             std::uint32_t offer, owner_id token) {
  event& noted = world_.note(what, &process);
  noted.key = spec(signal).key;
  noted.owner = token;
  noted.value = signal_note{spec(signal).id, offer, 0}.packed();
  return noted;
}

std::optional<signals_runtime::holder> signals_runtime::holder_of(owner_id token) const {
  if (token >= holders_.size() || holders_[token].process == no_process) return std::nullopt;
  return holders_[token];
}

// A new name for each request: a late release, renewal or acquire of an earlier lease of this
// incarnation then finds nothing of its own to end or to prolong.
owner_id signals_runtime::fresh_token(seat& at, const queued& for_what) {
  const process_slot& process = process_of(at);
  std::string text;
  if (for_what.token != nobody) {
    text = world_.record.run.owners[for_what.token];
  } else if (world_plan().client.token == token_policy::run_id) {
    text = "run-" + std::to_string(spec(for_what.signal).id);
  } else {
    text = world_plan().processes[at.process].name + "#" + std::to_string(process.incarnation) +
           "." + std::to_string(++tokens_[at.process]);
  }
  const owner_id token = world_.record.owner(text);
  if (token >= holders_.size()) holders_.resize(token + 1U);
  holders_[token] = {at.process, process.incarnation};
  return token;
}

call_index signals_runtime::call(process_id process, signal_index signal, verb what, owner_id owner,
                                 owner_id to) {
  const plan& value = world_plan();
  const label own = name(event_label::start, process, signal, unsigned(what));
  runtime_call wanted;
  wanted.subject = own.subject;
  wanted.repetition = own.repetition;
  wanted.what = what;
  wanted.process = process;
  wanted.key = spec(signal).key;
  wanted.owner = owner;
  wanted.to = to;
  wanted.ttl_ms = value.ttl_ms;
  wanted.limit = value.bounds.call_limit;
  if (what == verb::renew) wanted.limit = std::min(wanted.limit, value.ttl_ms * ns_per_ms / 3);
  return world_.workload.make(wanted);
}

// ---- events

void signals_runtime::arrive(const pending& event) {
  if (event.event.trip == 1) return resume(event.index);
  process_slot& process = *world_.processes[event.event.process];
  if (process.up && !world_.quiet) submit(process, event.index);
}

void signals_runtime::submit(process_slot& process, signal_index signal) {
  note(event_kind::signal_submitted, process, signal);
  seat& at = seat_of(process.id, signal);
  if (spec(signal).plain) return submit_plain(at, signal);
  at.queue.push_back({signal});
  attend(at);
}

// A runtime asks for a key once at a time, or two answers could make it run twice.
void signals_runtime::submit_plain(seat& at, signal_index signal) {
  const bool busy = at.now == phase::running || at.now == phase::asking ||
                    at.now == phase::handing || at.now == phase::releasing;
  if (busy) return deny_plain(at, {signal});
  at.plain = queued{signal};
  drop_timers(at);
  at.awaited = no_call;  // a waiter's look is of no more use
  at.now = phase::idle;
  ask(at);
}

bool signals_runtime::accept(process_slot& process, signal_index signal, std::uint32_t offer) {
  seat& at = seat_of(process.id, signal);
  // Where offers are not acknowledged, a run takes what is published while it works; there is
  // nobody else to hear it.
  const bool runs = at.now == phase::running || at.now == phase::handing;
  if (world_plan().client.offer == offer_policy::once && !runs) return false;
  note(event_kind::signal_accepted, process, signal, offer);
  at.queue.push_back({signal});
  attend(at);
  return true;
}

void signals_runtime::returned(process_slot& process, signal_index signal) {
  seat& at = seat_of(process.id, signal);
  at.queue.insert(at.queue.begin(), {signal});
  if (at.now == phase::idle) rest(at);
}

void signals_runtime::set_timer(process_id process, signal_index signal, errand what,
                                std::int64_t due) {
  const label timer = name(event_label::timer, process, signal, unsigned(what));
  world_.post_timer(*world_.processes[process], timer, signal, due).rank = 1000 + spec(signal).id;
}

// The timers of a seat that rests or waits.
void signals_runtime::drop_timers(const seat& at) {
  world_.events.remove_if([&](const pending& event) {
    if (event.event.what != event_label::timer || event.event.process != at.process) return false;
    const unsigned kind = kind_of_subject(event.event.subject);
    const bool of_seat = kind == unsigned(errand::rest) || kind == unsigned(errand::poll);
    return of_seat && spec(event.index).key == at.key;
  });
}

void signals_runtime::wake(const pending& event) {
  const process_id process = event.event.process;
  const signal_index signal = event.index;
  seat& at = seat_of(process, signal);
  switch (static_cast<errand>(kind_of_subject(event.event.subject))) {
    case errand::work:
      return work_on(process, signal);
    case errand::renew:
      if (run* working = find_run(process, signal)) renew(*working);
      return;
    case errand::rest:
      if (at.now != phase::resting) return;
      at.now = phase::idle;
      return attend(at);
    case errand::poll:
      if (at.now == phase::waiting && !at.queue.empty())
        at.awaited = call(process, wanted(at).signal, verb::get, nobody);
      return;
    case errand::repeat:
      return world_.published.repeat(process, signal);
    case errand::release:
      for (sent_release& sent : releases_)
        if (sent.process == process && sent.signal == signal && sent.call == no_call)
          sent.call = call(process, signal, verb::release, sent.token);
      return;
    default:
      for (const suspended_run& one : suspended_)
        if (one.origin == process && one.what.signal == signal)
          return release(at, signal, one.token);
  }
}

void signals_runtime::ended(call_index index) {
  const call_record ended_call = world_.record.run.calls[index];
  const process_slot& process = *world_.processes[ended_call.process];
  if (!process.up || process.incarnation != ended_call.incarnation) return;
  for (run& one : runs_)
    if (one.renewal == index) return renewed(one, ended_call);
  for (sent_release& sent : releases_)
    if (sent.call == index) return released(sent, ended_call);
  seat& at = seat_of(ended_call.process, ended_call.key);
  if (at.awaited != index) return;
  at.awaited = no_call;
  switch (at.now) {
    case phase::asking:
      return asked(at, ended_call);
    case phase::waiting:
      return polled(at, ended_call);
    case phase::handing:
      return handed_over(at, ended_call);
    default:
      at.now = phase::idle;  // a release that was awaited, whatever came of it
      return attend(at);
  }
}

// ---- asking

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

// ---- lives

void signals_runtime::crashed(process_slot& process, bool kept) {
  for (seat& at : seats_) {
    if (at.process != process.id) continue;
    at.now = phase::idle;
    at.token = nobody;
    at.awaited = no_call;
    if (kept) continue;
    at.queue.clear();
    at.plain.reset();
  }
  std::erase_if(runs_, [&](const run& one) { return one.process == process.id; });
  std::erase_if(releases_, [&](const sent_release& one) { return one.process == process.id; });
  world_.published.crashed(process.id, kept);
}

// A plain run that was only asked for is not asked for again.
void signals_runtime::restarted(process_slot& process) {
  for (seat& at : seats_) {
    if (at.process != process.id) continue;
    if (at.plain) note(event_kind::signal_refused, process, at.plain->signal);
    at.plain.reset();
    attend(at);
  }
  world_.published.restarted(process);
}

void signals_runtime::go_quiet() {
  world_.events.remove_if(
      [](const pending& event) { return event.event.what == event_label::signal; });
  const true_duration ttl = world_plan().ttl_ms * ns_per_ms;
  for (run& one : runs_) one.length = std::min(one.length, one.worked + ttl);
  for (seat& at : seats_)
    for (queued& one : at.queue) one.left = std::min(one.left, ttl);
}

bool signals_runtime::drained() const {
  if (!runs_.empty() || world_.published.any_open()) return false;
  return std::none_of(seats_.begin(), seats_.end(),
                      [](const seat& at) { return !at.queue.empty() || at.plain.has_value(); });
}

}  // namespace leaselab::sim
