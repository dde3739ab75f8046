// What a run leaves behind: the history (what clients saw and did) and the records (what the
// backend did), in the order of true time. Plain values; owners and keys are numbers, their names
// stand in the tables. Properties read this and nothing else.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "providers/error.hpp"
#include "providers/lease_provider.hpp"
#include "sim/clock.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

using owner_id = std::uint16_t;  // index into run_record::owners; 0 is nobody
using key_id = std::uint8_t;     // index into run_record::keys
using process_id = std::uint8_t;
using call_index = std::uint32_t;  // index into run_record::calls

inline constexpr owner_id nobody = 0;
inline constexpr call_index no_call = std::numeric_limits<call_index>::max();
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

// What one store holds under one key, expired or not.
struct record_state {
  owner_id owner = nobody;
  std::int64_t deadline = 0;  // granules of the backend's clock; no_deadline: it never ends
  std::uint64_t token = 0;    // fencing token, 0 where there is none
  bool operator==(const record_state&) const = default;
};

enum class verb : std::uint8_t { acquire, get, release, renew, transfer, write, close };

// One call, from its invocation to its completion.
struct call_record {
  std::uint32_t spec = 0;        // index into plan::calls
  std::uint32_t repetition = 0;  // of a call with `every`
  verb what = verb::get;
  process_id process = 0;
  std::uint8_t incarnation = 0;
  key_id key = 0;
  owner_id owner = nobody;  // transfer: from
  owner_id to = nobody;     // transfer only
  std::int64_t ttl_ms = 0;
  bool arguments_lawful = true;
  bool closed = false;        // invoked on a provider that had been closed
  bool contender = false;     // made by the quiet phase's fresh contender
  std::uint32_t subject = 0;  // made by a runtime: runtime_subject(); `spec` is no_spec then
  bool by_runtime() const { return subject != 0; }

  true_time invoked = 0;
  std::int64_t invoked_granule = 0;
  true_time completed = never;  // never: still open at the end, or its process crashed
  std::int64_t completed_granule = 0;
  outcome ended = outcome::info;
  errc code = errc::backend_error;     // meaningful unless ended == ok
  bool yes = false;                    // acquired, renewed, moved
  owner_id named = nobody;             // get: the owner; acquire: the owner a denial names
  std::optional<std::uint64_t> token;  // acquire, transfer
  std::uint16_t trips = 0;             // requests sent and local steps made
  std::uint32_t invoke_event = 0;      // indices into events
  std::uint32_t complete_event = 0;
};

enum class event_kind : std::uint8_t {
  invoke,        // call
  complete,      // call
  step,          // call: one backend step; before/after: its key's record; refused: an error reply
                 // took the place of the execution
  change,        // a key's record changed otherwise: `call` if a step on another key did it,
                 // no_call: from outside (eviction, restart, failover)
  believe,       // process, owner: belief begins or is prolonged; value: local monotonic deadline
                 // in ns, no_deadline without one
  disbelieve,    // process, owner: belief ends for another reason than the local deadline
  work,          // process, owner, token in `after.token`: a work step that the resource accepted
                 // at this instant; `value`: span number
  work_refused,  // likewise, refused by the fence
  work_sent,     // likewise, on its way to a resource that is not at hand
  start,         // process, incarnation: begins (also a restart)
  crash,         // process; value 1: its runtime's state is kept, and it comes back
  pause,         // process
  resume,        // process
  fault,         // a fault began; value: index into plan::faults
  heal,          // a fault ended
  quiet,         // the quiet phase begins
  end,
  // Of a runtime. value: a signal_note.
  signal_submitted,    // at this process, which queues it
  signal_offered,      // owner: the token named; store: the process that it is for
  signal_accepted,     // by this process, which queues it
  signal_handed,       // this process counts it as another's
  signal_refused,      // with an offer's number: it returns to this process's queue; without: ends
  signal_unknown,      // this process has given up an offer of it: ends here
  signal_begun,        // a run of this process takes it from the queue
  signal_interrupted,  // its run stops before its end: it never begins again
  run_started,         // owner: its token
  run_ended,
};

// What an event of a runtime says besides its process, key and token.
struct signal_note {
  std::uint32_t signal = 0;         // signal_spec::id
  std::uint32_t offer = 0;          // the offer's number among the signal's, from 1; 0: none
  std::uint8_t to_incarnation = 0;  // whom an offer is for

  std::int64_t packed() const {
    return std::int64_t(to_incarnation) << 48 | std::int64_t(offer) << 20 | signal;
  }
  static signal_note of(std::int64_t value) {
    return {std::uint32_t(value & 0xfffff), std::uint32_t(value >> 20 & 0xfffffff),
            std::uint8_t(value >> 48)};
  }
};

struct event {
  true_time at = 0;
  std::int64_t granule = 0;  // the backend clock's reading
  event_kind kind = event_kind::end;
  process_id process = 0;
  std::uint8_t incarnation = 0;
  key_id key = 0;
  std::uint8_t store = 0;  // which backend store: one, unless each process has its own
  bool refused = false;
  owner_id owner = nobody;
  call_index call = no_call;
  std::int64_t value = 0;
  record_state before, after;
};

struct run_record {
  std::vector<std::string> owners{""};  // [0] is nobody
  std::vector<std::string> keys;
  std::vector<std::string> processes;
  std::vector<call_record> calls;
  std::vector<event> events;
  // How each process's monotonic clock and the backend's clock ran.
  std::vector<clock_line> monotonic;  // by process
  clock_line backend;                 // ns; a granule is floor(reading / granule length)
  true_time ended = 0;
  bool step_limit_reached = false;
  bool instrumented = true;          // step and change events are complete
  std::uint64_t digest = 0;          // over all events, calls and one more draw
  std::uint64_t history_digest = 0;  // over what clients saw: equal on both engines
};

}  // namespace leaselab::sim
