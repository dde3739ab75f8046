// A world runs one plan: processes with clocks of their own, a backend, a network, faults. It owns
// everything, shares nothing, and reuses its memory from run to run.
#pragma once

#include <memory>

#include "sim/choice.hpp"
#include "sim/deployment.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::sim {

class world {
 public:
  // `engine` is needed where the variant says so.
  explicit world(const variant& deployed, std::unique_ptr<redis::engine> engine = nullptr);
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  // Runs `value` to its end. The record is valid until the next run.
  const run_record& run(const plan& value, chooser& choices);

  // What the run under way has recorded so far, for choosers that look back.
  const run_record& record() const;
  // Of the last run: every choice in order. Replaying the plan with these gives the same run.
  const std::vector<decision>& decisions() const;
  // Of the last run: what detection found in every process.
  bool fallback_selected() const;
  bool lacks_operations() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace leaselab::sim
