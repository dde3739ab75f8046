#include "cli/report/conform_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

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

std::string mark_of(const row& one, bool colours) {
  const auto mark = [&](const char* word, colour with) {
    return painted(fmt::format("{:<8}", word), with, colours);
  };
  if (one.broken()) return mark("broken", colour::red);
  if (one.ended == row_end::departed) return mark("departed", colour::yellow);
  return one.ended == row_end::ok ? mark("ok", colour::green) : mark("not run", colour::dim);
}

std::string lines_of(const row& one, bool colours) {
  const std::string got = one.got.empty() ? "-" : one.got;
  std::string out = fmt::format("  {}  {:<{}}  {:<{}}  {}\n", mark_of(one, colours), one.edge,
                                edge_width, one.expected, expected_width, got);
  if (!one.why.empty()) out += fmt::format("            {}\n", one.why);
  return out;
}

// Adds a line a group: calls `add` for each operation with its rows, which stand together.
template <class Add>
void by_operation(const std::vector<row>& rows, Add add) {
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end =
        std::find_if(begin, rows.end(), [&](const row& one) { return one.what != begin->what; });
    add(std::string(to_string(begin->what)), std::vector<row>(begin, end));
    begin = end;
  }
}

json::object row_value(const row& one) {
  return {{"operation", to_string(one.what)},
          {"edge", sim::json_text(one.edge)},
          {"expected", sim::json_text(one.expected)},
          {"got", one.got.empty() ? json::value(nullptr) : sim::json_text(one.got)},
          {"result", to_string(one.ended)},
          {"broken", one.broken()},
          {"why", one.why.empty() ? json::value(nullptr) : sim::json_text(one.why)}};
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

std::string junit_suite(const std::string& name, const std::vector<row>& rows) {
  const auto failures = count(rows, [](const row& one) { return one.broken(); });
  const auto ok = count(rows, [](const row& one) { return one.ended == row_end::ok; });
  std::string out = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
      escaped(name), rows.size(), failures, rows.size() - failures - ok);
  for (const row& one : rows) out += junit_case(name, one);
  return out + "  </testsuite>\n";
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

std::string conform_text(const conform_report& report, bool colours) {
  std::string out;
  by_operation(report.rows, [&](const std::string& operation, const std::vector<row>& rows) {
    const std::string head = fmt::format("  {:<8}  {:<{}}  {:<{}}  {}", "", operation, edge_width,
                                         "expected", expected_width, "got");
    out += painted(head, colour::bold, colours) + "\n";
    for (const row& one : rows) out += lines_of(one, colours);
    out += "\n";
  });
  out += counted(report.rows.size(), "case", "cases") + fmt::format(": {} ok", report.ok());
  if (report.broken() > 0) out += fmt::format(", {} broken", report.broken());
  if (report.departed() > 0)
    out += fmt::format(", {} departed where nothing is promised", report.departed());
  if (report.not_run() > 0) out += fmt::format(", {} not run", report.not_run());
  return out + "\n";
}

json::object conform_json(const conform_report& report) {
  json::array rows;
  for (const row& one : report.rows) rows.push_back(row_value(one));
  json::object summary{{"ok", report.ok()},
                       {"broken", report.broken()},
                       {"departed", report.departed()},
                       {"not_run", report.not_run()}};
  return {{"tool", "leaselab"},           {"version", version},      {"seed", report.seed},
          {"provider", report.provider},  {"engine", report.engine}, {"rows", std::move(rows)},
          {"summary", std::move(summary)}};
}

std::string conform_junit(const conform_report& report) {
  std::string suites;
  by_operation(report.rows, [&](const std::string& operation, const std::vector<row>& rows) {
    suites += junit_suite(report.provider + "." + operation, rows);
  });
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leaselab\">\n" + suites +
         "</testsuites>\n";
}

}  // namespace leaselab::cli
