// Faulty providers that the suite must catch: each is a correct provider with one small change.
//
// Here are the faults of providers and of their environment (M01 to M40, N02, N12, N14, N15).
// Those of clients (N01, N03 to N11, N13) are policies of the runtime and are not here yet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/deployment.hpp"

namespace leaselab::properties {

struct mutant {
  std::string id;        // "M10"
  std::string name;      // a few words: what the provider does wrong
  std::string sentence;  // what it does, and the schedule that shows it
  std::string base;      // the correct variant that it was made from: "redis" or "memory"
  // The property that it breaks, and those that may fail as a consequence. A kill by any other is
  // none.
  std::vector<std::string> killed_by;
  // Named "mutant:M10". It declares what its base declares and is held to it; only how many trips
  // an acquire makes is its own.
  sim::variant variant;
};

// In the order of their ids.
const std::vector<mutant>& mutants();
// "M10" or "mutant:M10". Null: there is none of that name.
const mutant* find_mutant(std::string_view id);

}  // namespace leaselab::properties
