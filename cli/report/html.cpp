#include "cli/report/html.hpp"

#include <fmt/format.h>

#include "cli/report/missing.hpp"
#include "cli/report/page.hpp"
#include "cli/report/text.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

using properties::cell;
using properties::cell_result;

// As it is read, not as it is spelt in JSON.
std::string words_of(cell_result result) {
  return result == cell_result::not_applicable ? "not applicable" : std::string(to_string(result));
}

std::string anchor(std::size_t witness) { return fmt::format("witness-{}", witness + 1); }

std::string cell_link(const cell& one, const std::string& text) {
  if (!one.witness) return escaped(text);
  return fmt::format("<a href=\"#{}\">{}</a>", anchor(*one.witness), escaped(text));
}

// The worst result, with all profiles behind it.
std::string matrix_cell(const check_report& report, const std::string& provider,
                        const std::string& property) {
  const cell* const worst = report.cells.worst(provider, property);
  if (!worst || worst->result == cell_result::not_applicable) {
    return "<td class=\"not_applicable\">-</td>";
  }
  std::string lines;
  for (const auto& profile : report.cells.profiles()) {
    const cell* const one = report.cells.at(provider, property, profile);
    if (!one) continue;
    lines += fmt::format("<div class=\"{}\">{}</div>", to_string(one->result),
                         cell_link(*one, fmt::format("{} {}", profile, to_string(one->result))));
  }
  std::string text(to_string(worst->result));
  if (worst->result != cell_result::holds) text += " " + worst->profile;
  return fmt::format(
      "<td><details><summary class=\"{}\">{}</summary><small>{}</small></details></td>",
      to_string(worst->result), escaped(text), lines);
}

std::string matrix_html(const check_report& report) {
  std::vector<std::string> heads{"property"};
  for (const auto& provider : report.cells.providers()) heads.push_back(provider);
  std::string rows;
  for (const auto& property : report.cells.properties()) {
    rows += fmt::format("<tr><th>{}</th>", escaped(property));
    for (const auto& provider : report.cells.providers())
      rows += matrix_cell(report, provider, property);
    rows += "</tr>\n";
  }
  return html_table(heads, rows);
}

std::string_view result_of(const check_report& report, std::size_t index) {
  for (const auto& one : report.result.cells) {
    if (one.witness == index) return to_string(one.result);
  }
  return "witness";
}

std::string witness_html(const check_report& report, std::size_t index) {
  const auto& one = report.result.witnesses[index];
  const auto& written = report.witnesses[index];
  return fmt::format(
      "<section id=\"{}\"><h2><span class=\"{}\">{}</span> {} of {} in {}</h2>\n<p>{}</p>\n"
      "<p>{}</p>\n<div class=\"scroll\">{}</div></section>\n",
      anchor(index), result_of(report, index), result_of(report, index), escaped(one.property),
      escaped(one.provider), escaped(one.profile), escaped(one.text), html_replay(written.trace),
      written.timeline);
}

std::string figures(const check_report& report) {
  std::string out = fmt::format("{} schedules in {:.1f} s", grouped(report.result.schedules),
                                report.result.seconds);
  for (const auto result : all_results()) {
    out += fmt::format(" · {} {}", grouped(report.cells.count(result)), words_of(result));
  }
  if (report.result.digest) out += " · digest " + sim::digest_text(*report.result.digest);
  return out;
}

}  // namespace

std::string check_html(const check_report& report) {
  std::string body = fmt::format("<p>{}</p>\n", escaped(figures(report))) + matrix_html(report);
  if (const auto missing = missing_lines(report.asked.providers); !missing.empty())
    body += fmt::format("<p>{}</p>\n", escaped(missing));
  for (const std::size_t index : witnesses_by_badness(report)) body += witness_html(report, index);
  return html_page("The guarantee matrix", report.head, body);
}

}  // namespace leaselab::cli
