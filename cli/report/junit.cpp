#include "cli/report/junit.hpp"

#include <fmt/format.h>

#include "cli/report/junit_suite.hpp"

namespace leaselab::cli {
namespace {

using properties::cell_result;

void add_cell(junit_suite& to, const check_report& report, const properties::cell& one) {
  if (one.result == cell_result::not_applicable) return to.skip(one.property);
  if (one.result == cell_result::unknown) {
    return to.error(one.property, "unknown: the budget is spent, or nothing was judged");
  }
  if (one.result != cell_result::broken) return to.pass(one.property);
  if (!one.witness) return to.fail(one.property, "guaranteed, violated", "");
  to.fail(one.property, report.result.witnesses[*one.witness].text,
          replay_command(report.witnesses[*one.witness].trace));
}

void add_run(junit_suite& to, const scenario_run& one) {
  if (one.ended == run_end::skipped) return to.skip(one.provider);
  if (one.ended == run_end::unknown) return to.error(one.provider, one.got);
  if (one.ended == run_end::ok) return to.pass(one.provider);
  std::string text;
  for (const auto& each : one.violations) text += each.property + ": " + each.text + "\n";
  to.fail(one.provider, fmt::format("expected {}, got {}", one.expected, one.got), text);
}

}  // namespace

std::string check_junit(const check_report& report) {
  std::string suites;
  for (const auto& provider : report.cells.providers()) {
    for (const auto& profile : report.cells.profiles()) {
      junit_suite one(provider + "." + profile);
      for (const auto& property : report.cells.properties()) {
        const auto* const cell = report.cells.at(provider, property, profile);
        if (cell) add_cell(one, report, *cell);
      }
      if (!one.empty()) suites += one.text();
    }
  }
  return junit_document(report.head, suites);
}

std::string run_junit(const run_report& report) {
  std::string suites;
  for (std::size_t i = 0; i < report.runs.size();) {
    const std::string scenario = report.runs[i].scenario;
    junit_suite one(scenario);
    for (; i < report.runs.size() && report.runs[i].scenario == scenario; ++i) {
      add_run(one, report.runs[i]);
    }
    suites += one.text();
  }
  return junit_document(report.head, suites);
}

}  // namespace leaselab::cli
