// The parts that all of a runtime shares: its seats, names and tokens, and where each event goes.
// Asking is in runtime_asking.cpp, a run's work in runtime_runs.cpp, crashes in runtime_lives.cpp.
#include "sim/workload/runtime.hpp"

#include <algorithm>

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
process_slot& signals_runtime::process_of(const seat& at) const {
  return *world_.processes[at.process];
}

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
  const std::string text = for_what.token != nobody ? world_.record.run.owners[for_what.token]
                                                    : token_text(at, for_what);
  const owner_id token = world_.record.owner(text);
  if (token >= holders_.size()) holders_.resize(token + 1U);
  holders_[token] = {at.process, process_of(at).incarnation};
  return token;
}

std::string signals_runtime::token_text(const seat& at, const queued& for_what) {
  if (world_plan().client.token == token_policy::run_id)
    return "run-" + std::to_string(spec(for_what.signal).id);
  return world_plan().processes[at.process].name + "#" +
         std::to_string(process_of(at).incarnation) + "." + std::to_string(++tokens_[at.process]);
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
  if (process.closing) {
    note(event_kind::signal_refused, process, signal);
    return;
  }
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
  if (process.closing) return false;
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
      return renewal_due(process, signal);
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

}  // namespace leaselab::sim
