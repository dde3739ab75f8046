#include "cli/report/conform_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "cli/report/missing.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::conformance::row;
using properties::conformance::row_end;

// Longer texts push what follows to the right; a column as wide as the longest would push it all.
constexpr int edge_width = 50, expected_width = 52;

template <class Predicate>
std::size_t count(const std::vector<row>& rows, Predicate predicate) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), predicate));
}

colour colour_of(const row& one) {
  if (one.broken()) return colour::red;
  if (one.ended == row_end::departed) return colour::yellow;
  return one.ended == row_end::ok ? colour::green : colour::dim;
}

std::string lines_of(const row& one, bool colours) {
  const auto mark = painted(fmt::format("{:<8}", word_of(one)), colour_of(one), colours);
  const std::string got = one.got.empty() ? "-" : one.got;
  std::string out = fmt::format("  {}  {:<{}}  {:<{}}  {}\n", mark, one.edge, edge_width,
                                one.expected, expected_width, got);
  if (!one.why.empty()) out += fmt::format("            {}\n", one.why);
  return out;
}

json::value or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : sim::json_text(text);
}

json::object row_value(const row& one, const std::string& trace) {
  return {{"operation", to_string(one.what)},
          {"edge", sim::json_text(one.edge)},
          {"expected", sim::json_text(one.expected)},
          {"got", or_null(one.got)},
          {"result", to_string(one.ended)},
          {"broken", one.broken()},
          {"property", or_null(one.property)},
          {"why", or_null(one.why)},
          {"trace", or_null(trace)}};
}

std::string junit_case(const std::string& suite, const row& one) {
  std::string out =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(one.edge));
  if (one.broken()) {
    return out + fmt::format("><failure message=\"expected {}, got {}\">{}</failure></testcase>\n",
                             escaped(one.expected), escaped(one.got), escaped(one.why));
  }
  if (one.ended == row_end::ok) return out + "/>\n";
  return out + fmt::format("><skipped message=\"{}\"/></testcase>\n", escaped(one.why));
}

std::string junit_suite(const conform_report& report, const conform_group& group) {
  const std::string name = fmt::format("{}.{}", report.provider.name, to_string(group.what));
  std::string cases;
  std::size_t failures = 0, ok = 0;
  for (const auto index : group.rows) {
    const row& one = report.rows[index];
    failures += one.broken();
    ok += one.ended == row_end::ok;
    cases += junit_case(name, one);
  }
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n"
      "{}  </testsuite>\n",
      escaped(name), group.rows.size(), failures, group.rows.size() - failures - ok, cases);
}

}  // namespace

std::size_t conform_report::ok() const {
  return count(rows, [](const row& one) { return one.ended == row_end::ok; });
}
std::size_t conform_report::broken() const {
  return count(rows, [](const row& one) { return one.broken(); });
}
std::size_t conform_report::departed() const {
  return count(rows, [](const row& one) { return one.ended == row_end::departed; }) - broken();
}
std::size_t conform_report::not_run() const {
  return count(rows, [](const row& one) { return one.ended == row_end::not_run; });
}

std::string conform_report::summary() const {
  std::string out = counted(rows.size(), "case", "cases") + fmt::format(": {} ok", ok());
  if (broken() > 0) out += fmt::format(", {} broken", broken());
  if (departed() > 0) out += fmt::format(", {} departed where nothing is promised", departed());
  if (not_run() > 0) out += fmt::format(", {} not run", not_run());
  return out;
}

std::vector<conform_group> by_operation(const conform_report& report) {
  std::vector<conform_group> out;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const operation what = report.rows[i].what;
    if (out.empty() || out.back().what != what) out.push_back({what, {}});
    out.back().rows.push_back(i);
  }
  return out;
}

std::string_view word_of(const row& one) {
  if (one.broken()) return "broken";
  if (one.ended == row_end::departed) return "departed";
  return one.ended == row_end::ok ? "ok" : "not run";
}

std::string conform_text(const conform_report& report, bool colours) {
  std::string out;
  for (const auto& group : by_operation(report)) {
    const std::string head = fmt::format("  {:<8}  {:<{}}  {:<{}}  {}", "", to_string(group.what),
                                         edge_width, "expected", expected_width, "got");
    out += painted(head, colour::bold, colours) + "\n";
    for (const auto index : group.rows) out += lines_of(report.rows[index], colours);
    out += "\n";
  }
  return out + report.summary() + "\n" + missing_line(report.provider);
}

json::object conform_json(const conform_report& report) {
  json::array rows;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const bool written = i < report.traces.size();
    rows.push_back(row_value(report.rows[i], written ? report.traces[i] : std::string()));
  }
  json::object summary{{"ok", report.ok()},
                       {"broken", report.broken()},
                       {"departed", report.departed()},
                       {"not_run", report.not_run()}};
  return {{"tool", "leaselab"},
          {"version", version},
          {"seed", report.seed},
          {"provider", report.provider.name},
          {"as", report.provider.declared.as_lock ? "lock" : "lease"},
          {"engine", report.engine},
          {"missing", missing_json(report.provider)},
          {"rows", std::move(rows)},
          {"summary", std::move(summary)}};
}

std::string conform_junit(const conform_report& report) {
  std::string suites;
  for (const auto& group : by_operation(report)) suites += junit_suite(report, group);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leaselab\">\n" + suites +
         "</testsuites>\n";
}

}  // namespace leaselab::cli
