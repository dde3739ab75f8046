// The run itself: starts the workers, lets the plan happen, keeps the machine's books, and leaves
// no child behind, however it ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/live/clock_table.hpp"
#include "cli/live/fault_plan.hpp"
#include "cli/live/server_side.hpp"

namespace leaselab::cli::live {

// One process incarnation, from true instant to true instant.
struct incarnation {
  int worker = 0;
  std::string name;  // "w2.1"
  std::int64_t started = 0;
  // Its end lies between these two, if it was killed.
  std::optional<std::int64_t> killed_from, killed_by;
};

struct run_books {
  std::int64_t begin = 0;  // true time, ns
  std::vector<incarnation> incarnations;
  std::vector<std::vector<clock_segment>> clocks;  // by worker
  std::vector<std::string> events;                 // JSON lines: what was really done, and when
  std::vector<std::string> surprises;              // sentences: what nobody planned, for the report
  bool child_lost = false;  // a worker failed by itself, or the server was lost
  bool interrupted = false;
  // By how much the server's clock is known to have departed from true time meanwhile.
  std::int64_t clock_spread_ns = 0;
};

// `folder` exists. `stop` ends it early.
run_books run(const setup& of, const std::vector<planned_fault>& plan, server_side& server,
              const std::filesystem::path& folder, const std::atomic<bool>& stop);

}  // namespace leaselab::cli::live
