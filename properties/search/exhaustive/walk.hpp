// One line-up of programs walked to its end, or as far as one likes; and the checkpoint that holds
// where all walks of a search are.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "properties/search/exhaustive/explorer.hpp"
#include "properties/search/exhaustive/programs.hpp"
#include "properties/search/search.hpp"

namespace leaselab::properties {

struct walk {
  bool complete = false;
  std::uint64_t runs = 0, redundant = 0, steps = 0, violations = 0;
  std::uint64_t digest = 0;
  std::vector<tally> tallies;      // by property of the judge
  std::set<std::uint64_t> finals;  // final_state() of the runs
  std::vector<fork> path;          // of a walk that is not complete: how to go on
  std::map<std::uint32_t, std::vector<sim::decision>> first;  // by property: its first violation
};

struct walk_task {
  const campaign* of = nullptr;
  sim::plan plan;
  exploration how;
};

// Goes on with `so_far` until its end or until `stop`.
void go_on(walk& so_far, const walk_task& task, bench& own, const std::atomic<bool>* stop);

// All walks of a search in order. `scope` says which search: to go on is possible only with the
// very same one.
struct checkpoint {
  std::string scope;
  std::vector<walk> walks;
};
std::string to_text(const checkpoint& value);
// Throws std::invalid_argument that says what is wrong.
checkpoint checkpoint_from_text(const std::string& text);

}  // namespace leaselab::properties
