// The world of a sweep: a holder that takes a lease once and works as long as it believes to hold
// it, and a contender that asks for it around its end. Internal to the sweep.
#pragma once

#include "properties/search/sweep.hpp"
#include "sim/choice.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

inline constexpr sim::process_id sweep_holder = 0, sweep_contender = 1;

// How the worst case runs: everything at once, but for the holder's work steps on their way to a
// remote resource, which take as long as they may.
class worst_case_chooser final : public sim::chooser {
 public:
  void begin(const sim::plan&) override {}
  sim::choice choose(const sim::moment& now) override;
};

// `spread`: how long messages may take where the delay axis says nothing; 0 in the worst case.
sim::plan sweep_plan(const sweep_point& at, const guarantees& declared, sim::true_duration spread);

// When the holder's belief ends, and when its lease does at the earliest: true ns since it asked.
double belief_ends_ns(const sweep_point& at);
double lease_ends_ns(const guarantees& declared);

}  // namespace leaselab::properties
