// The pending events of a world. Each is armed with a window [earliest, latest], or parked: it
// cannot run and holds nobody up until what parked it ends.
//
// Let L be the smallest latest of the armed events. Any armed event with earliest <= L may run
// next, at any instant up to L; so no event ever runs outside its window.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/choice.hpp"
#include "sim/decision.hpp"
#include "sim/history.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

// Why an event is parked; several reasons may hold at once.
enum park_reason : std::uint8_t {
  park_paused = 1,     // addressed to a paused process
  park_partition = 2,  // queued by a partition
  park_down = 4,       // for a backend that is down
  park_held = 8,       // held until a call has ended
  park_standing = 16,  // a timer on a clock that stands still
};

struct pending {
  label event;
  true_time earliest = 0;
  true_time latest = 0;
  std::uint64_t born = 0;
  std::uint32_t rank = 0;
  std::uint8_t parked = 0;
  process_id addressee = 255;   // whose pause parks it and whose crash drops it
  bool on_clock = false;        // a timer: the window follows the addressee's monotonic clock
  std::int64_t due = 0;         // of a timer, a reading in ns
  true_time ripe = never;       // when the clock showed `due`, or will as it runs now
  std::uint32_t index = 0;      // of the call, trip or fault it is about
  std::uint32_t hold_call = 0;  // park_held: call_spec::id
};

class agenda {
 public:
  void clear();
  pending& add(const pending& value);
  bool empty() const { return events_.empty(); }
  std::vector<pending>& events() { return events_; }

  // Fills candidates and limit; false when nothing is armed.
  bool look(true_time now, moment& out);
  // Takes out the event of candidate `index` of the last look().
  pending take(std::size_t index);

  template <class Predicate>
  void remove_if(Predicate predicate) {
    std::erase_if(events_, predicate);
  }
  // Clears a reason at instant `now` for the events that `predicate` picks. An event that is free
  // then runs in [max(earliest, now), max(latest, now + lateness)].
  template <class Predicate>
  void unpark(park_reason reason, true_time now, true_duration lateness, Predicate predicate) {
    for (pending& event : events_) {
      if (!(event.parked & reason) || !predicate(event)) continue;
      event.parked &= static_cast<std::uint8_t>(~reason);
      event.earliest = std::max(event.earliest, now);
      event.latest = std::max(event.latest, now + lateness);
    }
  }

 private:
  std::vector<pending> events_;  // in order of birth
  std::vector<candidate> candidates_;
  std::vector<std::uint32_t> places_;  // of the candidates in events_
  std::uint64_t births_ = 0;
};

}  // namespace leaselab::sim
