// A sweep as a page and for continuous integration.
#include <fmt/format.h>

#include "cli/report/junit_suite.hpp"
#include "cli/report/page.hpp"
#include "cli/report/sweep_report.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::info_of;
using properties::sweep_edge;
using properties::sweep_guarantee;
using properties::sweep_line;

html_cell share_cell(const std::optional<double>& ppm) {
  return {ppm ? share_text(*ppm) : "-", "number"};
}

std::string edge_row(const sweep_report& report, const swept_provider& one, const sweep_line& line,
                     sweep_guarantee guarantee) {
  const auto& edge = edge_of(line, guarantee);
  const bool early = properties::ends_early(report.axis, line.at, edge, guarantee, one.declared);
  const auto off = edge.off_by();
  std::vector<html_cell> cells;
  if (report.second) cells.push_back(share_cell(double(line.at[*report.second])));
  cells.push_back({std::string(name_of(guarantee))});
  cells.push_back({holds_text(report, edge), early ? "broken" : ""});
  cells.push_back(share_cell(edge.analytic_ppm));
  cells.push_back({off ? fmt::format("{:+.2f} %", *off * 100) : "-", "number"});
  return html_row(cells);
}

std::string table_of(const sweep_report& report, const swept_provider& one) {
  std::vector<std::string> heads;
  if (report.second) heads.emplace_back(info_of(*report.second).name);
  heads.insert(heads.end(),
               {"", fmt::format("holds ({})", info_of(report.axis).name), "analytic", "off by"});
  std::string rows;
  for (const auto& line : one.result.lines)
    for (const auto guarantee : {sweep_guarantee::belief, sweep_guarantee::effect})
      rows += edge_row(report, one, line, guarantee);
  std::string out = fmt::format("<h2>{}</h2>\n", escaped(one.name));
  if (one.result.vacuous)
    out += "<p><span class=\"unknown\">unknown</span>: the contender never got the lease</p>\n";
  return out + html_table(heads, rows);
}

std::string place_of(const sweep_report& report, const sweep_line& line,
                     sweep_guarantee guarantee) {
  std::string out(name_of(guarantee));
  if (report.second)
    out += fmt::format(" at {} {}", info_of(*report.second).name,
                       share_text(double(line.at[*report.second])));
  return out;
}

}  // namespace

std::string sweep_html(const sweep_report& report) {
  std::string body;
  for (const auto& sentence : report.early())
    body += fmt::format("<p><span class=\"broken\">violated</span> {}</p>\n", escaped(sentence));
  if (report.second) body += "<div class=\"scroll\">" + sweep_svg(report) + "</div>\n";
  for (const auto& one : report.providers) body += table_of(report, one);
  return html_page("Where a guarantee ends", report.head,
                   body + fmt::format("<p><small>{}</small></p>\n", escaped(sweep_formula())));
}

std::string sweep_junit(const sweep_report& report) {
  std::string suites;
  for (const auto& one : report.providers) {
    junit_suite suite(fmt::format("{}.{}", one.name, info_of(report.axis).name));
    for (const auto& line : one.result.lines) {
      for (const auto guarantee : {sweep_guarantee::belief, sweep_guarantee::effect}) {
        const auto& edge = edge_of(line, guarantee);
        const auto test = place_of(report, line, guarantee);
        if (one.result.vacuous) {
          suite.error(test, "unknown: the contender never got the lease");
        } else if (properties::ends_early(report.axis, line.at, edge, guarantee, one.declared)) {
          suite.fail(test,
                     fmt::format("holds {}, where the formula says {}", holds_text(report, edge),
                                 edge.analytic_ppm ? share_text(*edge.analytic_ppm)
                                                   : std::string("everywhere")),
                     "");
        } else {
          suite.pass(test);
        }
      }
    }
    suites += suite.text();
  }
  return junit_document(report.head, suites);
}

}  // namespace leaselab::cli
