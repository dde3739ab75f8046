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
};

// In label::trip: the reload of a script belongs to the trip before it and has its number.
inline constexpr std::uint16_t reload_mark = 0x8000;

// Names one event of a run. Two events of one run never have the same label.
struct label {
  event_label what = event_label::start;
  std::uint8_t process = 0;
  std::uint16_t trip = 0;        // of the call, or the count of work steps
  std::uint16_t repetition = 0;  // of a repeating call or fault
  std::uint32_t subject = 0;     // call_spec::id or fault_spec::id

  auto operator<=>(const label&) const = default;
  std::uint64_t packed() const {
    return (std::uint64_t(what) << 60) ^ (std::uint64_t(process) << 52) ^
           (std::uint64_t(trip) << 36) ^ (std::uint64_t(repetition) << 24) ^ subject;
  }
};

struct decision {
  label event;
  true_time at = 0;
  bool operator==(const decision&) const = default;
};

std::string to_string(const label& value);

}  // namespace leaselab::sim
