#include "cli/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/check_report.hpp"
#include "cli/report/missing.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"

namespace leaselab::cli {
namespace {

// As many lines as one looks through; of more runs only those that want a look.
constexpr std::size_t few_runs = 40;

colour colour_of(run_end ended) {
  switch (ended) {
    case run_end::ok:
      return colour::green;
    case run_end::not_ok:
      return colour::red;
    case run_end::unknown:
      return colour::yellow;
    case run_end::skipped:
      break;
  }
  return colour::dim;
}

std::string lines_of(const scenario_run& run, bool colours) {
  std::string out =
      fmt::format("{}  {} with {}: ", painted(to_string(run.ended), colour_of(run.ended), colours),
                  run.scenario, run.provider);
  out += run.ended == run_end::ok || run.ended == run_end::skipped
             ? run.got + "\n"
             : fmt::format("expected {}, got {}\n", run.expected, run.got);
  for (const auto& one : run.violations) {
    out += fmt::format("        {}{}: {}\n", one.expected ? "" : "! ", one.property, one.text);
  }
  for (const auto& note : run.notes) out += fmt::format("        note: {}\n", note);
  if (!run.trace.empty()) out += fmt::format("        {}\n", replay_command(run.trace));
  return out;
}

// Of a run that is as expected: what it did not do.
std::string note_lines(const scenario_run& run) {
  std::string out;
  for (const auto& note : run.notes) {
    out += fmt::format("note  {} with {}: {}\n", run.scenario, run.provider, note);
  }
  if (run.ended == run_end::skipped) {
    out += fmt::format("skipped  {} with {}: {}\n", run.scenario, run.provider, run.got);
  }
  return out;
}

}  // namespace

std::string_view to_string(run_end value) {
  switch (value) {
    case run_end::ok:
      return "ok";
    case run_end::not_ok:
      return "not ok";
    case run_end::unknown:
      return "unknown";
    case run_end::skipped:
      return "skipped";
  }
  return "?";
}

std::size_t run_report::count(run_end ended) const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [&](const scenario_run& one) { return one.ended == ended; }));
}

std::string run_text(const run_report& report, bool colours) {
  std::string out;
  const bool few = report.runs.size() <= few_runs;
  for (const auto& one : report.runs) {
    if (few || one.ended == run_end::not_ok || one.ended == run_end::unknown) {
      out += lines_of(one, colours);
    } else {
      out += note_lines(one);
    }
  }
  out += counted(report.runs.size(), "run", "runs");
  for (const auto end : {run_end::ok, run_end::not_ok, run_end::unknown, run_end::skipped}) {
    if (report.count(end) > 0) out += fmt::format(", {} {}", report.count(end), to_string(end));
  }
  out += fmt::format(" in {:.1f} s\n", report.seconds);
  return out + missing_lines(report.own);
}

}  // namespace leaselab::cli
