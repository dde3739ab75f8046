// A run as a value: who there is, what they call, what goes wrong, and what was decided. Running
// the same plan gives the same run, byte for byte; shrinking a plan keeps what is left in place,
// since everything refers to stable ids and every decision hangs on a label.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/decision.hpp"
#include "sim/fault.hpp"
#include "sim/history.hpp"
#include "sim/time.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::sim {

struct process_spec {
  std::string name;
  std::int64_t wall_offset = 0;  // ns
  std::int64_t rate_ppb = 1'000'000'000;
  bool clock_stands_in_pause = false;  // what its pauses say when they are drawn or read
};

struct call_spec {
  std::uint32_t id = 0;  // stable while a plan shrinks; unique in a plan
  std::string name;      // what a person calls it; may be empty
  verb what = verb::acquire;
  process_id process = 0;
  key_id key = 0;
  owner_id owner = nobody;  // into plan::owners; transfer: from. nobody: the empty string
  owner_id to = nobody;
  std::int64_t ttl_ms = 0;
  std::optional<true_duration> limit;  // on the process's monotonic clock
  // Starts at the true instant `at`, or `wait` (process's monotonic clock; true time in a directed
  // plan) after call `after` has ended.
  true_time at = 0;
  std::uint32_t after = no_spec;
  true_duration wait = 0;
  // Starts `wait` before the lease on its key ends instead, as its record stands when call `after`
  // has ended; without such a record, which may be out of sight, as above.
  bool at_expiry = false;
  // Repeats every so often until that true instant.
  true_duration every = 0;
  true_time until = 0;
  // Only when this incarnation's client believes to hold `owner` on `key`, both when the call's
  // turn comes and when its wait is over; if not, the next call's turn comes at once.
  bool if_held = false;
  // write: how long the span of work steps is, and how far apart they are.
  true_duration lasts = 0;
  true_duration pace = 0;
  bool guarded = true;  // write: only before the client's local deadline
};

// Work for a thread key that arrives at a process. Its runtime brings it to a run.
struct signal_spec {
  std::uint32_t id = 0;  // stable while a plan shrinks; unique in a plan, below 2^18
  std::string name;      // what a person calls it; may be empty
  process_id process = 0;
  key_id key = 0;
  true_time at = 0;
  true_duration run = 0;  // how long its run works, on the process's monotonic clock
  bool plain = false;     // a plain run: nothing queues it and nobody else takes it
  // The run is suspended after so long, and goes on in that process from that instant on.
  std::optional<true_duration> suspend_at;
  true_time resume_at = 0;
  process_id resume_in = 0;
};

// How long things take in this world.
struct bounds {
  true_duration delay_min = 0;
  true_duration delay_max = 0;  // D
  true_duration lateness = 0;   // of timers
  true_duration call_limit = 5'000'000'000;
  true_duration asking_period = 0;    // of the quiet phase's contender; 0: there is none
  true_duration safety = 0;           // the safety phase ends then; 0: when nothing is left to do
  true_duration quiet = 0;            // 0: no quiet phase
  std::uint32_t step_limit = 20'000;  // events
  std::uint32_t calls_each = 0;       // a process stops after so many calls; 0: never
};

enum class resource_kind : std::uint8_t { local, remote, fenced };
enum class workload_kind : std::uint8_t {
  contend,
  handoff,
  churn,
  calls,
  shared,
  runtime,
  directed
};
std::string_view to_string(workload_kind value);

struct plan {
  workload_kind workload = workload_kind::directed;
  std::string profile;  // a fault profile's id; empty for a scenario without one
  std::uint64_t seed = 0;
  std::int64_t ttl_ms = 100;
  std::int64_t margin_ppm = 100'000;  // of the ttl
  true_duration backend_phase = 0;    // where in its granule the backend's clock starts
  resource_kind resource = resource_kind::local;
  std::uint8_t decorators = 0;  // around the provider, before detection
  std::uint8_t lacking = 0;     // which operation an incomplete backend lacks (a bit each)
  bool one_at_a_time = false;   // calm, and directed without [explore]
  leaselab::sim::bounds bounds;
  std::vector<process_spec> processes;
  std::vector<std::string> keys;
  std::vector<std::string> owners{""};
  std::vector<call_spec> calls;
  client_policy client;  // of the runtimes
  std::vector<signal_spec> signals;
  std::vector<fault_spec> faults;
  std::vector<decision> decisions;  // in the order in which they were taken
};

// The plan as one JSON object and back. `from_json` throws std::invalid_argument that names the
// member. Same plan, same text.
std::string to_json(const plan& value);
plan plan_from_json(std::string_view text);

}  // namespace leaselab::sim
