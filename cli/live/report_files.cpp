// A live run as a page and for continuous integration.
#include <fmt/format.h>

#include "cli/live/report.hpp"
#include "cli/report/junit_suite.hpp"
#include "cli/report/page.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli::live {
namespace {

using properties::verdict;

std::string look_of(verdict value) {
  if (value == verdict::holds) return "holds";
  return value == verdict::violated ? "broken" : "unknown";
}

std::string row(const judged& one, const setup& of) {
  const auto ms = static_cast<double>(one.longest_ns) / 1e6;
  const auto share = static_cast<double>(one.longest_ns) / static_cast<double>(of.ttl());
  return html_row(
      {{escaped(one.property)},
       {std::string(properties::to_string(one.value)), look_of(one.value)},
       {fmt::format("{} {}", grouped(one.looked_at), escaped(one.of)), "number"},
       {grouped(one.overlaps), "number"},
       {one.overlaps > 0 ? fmt::format("{:.1f} ms ({:.2f} ttl)", ms, share) : "-", "number"},
       {grouped(one.uncertain), "number"},
       {escaped(one.text), "wide"}});
}

}  // namespace

std::string live_html(const live_report& report) {
  const setup& of = *report.of;
  std::string rows;
  for (const auto& one : report.verdicts) rows += row(one, of);
  std::string body =
      fmt::format("<p>{} on {}: {}, {}, ttl {} ms, margin {} %</p>\n<p>plan: {}</p>\n",
                  escaped(of.provider), escaped(report.server),
                  counted(of.processes, "process", "processes"), counted(of.keys, "key", "keys"),
                  of.ttl_ms, static_cast<double>(of.margin_ppm) / 10'000, escaped(report.plan));
  body += html_table(
      {"property", "", "looked at", "overlaps", "the longest", "uncertain", "the first"}, rows);
  for (const auto& what : report.books->surprises)
    body += fmt::format("<p>{}</p>\n", escaped(what));
  if (report.books->interrupted) body += "<p>interrupted: this is what was seen until then</p>\n";
  body += fmt::format("<p>kept in <code>{}</code>; again: <code>{}</code></p>\n",
                      escaped(report.folder), escaped(report.repeat));
  return html_page("Real processes", report.head, body);
}

std::string live_junit(const live_report& report) {
  junit_suite suite("live." + report.of->provider);
  for (const auto& one : report.verdicts) {
    if (one.value == verdict::violated) {
      suite.fail(one.property, one.text, report.repeat);
    } else if (one.value == verdict::holds) {
      suite.pass(one.property);
    } else {
      suite.error(one.property, one.text.empty() ? "unknown" : one.text);
    }
  }
  return junit_document(report.head, suite.text());
}

}  // namespace leaselab::cli::live
