// lease.linearizable: the history is explained by one sequential lease with deadlines in the
// declared reading.
#pragma once

#include <memory>
#include <vector>

#include "properties/history_checker.hpp"
#include "properties/property.hpp"

namespace leaselab::properties {

struct linearizability_options {
  // A denial without a name claims that nobody held the key, which no lease explains. False: it
  // claims nothing (`--as lock`).
  bool denials_name_owners = true;
  std::uint64_t step_limit = 1'000'000;  // for each key of a run
};

std::unique_ptr<property> make_linearizable(const linearizability_options& options = {});

// The calls of one key as the checker takes them, in the order of events: with zero delays a whole
// handoff happens at one true instant, and still one call was answered before the next was made.
// `indices` receives the call behind each operation.
void history_of(const sim::run_record& run, sim::key_id key, const guarantees& declared,
                const linearizability_options& options, std::vector<history_operation>& history,
                std::vector<sim::call_index>& indices);

}  // namespace leaselab::properties
