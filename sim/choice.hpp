// The one place where a run is not determined by its plan: which event runs next, and when.
#pragma once

#include <cstdint>
#include <span>

#include "sim/decision.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

struct plan;

// An event that may run now: its window is open before any other armed event's closes.
struct candidate {
  label event;
  true_time earliest = 0;  // already >= now
  true_time latest = 0;
  std::uint64_t born = 0;  // order in which events came to be
  std::uint32_t rank = 0;  // order in the plan (faults first, then calls as listed)
};

struct moment {
  true_time now = 0;
  true_time limit = 0;  // the smallest latest of the armed events; nothing may run after it
  std::span<const candidate> candidates;  // in order of `born`
  std::span<const true_time> deadlines;   // sorted instants worth trying: around deadlines
};

struct choice {
  std::size_t index = 0;  // into candidates
  true_time at = 0;       // in [candidates[index].earliest, limit]
};

class chooser {
 public:
  virtual ~chooser() = default;
  // A run of `value` begins.
  virtual void begin(const plan& value) = 0;
  virtual choice choose(const moment& now) = 0;
};

}  // namespace leaselab::sim
