#include "cli/report/conform_pages.hpp"

#include <fmt/format.h>

#include "cli/report/markdown.hpp"
#include "cli/report/missing.hpp"
#include "cli/report/page.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::conformance::row;

std::string got_of(const row& one) { return one.got.empty() ? "-" : one.got; }

std::string look_of(const row& one) {
  if (one.broken()) return "broken";
  if (one.ended == properties::conformance::row_end::departed) return "witness";
  return one.ended == properties::conformance::row_end::ok ? "holds" : "quiet";
}

std::string row_of(const conform_report& report, std::size_t index) {
  const row& one = report.rows[index];
  std::string got = escaped(got_of(one));
  if (!one.why.empty()) got += fmt::format("<br><small>{}</small>", escaped(one.why));
  if (index < report.traces.size()) got += html_replay(report.traces[index]);
  return html_row({{std::string(word_of(one)), look_of(one)},
                   {escaped(one.edge)},
                   {escaped(one.expected)},
                   {got, "wide"}});
}

std::string row_markdown(const row& one) {
  const std::string why = one.why.empty() ? "" : fmt::format(" ({})", in_cell(one.why));
  return fmt::format("| {0}{1}{0} | {2} | {3} | {4}{5} |\n", one.broken() ? "**" : "", word_of(one),
                     in_cell(one.edge), in_cell(one.expected), in_cell(got_of(one)), why);
}

}  // namespace

std::string conform_html(const conform_report& report) {
  std::string body = fmt::format("<p>{}</p>\n", escaped(report.summary()));
  const std::string missing = missing_line(report.provider);
  if (!missing.empty()) body += fmt::format("<p>{}</p>\n", escaped(missing));
  for (const auto& group : by_operation(report)) {
    std::string rows;
    for (const auto index : group.rows) rows += row_of(report, index);
    body += html_table({"", std::string(to_string(group.what)), "expected", "got"}, rows);
  }
  return html_page("The contract, edge by edge", report.head, body);
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
