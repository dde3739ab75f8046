// What all reports of scenario runs are made from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/deployment.hpp"

namespace leaselab::cli {

enum class run_end : std::uint8_t { ok, not_ok, unknown, skipped };
std::string_view to_string(run_end value);

// A property that one run of a scenario violated.
struct run_violation {
  std::string property, text;
  bool expected = false;  // or of something that the provider does not guarantee here
};

// One scenario with one provider.
struct scenario_run {
  std::string scenario;  // its file, with the variation of its matrix
  std::string title;
  std::string provider;
  std::string expected, got;
  std::vector<run_violation> violations;
  std::vector<std::string> notes;  // a fault that was never met, a call that was not made
  std::uint64_t schedules = 0;
  std::uint64_t digest = 0;
  run_end ended = run_end::ok;
  std::string trace;  // where a run that is not ok was written; may be empty
};

struct run_report {
  std::string head;  // the first line: version, seed, what was typed
  std::string seed;  // instead of the scenarios' own; empty: those
  std::vector<scenario_run> runs;
  std::vector<const sim::variant*> own;  // those of the providers that are not built in
  double seconds = 0;

  std::size_t count(run_end ended) const;
};

// The terminal's form: a line a run, of many runs only of those that are not ok, and a summary.
std::string run_text(const run_report& report, bool colours);
// All runs in a table, as one page.
std::string run_html(const run_report& report);

}  // namespace leaselab::cli
