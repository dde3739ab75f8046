#include "sim/nemesis.hpp"

#include <algorithm>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

bool on_wall(which_clock clock) { return clock != which_clock::monotonic; }
bool on_monotonic(which_clock clock) { return clock != which_clock::wall; }

}  // namespace

void nemesis::begin() {
  const auto& faults = world_.plan->faults;
  active_.assign(faults.size(), false);
  spent_.assign(faults.size(), false);
  any_points_ = any_messages_ = false;
  backend_.begin();
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    if (is_message_fault(faults[i].kind)) {
      any_messages_ = true;
    } else if (faults[i].point) {
      any_points_ = true;
    } else {
      post_begin(i, faults[i].at, std::max(faults[i].at, faults[i].at_latest), 0);
    }
  }
}

void nemesis::post_begin(std::uint32_t fault, true_time earliest, true_time latest,
                         unsigned repetition) {
  pending event;
  event.event = {event_label::begin, 0, 0, static_cast<std::uint16_t>(repetition),
                 world_.plan->faults[fault].id};
  event.index = fault;
  event.earliest = earliest;
  event.latest = latest;
  event.rank = fault;
  world_.post(event);
}

void nemesis::post_heal(const fault_spec& fault, std::uint32_t index) {
  if (fault.lasts == never) return;
  pending event;
  event.event = {event_label::heal, 0, 0, 0, fault.id};
  event.index = index;
  event.earliest = event.latest = world_.now + fault.lasts;
  event.rank = index;
  world_.post(event);
}

void nemesis::strike(const pending& event) {
  const fault_spec& fault = world_.plan->faults[event.index];
  if (event.event.repetition == 0) {
    world_.note(event_kind::fault).value = event.index;
    active_[event.index] = true;
  }
  switch (fault.kind) {
    case fault_kind::offset:
    case fault_kind::step:
    case fault_kind::rate:
    case fault_kind::strobe:
    case fault_kind::freeze:
      return strike_clock(fault, event);
    case fault_kind::pause:
    case fault_kind::crash:
    case fault_kind::late_timer:
    case fault_kind::connect:
      return strike_process(fault, event);
    case fault_kind::partition:
      return post_heal(fault, event.index);
    default:
      backend_.strike(fault);
      if (fault.lasts > 0) post_heal(fault, event.index);
  }
}

void nemesis::strike_clock(const fault_spec& fault, const pending& event) {
  switch (fault.kind) {
    case fault_kind::rate:
      if (fault.process == backend_process) {
        set_backend_rate(fault.to_ppb);
      } else {
        world_.processes[fault.process]->rate_ppb = fault.to_ppb;
        set_rates(*world_.processes[fault.process]);
      }
      break;
    case fault_kind::freeze:
      if (fault.process == backend_process) {
        set_backend_rate(0);
      } else {
        set_standing(*world_.processes[fault.process], 1);
      }
      break;
    case fault_kind::strobe: {
      const std::uint32_t turn = event.event.repetition;
      move_clock(fault, turn % 2 == 0 ? fault.by : -fault.by);
      const true_time next = world_.now + std::max<true_duration>(fault.period, 1);
      if (next <= fault.at_latest + fault.lasts && turn < 1000)
        post_begin(event.index, next, next, turn + 1);
      return;
    }
    default:
      move_clock(fault, fault.by);
      return;
  }
  world_.watch.clock_changed();
  if (fault.lasts > 0) post_heal(fault, event.index);
}

void nemesis::move_clock(const fault_spec& fault, std::int64_t by) {
  if (fault.process == backend_process) {
    world_.record.run.backend.step(world_.now, by);
    world_.waiting.clock_changed();
    world_.watch.clock_changed();
    return;
  }
  process_slot& process = *world_.processes[fault.process];
  if (on_wall(fault.clock)) process.wall.step(world_.now, by);
  if (!on_monotonic(fault.clock)) return;
  world_.record.run.monotonic[process.id].step(world_.now, by);
  world_.aim_timers_of(process.id);
}

void nemesis::set_backend_rate(std::int64_t ppb) {
  world_.record.run.backend.set_rate(world_.now, ppb);
  world_.waiting.clock_changed();
}

void nemesis::set_standing(process_slot& process, int change) {
  process.standing += change;
  set_rates(process);
}

