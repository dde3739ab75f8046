#include <fmt/format.h>

#include "cli/report/missing.hpp"
#include "cli/report/page.hpp"
#include "cli/report/run_report.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

std::string_view look_of(run_end ended) {
  switch (ended) {
    case run_end::ok:
      return "holds";
    case run_end::not_ok:
      return "broken";
    case run_end::unknown:
      return "unknown";
    case run_end::skipped:
      break;
  }
  return "quiet";
}

std::string details_of(const scenario_run& run) {
  std::string out = escaped(run.got);
  for (const auto& one : run.violations)
    out += fmt::format("<br><span class=\"{}\">{}</span>: {}", one.expected ? "quiet" : "broken",
                       escaped(one.property), escaped(one.text));
  for (const auto& note : run.notes) out += fmt::format("<br><small>{}</small>", escaped(note));
  if (!run.trace.empty()) out += "<br>" + html_replay(run.trace);
  return out;
}

std::string figures(const run_report& report) {
  std::string out = counted(report.runs.size(), "run", "runs");
  for (const auto end : {run_end::ok, run_end::not_ok, run_end::unknown, run_end::skipped})
    if (report.count(end) > 0) out += fmt::format(", {} {}", report.count(end), to_string(end));
  return out + fmt::format(" in {:.1f} s", report.seconds);
}

}  // namespace

std::string run_html(const run_report& report) {
  std::string rows, scenario;
  for (const auto& one : report.runs) {
    if (one.scenario != scenario)
      rows += fmt::format("<tr><th colspan=\"4\">{} <small>{}</small></th></tr>\n",
                          escaped(one.title), escaped(one.scenario));
    scenario = one.scenario;
    rows += html_row({{std::string(to_string(one.ended)), std::string(look_of(one.ended))},
                      {escaped(one.provider)},
                      {escaped(one.expected), "wide"},
                      {details_of(one), "wide"}});
  }
  std::string missing = missing_lines(report.own);
  if (!missing.empty()) missing = fmt::format("<p>{}</p>\n", escaped(missing));
  return html_page("Scenarios", report.head,
                   fmt::format("<p>{}</p>\n", figures(report)) + missing +
                       html_table({"", "provider", "expected", "got"}, rows));
}

}  // namespace leaselab::cli
