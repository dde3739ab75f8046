// A decision: which event ran when. It hangs on the event's label, not on its place in a list, so
// that a replay survives the removal of other events.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "sim/time.hpp"

namespace leaselab::sim {

enum class event_label : std::uint8_t {
  start,    // of a call
  request,  // a request reaches the backend
  reply,    // a reply reaches the client
  step,     // a local step of a provider
  wake,     // a provider's own sleep ends
  limit,    // a call's limit
  work,     // a work step of a write
  landing,  // a work step reaches a remote resource
  begin,    // of a fault
  heal,     // of a fault
  restart,  // of a crashed process
  copy,     // a duplicate reaches its end
  quiet,    // the quiet phase begins
  signal,   // a signal arrives at a runtime, or a suspended run is resumed
  publish,  // a runtime's message reaches the broker
  deliver,  // and the process that it is for
  timer,    // of a runtime
  unblock,  // a command has waited at the backend for as long as it asked to
};

// In label::trip: the reload of a script belongs to the trip before it and has its number.
inline constexpr std::uint16_t reload_mark = 0x8000;

// Names one event of a run. Two events of one run never have the same label.
struct label {
  event_label what = event_label::start;
  std::uint8_t process = 0;
  std::uint16_t trip = 0;        // of the call, or the count of work steps
  std::uint16_t repetition = 0;  // of a repeating call or fault
  std::uint32_t subject = 0;     // call_spec::id, fault_spec::id, or a runtime_subject()

  auto operator<=>(const label&) const = default;
};

// A runtime makes its calls, timers and messages on behalf of a signal of the plan: the subject
// names the signal, for what, and the how-many-eth of its kind (255: or a later one). It says the
// same in a fault that is aimed at a call which stands in no plan.
inline constexpr std::uint32_t first_runtime_subject = 0x80000000;
inline constexpr std::uint32_t first_contender_subject = 0xffff0000;
constexpr std::uint32_t runtime_subject(std::uint32_t signal, unsigned what, unsigned nth) {
  return first_runtime_subject | signal << 12 | what << 8 | (nth < 255 ? nth : 255);
}
constexpr bool is_runtime_subject(std::uint32_t subject) {
  return subject >= first_runtime_subject && subject < first_contender_subject;
}
constexpr std::uint32_t signal_of_subject(std::uint32_t subject) {
  return (subject & ~first_runtime_subject) >> 12;
}
constexpr unsigned kind_of_subject(std::uint32_t subject) { return subject >> 8 & 15; }

struct decision {
  label event;
  true_time at = 0;
  bool operator==(const decision&) const = default;
};

std::string to_string(const label& value);

}  // namespace leaselab::sim
