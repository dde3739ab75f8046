// What a plan from elsewhere must be before a world may run it.
#include <set>
#include <stdexcept>
#include <string>

#include "sim/plan_json.hpp"

namespace leaselab::sim {
namespace {

// Ids from here on name the calls of runtimes and of the quiet phase's contender.
constexpr std::uint32_t first_reserved_id = first_runtime_subject;
constexpr std::uint32_t first_reserved_signal = 1 << 18;
constexpr std::size_t most_processes = 200;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + ": " + why);
}

void refuse_beyond(const std::string& path, std::size_t index, std::size_t size) {
  if (index >= size) refuse(path, std::to_string(index) + " of " + std::to_string(size));
}

void refuse_negative(const std::string& path, std::int64_t value) {
  if (value < 0) refuse(path, "must not be negative");
}

void check_id(const std::string& path, std::uint32_t id, std::set<std::uint32_t>& seen,
              std::uint32_t below = first_reserved_id) {
  if (id >= below) refuse(path, "must be below " + std::to_string(below));
  if (!seen.insert(id).second) refuse(path, "there are two of " + std::to_string(id));
}

void check_bounds(const bounds& value) {
  refuse_negative("plan.bounds.delay_min_ns", value.delay_min);
  refuse_negative("plan.bounds.delay_max_ns", value.delay_max);
  if (value.delay_min > value.delay_max) {
    refuse("plan.bounds.delay_min_ns", "must not be more than delay_max_ns");
  }
  refuse_negative("plan.bounds.lateness_ns", value.lateness);
  refuse_negative("plan.bounds.call_limit_ns", value.call_limit);
  refuse_negative("plan.bounds.asking_period_ns", value.asking_period);
  refuse_negative("plan.bounds.safety_ns", value.safety);
  refuse_negative("plan.bounds.quiet_ns", value.quiet);
}

void check_call(const plan& value, const call_spec& call, const std::string& path) {
  refuse_beyond(path + "process", call.process, value.processes.size());
  if (call.what != verb::close) refuse_beyond(path + "key", call.key, value.keys.size());
  refuse_beyond(path + "owner", call.owner, value.owners.size());
  refuse_beyond(path + "to", call.to, value.owners.size());
  refuse_negative(path + "at_ns", call.at);
  refuse_negative(path + "wait_ns", call.wait);
  refuse_negative(path + "every_ns", call.every);
  refuse_negative(path + "lasts_ns", call.lasts);
  refuse_negative(path + "pace_ns", call.pace);
}

void check_signal(const plan& value, const signal_spec& signal, const std::string& path) {
  refuse_beyond(path + "process", signal.process, value.processes.size());
  refuse_beyond(path + "key", signal.key, value.keys.size());
  refuse_beyond(path + "resume_in", signal.resume_in, value.processes.size());
  refuse_negative(path + "at_ns", signal.at);
  refuse_negative(path + "run_ns", signal.run);
  refuse_negative(path + "suspend_at_ns", signal.suspend_at.value_or(0));
  refuse_negative(path + "resume_at_ns", signal.resume_at);
}

bool is_of_a_process(fault_kind kind) {
  switch (kind) {
    case fault_kind::pause:
    case fault_kind::crash:
    case fault_kind::partition:
    case fault_kind::late_timer:
    case fault_kind::connect:
      return true;
    default:
      return false;
  }
}

bool is_of_a_clock(fault_kind kind) { return kind <= fault_kind::freeze; }

void check_fault(const plan& value, const fault_spec& fault, const std::string& path) {
  const bool backend = fault.process == backend_process && !is_of_a_process(fault.kind);
  const bool nobody =
      fault.process == no_process && !is_of_a_process(fault.kind) && !is_of_a_clock(fault.kind);
  if (!backend && !nobody) {
    refuse_beyond(path + "process", fault.process, value.processes.size());
  }
  if (fault.kind == fault_kind::evict || fault.kind == fault_kind::overwrite) {
    refuse_beyond(path + "key", fault.key, value.keys.size());
  }
  refuse_negative(path + "at_ns", fault.at);
  refuse_negative(path + "lasts_ns", fault.lasts);
  refuse_negative(path + "to_ppb", fault.to_ppb);
  refuse_negative(path + "period_ns", fault.period);
}

}  // namespace

void refuse_impossible(const plan& value) {
  if (value.owners.empty() || !value.owners[0].empty()) {
    refuse("plan.owners", "must begin with the empty string, which is nobody");
  }
  if (value.processes.size() > most_processes) {
    refuse("plan.processes", "more than " + std::to_string(most_processes));
  }
  for (std::size_t i = 0; i < value.processes.size(); ++i) {
    refuse_negative("plan.processes[" + std::to_string(i) + "].rate_ppb",
                    value.processes[i].rate_ppb);
  }
  check_bounds(value.bounds);
  std::set<std::uint32_t> calls, signals, faults;
  for (std::size_t i = 0; i < value.calls.size(); ++i) {
    const std::string path = "plan.calls[" + std::to_string(i) + "].";
    check_id(path + "id", value.calls[i].id, calls);
    check_call(value, value.calls[i], path);
  }
  for (std::size_t i = 0; i < value.signals.size(); ++i) {
    const std::string path = "plan.signals[" + std::to_string(i) + "].";
    check_id(path + "id", value.signals[i].id, signals, first_reserved_signal);
    check_signal(value, value.signals[i], path);
  }
  for (std::size_t i = 0; i < value.faults.size(); ++i) {
    const std::string path = "plan.faults[" + std::to_string(i) + "].";
    check_id(path + "id", value.faults[i].id, faults);
    check_fault(value, value.faults[i], path);
  }
}

}  // namespace leaselab::sim
