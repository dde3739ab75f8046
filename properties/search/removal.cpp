#include "properties/search/removal.hpp"

#include <algorithm>
#include <numeric>

namespace leaselab::properties {
namespace {

using sim::event_label;
using sim::no_spec;

bool of_fault(const sim::label& event) {
  return event.what == event_label::begin || event.what == event_label::heal ||
         event.what == event_label::restart;
}
bool of_call(const sim::label& event) {
  return !of_fault(event) && event.what != event_label::quiet;
}

const sim::call_spec* find_call(const sim::plan& value, std::uint32_t id) {
  for (const auto& call : value.calls)
    if (call.id == id) return &call;
  return nullptr;
}

bool has_signal(const sim::plan& value, std::uint32_t id) {
  return std::any_of(value.signals.begin(), value.signals.end(),
                     [id](const auto& signal) { return signal.id == id; });
}

// A call of the plan, or what a runtime does for a signal of it.
bool has_subject(const sim::plan& value, std::uint32_t subject) {
  if (sim::is_runtime_subject(subject)) return has_signal(value, sim::signal_of_subject(subject));
  return find_call(value, subject) != nullptr;
}

bool names_a_call(const sim::plan& value, std::uint32_t id) {
  return id == no_spec || has_subject(value, id);
}

void drop_faults_without_call(sim::plan& value) {
  std::erase_if(value.faults, [&](const sim::fault_spec& fault) {
    return !names_a_call(value, fault.call) || !names_a_call(value, fault.until_call) ||
           (fault.point && !names_a_call(value, fault.point->call));
  });
}

// Decisions on what is no longer there. Calls of the quiet phase's contender stand in no plan.
void drop_decisions_without_subject(sim::plan& value, const sim::plan& before) {
  const auto has_fault = [](const sim::plan& plan, std::uint32_t id) {
    return std::any_of(plan.faults.begin(), plan.faults.end(),
                       [id](const auto& fault) { return fault.id == id; });
  };
  std::erase_if(value.decisions, [&](const sim::decision& one) {
    const auto id = one.event.subject;
    if (of_fault(one.event)) return !has_fault(value, id) && has_fault(before, id);
    return of_call(one.event) && !has_subject(value, id) && has_subject(before, id);
  });
}

// A copy of everything but the lists that a caller fills in: copying those only to drop most of
// them again would be most of the work.
sim::plan frame_of(const sim::plan& value) {
  sim::plan frame;
  frame.workload = value.workload;
  frame.profile = value.profile;
  frame.seed = value.seed;
  frame.ttl_ms = value.ttl_ms;
  frame.margin_ppm = value.margin_ppm;
  frame.backend_phase = value.backend_phase;
  frame.resource = value.resource;
  frame.decorators = value.decorators;
  frame.lacking = value.lacking;
  frame.one_at_a_time = value.one_at_a_time;
  frame.bounds = value.bounds;
  frame.processes = value.processes;
  frame.keys = value.keys;
  frame.owners = value.owners;
  frame.client = value.client;
  frame.decisions = value.decisions;
  return frame;
}

// Follows `after` back to a call that is still there.
void relink(sim::call_spec& call, const sim::plan& before, const sim::plan& kept) {
  while (call.after != no_spec && !find_call(kept, call.after)) {
    const auto* gone = find_call(before, call.after);
    if (gone->after == no_spec) {
      call.at = gone->at + call.wait;
      call.wait = 0;
    } else {
      call.wait += gone->wait;
    }
    call.after = gone->after;
  }
}

// New numbers for what is kept, in order; `gone` for the rest.
constexpr std::uint32_t gone = 0xffffffff;
std::vector<std::uint32_t> renumbering(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> numbers(kept.size(), gone);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) numbers[i] = next++;
  return numbers;
}

template <class List>
void keep_only(List& list, const std::vector<bool>& kept) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!kept[i]) continue;
    if (to != i) list[to] = std::move(list[i]);
    ++to;
  }
  list.erase(list.begin() + std::ptrdiff_t(to), list.end());
}

void renumber_processes(sim::plan& value, std::vector<bool> kept) {
  const auto before = value.processes.size();
  keep_only(value.processes, kept);
  kept.push_back(true);  // the contender comes after the plan's processes
  const auto numbers = renumbering(kept);
  for (auto& call : value.calls) call.process = sim::process_id(numbers[call.process]);
  for (auto& signal : value.signals) {
    signal.process = sim::process_id(numbers[signal.process]);
    const auto resumes = numbers[signal.resume_in];
    signal.resume_in = resumes == gone ? signal.process : sim::process_id(resumes);
  }
  for (auto& fault : value.faults) {
    if (fault.process < before) fault.process = sim::process_id(numbers[fault.process]);
  }
  for (auto& one : value.decisions) {
    if (!of_call(one.event) && one.event.what != event_label::restart) continue;
    if (one.event.process <= before) one.event.process = std::uint8_t(numbers[one.event.process]);
  }
}

}  // namespace

