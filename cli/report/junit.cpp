#include "cli/report/junit.hpp"

#include <fmt/format.h>

#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::cell_result;

// One <testsuite> that is being filled.
struct suite {
  std::string name;
  std::string body;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(const std::string& test, const std::string& inside) {
    ++tests;
    body += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(name), escaped(test));
    body += inside.empty() ? "/>\n" : fmt::format(">{}</testcase>\n", inside);
  }
  void fail(const std::string& test, const std::string& message, const std::string& text) {
    ++failures;
    add(test, fmt::format("<failure message=\"{}\">{}</failure>", escaped(message), escaped(text)));
  }
  void error(const std::string& test, const std::string& message) {
    ++errors;
    add(test, fmt::format("<error message=\"{}\"/>", escaped(message)));
  }
  void skip(const std::string& test) {
    ++skipped;
    add(test, "<skipped/>");
  }

  std::string text() const {
    return fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
        "{}  </testsuite>\n",
        escaped(name), tests, failures, errors, skipped, body);
  }
};

std::string document(const std::string& head, const std::string& suites) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n{}</testsuites>\n",
      escaped(head), suites);
}

void add_cell(suite& to, const check_report& report, const properties::cell& one) {
  if (one.result == cell_result::not_applicable) return to.skip(one.property);
  if (one.result == cell_result::unknown) {
    return to.error(one.property, "unknown: the budget is spent, or nothing was judged");
  }
  if (one.result != cell_result::broken) return to.add(one.property, "");
  if (!one.witness) return to.fail(one.property, "guaranteed, violated", "");
  to.fail(one.property, report.result.witnesses[*one.witness].text,
          replay_command(report.witnesses[*one.witness].trace));
}

void add_run(suite& to, const scenario_run& one) {
  if (one.ended == run_end::skipped) return to.skip(one.provider);
  if (one.ended == run_end::unknown) return to.error(one.provider, one.got);
  if (one.ended == run_end::ok) return to.add(one.provider, "");
  std::string text;
  for (const auto& each : one.violations) text += each.property + ": " + each.text + "\n";
  to.fail(one.provider, fmt::format("expected {}, got {}", one.expected, one.got), text);
}

}  // namespace

std::string check_junit(const check_report& report) {
  std::string suites;
  for (const auto& provider : report.cells.providers()) {
    for (const auto& profile : report.cells.profiles()) {
      suite one{provider + "." + profile, {}};
      for (const auto& property : report.cells.properties()) {
        const auto* const cell = report.cells.at(provider, property, profile);
        if (cell) add_cell(one, report, *cell);
      }
      if (one.tests > 0) suites += one.text();
    }
  }
  return document(report.head, suites);
}

std::string run_junit(const run_report& report) {
  std::string suites;
  for (std::size_t i = 0; i < report.runs.size();) {
    suite one{report.runs[i].scenario, {}};
    for (; i < report.runs.size() && report.runs[i].scenario == one.name; ++i) {
      add_run(one, report.runs[i]);
    }
    suites += one.text();
  }
  return document(report.head, suites);
}

}  // namespace leaselab::cli
