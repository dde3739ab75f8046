#include "sim/core.hpp"

#include <algorithm>

namespace leaselab::sim {

core::core(const variant& value, std::unique_ptr<redis::engine> redis)
    : kind(value), engine(std::move(redis)) {
  backend = kind.deploy(host{*this, engine.get()});
}

core::~core() {
  // Frames of suspended coroutines unwind while everything that they refer to is still there.
  for (auto& process : processes) {
    process->where.cut = true;
    network.abandon(process->id);
    process->workers.clear();
  }
}

event& core::note(event_kind what, const process_slot* process) {
  event& added = record.add(what, now);
  added.process = process ? process->id : no_process;
  if (process) added.incarnation = process->incarnation;
  return added;
}

pending& core::post(pending event) {
  if (event.addressee < processes.size() && processes[event.addressee]->pauses > 0)
    event.parked |= park_paused;
  return events.add(event);
}

pending& core::post_timer(process_slot& process, label event, std::uint32_t index,
                          std::int64_t due) {
  pending timer;
  timer.event = event;
  timer.index = index;
  timer.addressee = process.id;
  timer.on_clock = true;
  timer.due = due;
  timer.rank = 1000;
  aim_timer(timer);
  return post(timer);
}

// Whatever befalls the clock of a timer that is due already, it is late from when it became due:
// otherwise a second fault would make it late by both, from its own beginning on.
void core::aim_timer(pending& timer) const {
  const process_slot& process = *processes[timer.addressee];
  const clock_line& clock = record.run.monotonic[process.id];
  const bool was_due = timer.ripe <= now && clock.read(now) >= timer.due;
  if (!was_due) timer.ripe = clock.first_at(timer.due, now);
  timer.parked &= static_cast<std::uint8_t>(~park_standing);
  if (timer.ripe >= never / 2) {
    timer.parked |= park_standing;
    timer.earliest = timer.latest = never;
    return;
  }
  const true_time earliest = timer.ripe + process.late_by;
  if (was_due && earliest == timer.earliest) return;
  timer.earliest = std::max(earliest, now);
  timer.latest = timer.earliest + plan->bounds.lateness;
}

void core::aim_timers_of(process_id process) {
  for (pending& event : events.events())
    if (event.on_clock && event.addressee == process) aim_timer(event);
}

void core::crash(process_slot& process, bool kept) {
  note(event_kind::crash, &process).value = kept && !plan->signals.empty();
  process.up = false;
  workload.interrupt(process);
  events.remove_if([&](const pending& event) {
    return event.addressee == process.id && !workload.survives_crash(event);
  });
  process.where.cut = true;
  network.abandon(process.id);
  std::erase_if(process.workers, [](const auto& worker) { return !worker->idle; });
  process.where.cut = false;
  process.tokens.clear();
  runtimes.crashed(process, kept);
}

void core::start(process_slot& process) {
  process.up = true;
  process.closed = process.closing = false;
  process.runtime = backend->start(process.id, *process.environment);
  fallback = fallback || process.runtime.fallback;
  lacking = lacking || plan->lacking != 0 || !process.runtime.missing.empty();
  note(event_kind::start, &process);
}

}  // namespace leaselab::sim