places all_places(std::size_t count) {
  places all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

sim::plan keep_calls(const sim::plan& value, const places& kept) {
  sim::plan smaller = frame_of(value);
  smaller.faults = value.faults;
  smaller.signals = value.signals;
  for (const auto place : kept) smaller.calls.push_back(value.calls[place]);
  for (auto& call : smaller.calls) relink(call, value, smaller);
  drop_faults_without_call(smaller);
  drop_decisions_without_subject(smaller, value);
  return smaller;
}

sim::plan keep_signals(const sim::plan& value, const places& kept) {
  sim::plan smaller = frame_of(value);
  smaller.faults = value.faults;
  smaller.calls = value.calls;
  for (const auto place : kept) smaller.signals.push_back(value.signals[place]);
  drop_faults_without_call(smaller);
  drop_decisions_without_subject(smaller, value);
  return smaller;
}

sim::plan keep_faults(const sim::plan& value, const places& kept) {
  sim::plan smaller = frame_of(value);
  smaller.calls = value.calls;
  smaller.signals = value.signals;
  for (const auto place : kept) smaller.faults.push_back(value.faults[place]);
  drop_decisions_without_subject(smaller, value);
  return smaller;
}

sim::plan keep_processes(const sim::plan& value, const places& kept) {
  std::vector<bool> stays(value.processes.size(), false);
  for (const auto place : kept) stays[place] = true;
  places calls;
  for (std::uint32_t i = 0; i < value.calls.size(); ++i)
    if (stays[value.calls[i].process]) calls.push_back(i);
  auto smaller = keep_calls(value, calls);
  places signals;
  for (std::uint32_t i = 0; i < value.signals.size(); ++i)
    if (stays[value.signals[i].process]) signals.push_back(i);
  if (signals.size() < value.signals.size()) smaller = keep_signals(smaller, signals);
  std::erase_if(smaller.faults, [&](const sim::fault_spec& fault) {
    return fault.process < stays.size() && !stays[fault.process];
  });
  drop_decisions_without_subject(smaller, value);
  renumber_processes(smaller, stays);
  return smaller;
}

sim::plan drop_idle_calls(const sim::plan& value) {
  places kept;
  for (std::uint32_t i = 0; i < value.calls.size(); ++i) {
    const bool began =
        std::any_of(value.decisions.begin(), value.decisions.end(), [&](const sim::decision& one) {
          return of_call(one.event) && one.event.subject == value.calls[i].id;
        });
    if (began) kept.push_back(i);
  }
  return keep_calls(value, kept);
}

sim::plan drop_unused_names(const sim::plan& value) {
  sim::plan smaller = value;
  std::vector<bool> processes(value.processes.size(), false);
  std::vector<bool> keys(value.keys.size(), false);
  std::vector<bool> owners(value.owners.size(), false);
  owners[sim::nobody] = true;
  for (const auto& call : value.calls) {
    processes[call.process] = true;
    keys[call.key] = true;
    owners[call.owner] = owners[call.to] = true;
  }
  for (const auto& signal : value.signals) {
    processes[signal.process] = processes[signal.resume_in] = true;
    keys[signal.key] = true;
  }
  for (const auto& fault : value.faults) {
    if (fault.process < processes.size()) processes[fault.process] = true;
    if (fault.key < keys.size()) keys[fault.key] = true;
  }
  const auto key_numbers = renumbering(keys);
  const auto owner_numbers = renumbering(owners);
  for (auto& call : smaller.calls) {
    call.key = sim::key_id(key_numbers[call.key]);
    call.owner = sim::owner_id(owner_numbers[call.owner]);
    call.to = sim::owner_id(owner_numbers[call.to]);
  }
  for (auto& signal : smaller.signals) signal.key = sim::key_id(key_numbers[signal.key]);
  for (auto& fault : smaller.faults) {
    if (fault.key < keys.size()) fault.key = sim::key_id(key_numbers[fault.key]);
  }
  keep_only(smaller.keys, keys);
  keep_only(smaller.owners, owners);
  renumber_processes(smaller, processes);
  return smaller;
}

}  // namespace leaselab::properties
