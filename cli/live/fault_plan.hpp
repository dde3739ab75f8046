// The seeded plan of a live run: what goes wrong, when, to whom. The same seed and options give
// the same plan; what the machine makes of it is another matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/live/setup.hpp"

namespace leaselab::cli::live {

struct planned_fault {
  sim::true_duration at = 0;  // from the beginning of the run
  fault_kind what = fault_kind::kill;
  int worker = 0;
  int key = -1;  // not below 0: whoever holds that key then, `worker` if nobody does
  // kill: until the next incarnation. cut: how long writes are held before, so that the cut meets
  // requests under way; on its own server only. clock: none, it lasts until the next.
  sim::true_duration length = 0;
  std::int64_t rate_ppm = 0;  // clock only: true time's rate is 1,000,000

  bool operator==(const planned_fault&) const = default;
};

// In the order of their instants.
std::vector<planned_fault> make_plan(const setup& of);

// A line each, for the run's folder.
std::string to_json_lines(const std::vector<planned_fault>& plan);
// "12 kill, 15 stop"; "no faults".
std::string summary(const std::vector<planned_fault>& plan);

}  // namespace leaselab::cli::live
