// What the command line said, word for word; verbs turn it into values (values.hpp).
#pragma once

#include <string>
#include <vector>

namespace leaselab::cli {

struct options {
  std::string command;                 // all of it on one line, for reports: "check -p redis"
  std::vector<std::string> arguments;  // what stands without a flag
  std::vector<std::string> providers, properties, profiles;  // names and globs
  // Numbers and durations as they were typed; empty: not given.
  std::string schedules, time_limit, workload, processes, calls, margin;
  std::string client;  // how processes live on leases: check's runtimes, live's workers
  std::string engine = "model";
  std::string as = "lease";
  std::string strategy = "portfolio";
  std::string seed, jobs, until, runs;
  std::string filter, repetitions;   // bench
  std::vector<std::string> mutants;  // score: ids and globs
  std::string seeds;                 // score
  std::string out = "leaselab-out";
  std::string json, junit, html, markdown;  // files to write; empty: none
  std::string redis, duration, faults;      // live
  std::string reading, granule, budget;     // judge
  std::string perfetto;                     // explain
  std::string svg;                          // sweep
  bool verbose = false, print = false, live = false, mermaid = false;
  bool each_switch = false, best_effort = false;
  std::string resume, time_moves, sample;  // exhaustive
  bool no_reduction = false;               // likewise
  bool split_scripts = false, then_explore = false;
};

}  // namespace leaselab::cli
