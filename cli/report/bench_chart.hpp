// The two drawings of the throughput comparison, as SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/report/bench_report.hpp"

namespace leaselab::cli {

// One colour a provider, the same in all drawings.
std::string_view bench_colour(std::string_view provider);

// A bar a row: calls a second, a whisker from the least to the most, and a mark where
// redis-benchmark was.
std::string bench_bars(std::span<const bench_row> rows);
// A curve a row over the quantiles of its latency, on a logarithmic scale.
std::string bench_curves(std::span<const bench_row> rows);

}  // namespace leaselab::cli
