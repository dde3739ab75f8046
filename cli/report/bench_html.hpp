// The throughput comparison as one page that needs nothing else.
#pragma once

#include <string>

#include "cli/report/bench_report.hpp"

namespace leaselab::cli {

// For each operation, transport and shape: bars with their spread and the mark of redis-benchmark,
// and the latency curves of the same rows. All figures in a table below.
std::string bench_html(const bench_report& report);

}  // namespace leaselab::cli
