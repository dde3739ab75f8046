// A property: an id, where it applies, and a check of one run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "providers/guarantees.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

enum class verdict : std::uint8_t { holds, violated, unknown, not_applicable };
std::string_view to_string(verdict value);

enum class level : std::uint8_t { provider, client, noop };

// Where one run breaks a property. `event` is the instant at which it shows.
struct violation {
  std::string_view property;
  std::uint32_t event = 0;
  std::string text;  // one sentence with names and numbers; built only when `explain` was asked
  std::int64_t size_ns = 0;             // length of an overlap, 0 where there is none
  sim::call_index call = sim::no_call;  // the call to blame, if one is
};

class timeline;  // properties/timeline.hpp

// What the judge knows of a run besides its record.
struct run_context {
  const sim::run_record& run;
  const sim::plan& plan;
  const guarantees& declared;
  const properties::timeline& timeline;  // built of this very run: timeline::build
  bool fallback_selected = false;        // detection chose the no-op provider
  bool lacks_operations = false;         // the backend lacks at least one of the five
  bool explain = false;                  // fill violation::text
};

// One property over one run. Checks are pure: same run, same answer; they allocate only when they
// find something (scratch memory is theirs to keep).
class property {
 public:
  virtual ~property() = default;
  virtual std::string_view id() const = 0;
  virtual level at() const = 0;
  virtual std::string_view statement() const = 0;  // one line for `list properties`
  // Appends what it finds, first violation first; at most a few.
  // Returns `holds` when it looked and nothing was wrong, `not_applicable` when the run cannot
  // show it (say, no handoff workload), `unknown` when a budget ran out.
  virtual verdict check(const run_context& context, std::vector<violation>& found) = 0;
};

// All properties in the order of docs/PROPERTIES.md. Each call makes new objects (they own scratch
// memory, so one set a thread).
std::vector<std::unique_ptr<property>> all_properties();

}  // namespace leaselab::properties
