// The comparison for continuous integration, which asks only whether everything was measured: a
// figure passes no judgement.
#pragma once

#include <string>

#include "cli/report/bench_report.hpp"

namespace leaselab::cli {

// A test a row; what could not be measured is an error.
std::string bench_junit(const bench_report& report);

}  // namespace leaselab::cli
