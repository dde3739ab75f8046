// The throughput comparison on the terminal.
#pragma once

#include <string>

#include "cli/report/bench_report.hpp"

namespace leaselab::cli {

// A line a provider under each operation, transport and shape: calls a second with their spread,
// latencies, and the ratios to the yardsticks.
std::string bench_text(const bench_report& report, bool colours);

}  // namespace leaselab::cli
