#include "cli/report/conform_pages.hpp"

#include <fmt/format.h>

#include "cli/report/check_report.hpp"
#include "cli/report/missing.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::conformance::row;

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em; max-width: 110em; }
table { border-collapse: collapse; margin-bottom: 2em; }
th, td { padding: .25em .7em; text-align: left; vertical-align: top; }
th, td { border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: 13px; }
.ok { color: #2a7; } .broken { color: #fff; background: #c22; font-weight: bold; }
.departed { color: #b70; } .not { opacity: .6; } small { opacity: .7; }
)";

std::string got_of(const row& one) { return one.got.empty() ? "-" : one.got; }

std::string row_html(const conform_report& report, std::size_t index) {
  const row& one = report.rows[index];
  std::string why = one.why.empty() ? "" : fmt::format("<br><small>{}</small>", escaped(one.why));
  if (index < report.traces.size() && !report.traces[index].empty())
    why += fmt::format("<br><code>{}</code>", escaped(replay_command(report.traces[index])));
  return fmt::format("<tr><td class=\"{0}\">{0}</td><td>{1}</td><td>{2}</td><td>{3}{4}</td></tr>\n",
                     word_of(one), escaped(one.edge), escaped(one.expected), escaped(got_of(one)),
                     why);
}

// Markdown splits cells at bars, whatever stands around them.
std::string in_cell(std::string_view text) {
  std::string out;
  for (const char one : escaped(text)) {
    if (one == '|' || one == '\\' || one == '`' || one == '*' || one == '_') out += '\\';
    out += one == '\n' ? ' ' : one;
  }
  return out;
}

std::string row_markdown(const row& one) {
  const std::string why = one.why.empty() ? "" : fmt::format(" ({})", in_cell(one.why));
  return fmt::format("| {0}{1}{0} | {2} | {3} | {4}{5} |\n", one.broken() ? "**" : "", word_of(one),
                     in_cell(one.edge), in_cell(one.expected), in_cell(got_of(one)), why);
}

}  // namespace

std::string conform_html(const conform_report& report) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>leaselab: the contract</title><style>{}</style></head><body>\n"
      "<h1>The contract, edge by edge</h1>\n<p><code>{}</code></p>\n<p>{}</p>\n<p>{}</p>\n",
      style, escaped(report.head), escaped(report.summary()),
      escaped(missing_line(report.provider)));
  for (const auto& group : by_operation(report)) {
    out += fmt::format(
        "<table><thead><tr><th></th><th>{}</th><th>expected</th><th>got</th></tr></thead><tbody>\n",
        to_string(group.what));
    for (const auto index : group.rows) out += row_html(report, index);
    out += "</tbody></table>\n";
  }
  return out + "</body></html>\n";
}

std::string conform_markdown(const conform_report& report) {
  std::string out = fmt::format("`{}`\n\n{}\n", report.head, report.summary());
  const std::string missing = missing_line(report.provider);
  if (!missing.empty()) out += "\n" + in_cell(missing) + "\n";
  for (const auto& group : by_operation(report)) {
    out += fmt::format("\n| | {} | expected | got |\n|---|---|---|---|\n", to_string(group.what));
    for (const auto index : group.rows) out += row_markdown(report.rows[index]);
  }
  return out;
}

}  // namespace leaselab::cli
