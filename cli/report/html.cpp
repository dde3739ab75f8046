#include "cli/report/html.hpp"

#include <fmt/format.h>

#include "cli/report/text.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

using properties::cell;
using properties::cell_result;

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em; max-width: 110em; }
table { border-collapse: collapse; }
th, td { padding: .25em .7em; text-align: left; border-bottom: 1px solid #8884; }
thead th { position: sticky; top: 0; background: Canvas; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
.holds { color: #2a7; } .broken { color: #fff; background: #c22; font-weight: bold; }
.witness { color: #b70; } .limit { color: #38c; } .unknown { background: #fc06; }
.unwitnessed, .not_applicable { opacity: .6; }
section { margin: 2em 0; overflow-x: auto; } small { opacity: .7; }
)";

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
  std::string out = "<table><thead><tr><th>property</th>";
  for (const auto& provider : report.cells.providers()) {
    out += fmt::format("<th>{}</th>", escaped(provider));
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& property : report.cells.properties()) {
    out += fmt::format("<tr><th>{}</th>", escaped(property));
    for (const auto& provider : report.cells.providers()) {
      out += matrix_cell(report, provider, property);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
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
      "<p><code>{}</code></p>\n{}</section>\n",
      anchor(index), result_of(report, index), result_of(report, index), escaped(one.property),
      escaped(one.provider), escaped(one.profile), escaped(one.text),
      escaped(replay_command(written.trace)), written.timeline);
}

std::string figures(const check_report& report) {
  std::string out = fmt::format("{} schedules in {:.1f} s", grouped(report.result.schedules),
                                report.result.seconds);
  for (const auto result : all_results()) {
    out += fmt::format(" · {} {}", grouped(report.cells.count(result)), to_string(result));
  }
  if (report.result.digest) out += " · digest " + sim::digest_text(*report.result.digest);
  return out;
}

}  // namespace

std::string check_html(const check_report& report) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>leaselab: the guarantee matrix</title><style>{}</style></head><body>\n"
      "<h1>The guarantee matrix</h1>\n<p><code>{}</code></p>\n<p>{}</p>\n",
      style, escaped(report.head), escaped(figures(report)));
  out += matrix_html(report);
  for (const std::size_t index : witnesses_by_badness(report)) out += witness_html(report, index);
  return out + "</body></html>\n";
}

}  // namespace leaselab::cli
