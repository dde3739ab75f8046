#include "cli/report/junit_suite.hpp"

#include <fmt/format.h>

#include "cli/report/text.hpp"

namespace leaselab::cli {

void junit_suite::add(const std::string& test, const std::string& inside) {
  ++tests_;
  body_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(name_), escaped(test));
  body_ += inside.empty() ? "/>\n" : fmt::format(">{}</testcase>\n", inside);
}

void junit_suite::fail(const std::string& test, const std::string& message,
                       const std::string& text) {
  ++failures_;
  add(test, fmt::format("<failure message=\"{}\">{}</failure>", escaped(message), escaped(text)));
}

void junit_suite::error(const std::string& test, const std::string& message) {
  ++errors_;
  add(test, fmt::format("<error message=\"{}\"/>", escaped(message)));
}

void junit_suite::skip(const std::string& test) {
  ++skipped_;
  add(test, "<skipped/>");
}

std::string junit_suite::text() const {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
      "{}  </testsuite>\n",
      escaped(name_), tests_, failures_, errors_, skipped_, body_);
}

std::string junit_document(const std::string& head, const std::string& suites) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n{}</testsuites>\n",
      escaped(head), suites);
}

}  // namespace leaselab::cli