void nemesis::set_rates(process_slot& process) {
  const std::int64_t rate = process.standing > 0 ? 0 : process.rate_ppb;
  process.wall.set_rate(world_.now, rate);
  world_.record.run.monotonic[process.id].set_rate(world_.now, rate);
  world_.aim_timers_of(process.id);
}

void nemesis::strike_process(const fault_spec& fault, const pending& event) {
  process_slot& process = *world_.processes[fault.process];
  switch (fault.kind) {
    case fault_kind::pause:
      pause(process, fault);
      return post_heal(fault, event.index);
    case fault_kind::late_timer:
      process.late_by += fault.by;
      world_.aim_timers_of(process.id);
      return post_heal(fault, event.index);
    case fault_kind::connect:
      process.connected_at = world_.now + fault.by;
      return;
    default:
      break;
  }
  if (!process.up) return;
  const bool comes_back = fault.lasts != never || fault.until != 0;
  world_.crash(process, comes_back && !fault.state_lost);
  if (!comes_back) return;
  pending back;
  back.event = {event_label::restart, process.id, 0, 0, fault.id};
  back.index = event.index;
  back.earliest =
      fault.lasts == never ? std::max(world_.now, fault.until) : world_.now + fault.lasts;
  back.latest = back.earliest + world_.plan->bounds.lateness;
  back.rank = event.index;
  world_.post(back);
}

void nemesis::restart(const pending& event) {
  process_slot& process = *world_.processes[event.event.process];
  if (process.up) return;
  ++process.incarnation;
  world_.start(process);
  world_.workload.go_on(process);
  world_.runtimes.restarted(process);
}

bool nemesis::stands_in(const fault_spec& pause) const {
  return pause.clock_stands || world_.kit.clocks_stand_in_pauses();
}

void nemesis::pause(process_slot& process, const fault_spec& fault) {
  world_.note(event_kind::pause, &process);
  if (stands_in(fault)) set_standing(process, 1);
  ++process.pauses;
  for (struct pending& event : world_.events.events())
    if (event.addressee == process.id) event.parked |= park_paused;
}

void nemesis::resume(process_slot& process, const fault_spec& fault) {
  if (process.pauses == 0) return;
  world_.note(event_kind::resume, &process);
  if (stands_in(fault)) set_standing(process, -1);
  if (--process.pauses > 0) return;
  world_.events.unpark(park_paused, world_.now, world_.plan->bounds.lateness,
                       [&](const auto& event) { return event.addressee == process.id; });
}

void nemesis::heal(const pending& event) {
  if (!active_[event.index]) return;
  active_[event.index] = false;
  world_.note(event_kind::heal).value = event.index;
  end(world_.plan->faults[event.index]);
}

void nemesis::end(const fault_spec& fault) {
  process_slot* process =
      fault.process < world_.processes.size() ? world_.processes[fault.process].get() : nullptr;
  switch (fault.kind) {
    case fault_kind::pause:
      return resume(*process, fault);
    case fault_kind::late_timer:
      process->late_by -= fault.by;
      return world_.aim_timers_of(process->id);
    case fault_kind::rate:
      if (!process) return set_backend_rate(rate_one);
      process->rate_ppb = world_.plan->processes[process->id].rate_ppb;
      return set_rates(*process);
    case fault_kind::freeze:
      if (!process) return set_backend_rate(rate_one);
      return set_standing(*process, -1);
    case fault_kind::partition:
      return world_.events.unpark(
          park_partition, world_.now, world_.plan->bounds.lateness, [&](const auto& event) {
            return event.event.process == fault.process && !cut(fault.process, event.event.what);
          });
    default:
      backend_.heal(fault);
      if (!backend_.down())
        world_.events.unpark(park_down, world_.now, world_.plan->bounds.lateness,
                             [](const auto&) { return true; });
  }
}

void nemesis::heal_all() {
  world_.events.remove_if([](const auto& event) {
    return event.event.what == event_label::begin || event.event.what == event_label::heal;
  });
  for (std::uint32_t i = 0; i < active_.size(); ++i) {
    if (!active_[i]) continue;
    active_[i] = false;
    end(world_.plan->faults[i]);
  }
  set_backend_rate(rate_one);
  world_.watch.clock_changed();
  for (auto& process : world_.processes) {
    process->standing = 0;
    process->rate_ppb = rate_one;
    process->late_by = 0;
    set_rates(*process);
  }
  spent_.assign(spent_.size(), true);
}

}  // namespace leaselab::sim
