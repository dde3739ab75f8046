#include "cli/report/bench_junit.hpp"

#include <fmt/format.h>

#include "cli/report/junit_suite.hpp"

namespace leaselab::cli {

std::string bench_junit(const bench_report& report) {
  junit_suite suite("bench");
  for (const auto& row : report.rows)
    suite.pass(fmt::format("{}/{}/{}/{}", row.provider, row.operation, row.transport, row.shape));
  for (const auto& complaint : report.complaints) suite.error(complaint, "not measured");
  return junit_document(report.head, suite.text());
}

}  // namespace leaselab::cli
