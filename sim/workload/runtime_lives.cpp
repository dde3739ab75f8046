// What ends a runtime's incarnation, begins the next, and brings everything to an end in the quiet
// phase.
#include <algorithm>

#include "sim/core.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::sim {

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
  return std::none_of(seats_.begin(), seats_.end(), has_work);
}

bool signals_runtime::has_work(const seat& at) { return !at.queue.empty() || at.plain; }

bool signals_runtime::is_busy(process_id process) const {
  const auto of_process = [process](const auto& one) { return one.process == process; };
  return std::any_of(runs_.begin(), runs_.end(), of_process) ||
         std::any_of(releases_.begin(), releases_.end(), of_process) ||
         std::any_of(seats_.begin(), seats_.end(), [&](const seat& at) {
           return at.process == process && (has_work(at) || at.awaited != no_call);
         });
}

// Offers that it has made are still answered: those that come back are its own to run.
void signals_runtime::close_idle() {
  if (world_plan().signals.empty()) return;
  for (process_id p = 0; p < tokens_.size(); ++p) {
    process_slot& process = *world_.processes[p];
    if (!process.closing || process.closed || !process.up) continue;
    if (is_busy(p) || world_.published.any_open(p)) continue;
    world_.workload.close(process);
  }
}

}  // namespace leaselab::sim
