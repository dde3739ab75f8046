// What a program of a user's adds to this one. Set before the first verb runs, and not changed
// afterwards.
#pragma once

#include <deque>
#include <string>

#include "providers/handed_in.hpp"
#include "sim/deployment.hpp"

namespace leaselab::cli {

struct added_provider {
  handed_in given;
  sim::variant variant;
};

// In the order in which they were added.
const std::deque<added_provider>& added_providers();
const added_provider* find_added(const std::string& name);  // null: there is none

// Throws usage_error: the name is taken, or cannot be one. host_failed: its factory makes nothing.
void add_provider(handed_in value);

// How the program was called; replay commands begin with it.
void set_program_name(std::string typed);
// It measures its providers itself when it is started with this word in front; otherwise there is
// a benchmark program beside it.
inline constexpr const char* bench_word = "bench-child";
void set_benches_itself();
bool benches_itself();

}  // namespace leaselab::cli
