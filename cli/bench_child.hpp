// The benchmark program as a child process.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace leaselab::cli {

struct bench_end {
  int status = -1;    // its exit status; -1: a signal ended it
  std::string json;   // Google Benchmark's file, as far as it got
  std::string error;  // the first line that it complained with
};

// Next to the program as built, or below libexec as installed. Throws std::runtime_error.
std::string bench_program();

// Runs it with `flags`; `on_line` gets each line of its output. Once `stop` is set it is asked to
// end, and killed if it does not; it dies with us as well. Nothing is written to disk.
bench_end run_bench_child(std::vector<std::string> flags, const std::atomic<bool>& stop,
                          const std::function<void(const std::string&)>& on_line);

}  // namespace leaselab::cli
