// One scenario with one provider, run and held against its expectation.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "cli/execution.hpp"
#include "cli/report/run_report.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::cli {

struct run_choices {
  std::string engine = "model";
  std::optional<std::uint64_t> seed;  // instead of the scenario's own
  std::string strategy;               // likewise; empty: the scenario's own
  // Every order of the stated calls instead, whatever the instants.
  std::optional<properties::exhaustive_options> every_order;
  const std::atomic<bool>* stop = nullptr;
};

// A finished run, and what to write down if it was not as expected.
struct finished_run {
  scenario_run report;
  std::optional<sim::trace_header> evidence;  // of the run to look at, with its decisions
};

finished_run run_scenario(const scenarios::scenario& value, const std::string& provider,
                          execution& world, const run_choices& choices);

// Throws usage_error for a claim that no run can be held against.
void expect_known_claims(const scenarios::scenario& value);

// Why this scenario cannot be run with that provider here; empty: it can.
std::string reason_to_skip(const scenarios::scenario& value, const std::string& provider,
                           const std::string& engine);
// Why its calls cannot be run in every order; empty: they can.
std::string reason_not_to_walk(const scenarios::scenario& value, const std::string& provider);

}  // namespace leaselab::cli
