// The faults of a world, as values. The kinds and their keys are those of docs/SCENARIOS.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/history.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

enum class fault_kind : std::uint8_t {
  offset,         // clocks: wall jumps by `by` (kept apart from `step` only by name)
  step,           //
  rate,           // `to_ppb` for `lasts`
  strobe,         // +delta, -delta, ... every `period` for `lasts`
  freeze,         // for `lasts`
  pause,          // a process, for `lasts`
  crash,          // a process; restarts after `lasts` unless never
  drop,           // a message
  delay,          // a message, by `by`
  hold,           // a message, until `until` or until a call ended
  duplicate,      // a message, the copy `by` later
  partition,      // a process and the backend, for `lasts`
  error_reply,    // a message: `reply` instead of the execution
  flush_scripts,  //
  late_timer,     // a process's timers fire `by` later, for `lasts`
  connect,        // a process's first connection takes `by`
  backend_down,   // for `lasts`; `data`
  failover,       // `behind` writes are lost
  two_primaries,  // for `lasts`: two copies serve, one side is kept
  replica_read,   // reads are served `by` old, for `lasts`
  evict,          // a key's record vanishes
  overwrite,      // a key's record gets another owner (`value`)
  redirect,       // a message: `reply` instead of the execution
  reap_late,      // dead records stay visible for `by`, for `lasts`
};
inline constexpr int fault_kind_count = 24;
std::string_view to_string(fault_kind value);

enum class leg : std::uint8_t { request, reply };
enum class data_kept : std::uint8_t { kept, lost, appendonly };
enum class which_clock : std::uint8_t { wall, monotonic, both };

inline constexpr process_id backend_process = 254;  // clock faults on the backend
inline constexpr process_id no_process = 255;
inline constexpr std::uint16_t last_trip = 0xffff;
inline constexpr std::uint32_t no_spec = 0xffffffff;

// A place in a program: just before or just after trip k of a call.
struct code_point {
  std::uint32_t call = no_spec;  // call_spec::id
  std::uint16_t trip = 1;        // from 1
  bool after = false;
};

struct fault_spec {
  std::uint32_t id = 0;  // stable while a plan shrinks
  fault_kind kind = fault_kind::pause;
  process_id process = no_process;
  // When it begins: at one instant of [at, at_latest], or when a code point is reached.
  true_time at = 0;
  true_time at_latest = 0;
  std::optional<code_point> point;
  true_duration lasts = 0;  // `never`: up to the quiet phase
  // Clock faults, delays and lags.
  std::int64_t by = 0;
  std::int64_t to_ppb = 0;
  true_duration period = 0;
  which_clock clock = which_clock::wall;
  bool clock_stands = false;  // pause: the process's clocks stand meanwhile
  // Messages: which one.
  std::uint32_t call = no_spec;  // call_spec::id
  std::uint16_t trip = 1;        // from 1, or last_trip
  std::string command;           // instead of a number: "SET", "EVALSHA:refresh"
  leaselab::sim::leg leg = leg::request;
  true_time until = 0;                 // hold; crash with lasts = never: restarts then, if > 0
  std::uint32_t until_call = no_spec;  // hold: until that call has ended
  // The rest.
  bool cut_requests = true, cut_replies = true;  // partition
  bool new_identity = false, state_lost = true;  // crash
  std::string reply;                             // error_reply, redirect
  data_kept data = data_kept::kept;
  std::uint32_t behind = 0;
  std::uint32_t replica = 0;
  key_id key = 0;
  std::string value;
};

}  // namespace leaselab::sim
