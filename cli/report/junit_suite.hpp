// JUnit XML in general: a document of suites, each with the sums that readers of it rely on.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace leaselab::cli {

// One <testsuite> that is being filled.
class junit_suite {
 public:
  explicit junit_suite(std::string name) : name_(std::move(name)) {}

  void pass(const std::string& test) { add(test, ""); }
  void fail(const std::string& test, const std::string& message, const std::string& text);
  void error(const std::string& test, const std::string& message);
  void skip(const std::string& test);

  bool empty() const { return tests_ == 0; }
  std::string text() const;

 private:
  void add(const std::string& test, const std::string& inside);

  std::string name_, body_;
  std::size_t tests_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
};

// `head`: the first line of the report.
std::string junit_document(const std::string& head, const std::string& suites);

}  // namespace leaselab::cli
