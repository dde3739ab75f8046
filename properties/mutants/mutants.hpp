// Faults that the suite must catch: each is a correct provider with one small change, or one whose
// processes run a client with one.
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
  std::string base;      // the correct variant that it was made from
  // The property that it breaks, and those that may fail as a consequence. A kill by any other is
  // none.
  std::vector<std::string> killed_by;
  // The fault is in the clients: the provider is its base, unchanged.
  bool in_clients() const { return variant.clients != nullptr; }
  // Named "mutant:M10". It declares what its base declares and is held to it; only how many trips
  // an acquire makes is its own.
  sim::variant variant;
};

// In the order of their ids.
const std::vector<mutant>& mutants();
// "M10" or "mutant:M10". Null: there is none of that name.
const mutant* find_mutant(std::string_view id);

}  // namespace leaselab::properties
