// What must never raise an alarm: every built-in variant where it guarantees the property, and
// circumstances that look like faults and are lawful.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/search/check.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {

// Turns a drawn plan into one of the control's kind.
using plan_change = void (*)(sim::plan& plan, sim::random_source& random);

struct control {
  std::string name;
  std::string about;
  const sim::variant* provider = nullptr;
  std::vector<std::string> profiles;          // empty: all within the model
  std::vector<sim::workload_kind> workloads;  // empty: those of a plain check
  plan_change change = nullptr;
  std::optional<std::uint32_t> processes = std::nullopt;
};

std::span<const control> controls();
// What only a control runs on, by its name ("control:dead-after"), so that an alarm's trace can be
// run again. Null: there is none.
const sim::variant* find_control_variant(const std::string& name);

struct control_result {
  std::uint64_t schedules = 0, alarms = 0;
  std::optional<witness> first;  // the first alarm, as it ran
};

// Schedules [first, last) of the control. `asked`: seed, strategy, engine and stop flag.
control_result run_control(const control& of, const check_options& asked, std::uint64_t first,
                           std::uint64_t last);

}  // namespace leaselab::properties
