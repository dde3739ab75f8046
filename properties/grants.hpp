// The grants of a run, as far as they have been told: who holds which key by the provider's own
// promises, whatever its store says.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/timeline.hpp"

namespace leaselab::properties {

struct grant {
  sim::key_id key = 0;
  sim::owner_id owner = sim::nobody;
  std::int64_t deadline = 0;  // ms of the backend's clock
  sim::call_index call = sim::no_call;
  // Known by its answer alone: any release or transfer of this owner may already have ended it.
  bool certain_only = false;
};

class grant_book {
 public:
  void clear() { open_.clear(); }
  // Begins or refreshes `value` at `granule`, and calls `overlaps(const grant&)` for every other
  // owner's grant of that key that is still open then. One that is told only after its deadline,
  // by an answer that came late, overlaps nothing.
  template <class Overlaps>
  void start(const timeline& line, const grant& value, std::int64_t granule, Overlaps&& overlaps) {
    bool known = false;
    const bool open = line.alive(value.deadline, granule);
    std::erase_if(open_, [&](grant& other) {
      if (other.key != value.key) return false;
      if (other.owner == value.owner) {
        other = value;
        return !(known = open);
      }
      if (!line.alive(other.deadline, granule)) return true;
      if (open) overlaps(other);
      return false;
    });
    if (!known && open) open_.push_back(value);
  }
  void end(sim::key_id key, sim::owner_id owner) {
    std::erase_if(open_, [&](const grant& g) { return g.key == key && g.owner == owner; });
  }
  // A release or transfer of that owner is called.
  void doubt(sim::key_id key, sim::owner_id owner) {
    std::erase_if(
        open_, [&](const grant& g) { return g.certain_only && g.key == key && g.owner == owner; });
  }
  // A request of that owner is called that may replace the deadline.
  void shorten(sim::key_id key, sim::owner_id owner, std::int64_t deadline) {
    for (grant& g : open_)
      if (g.certain_only && g.key == key && g.owner == owner && deadline < g.deadline)
        g.deadline = deadline;
  }

 private:
  std::vector<grant> open_;  // some may have passed their deadline
};

}  // namespace leaselab::properties
