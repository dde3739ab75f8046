// A linearization read off an instrumented run. Internal to lease.linearizable.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/lease_model.hpp"
#include "properties/linearizability.hpp"

namespace leaselab::properties {

// Nearly every run of a correct provider is explained by the order in which its backend steps
// happened: each call takes effect at its last step that changed the record, or, if none did, at
// some step whose instant explains the answer. Running the sequential lease along them is enough
// to know that the history is linearizable; failing proves nothing.
class step_witness {
 public:
  bool explains(const run_context& context, const linearizability_options& options);

 private:
  void find_effects(const run_context& context);
  bool follow(const run_context& context, const linearizability_options& options);

  struct call_progress {
    std::uint32_t effect = ~0u;  // index into the timeline's steps; none: it changed nothing
    bool explained = false;
  };
  std::vector<call_progress> calls_;
  std::vector<lease_state> states_;  // by key
};

}  // namespace leaselab::properties
