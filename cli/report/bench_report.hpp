// The throughput comparison, read from Google Benchmark's JSON.
#pragma once

#include <array>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab::cli {

// The median of all repetitions, with the least and the most; all 0 where nothing was measured.
struct bench_figure {
  double median = 0, least = 0, most = 0;
};

inline constexpr std::array<std::string_view, 4> bench_quantiles = {"p50", "p90", "p99", "p99.9"};

struct bench_row {
  std::string provider, operation, transport;
  std::string shape;  // "clients:50/depth:1", "shared:8"
  bench_figure calls_per_second;
  std::array<bench_figure, bench_quantiles.size()> latency_us;
  bench_figure cpu_us;
  bench_figure redis_benchmark;  // calls a second of the yardstick itself
  bench_figure ratio_to_redis_benchmark, ratio_to_hiredis, ratio_to_mutex_map;
};

struct bench_report {
  std::string head;     // the first line: version, what was typed
  std::string machine;  // CPU, load and versions
  std::size_t repetitions = 0;
  std::vector<bench_row> rows;  // of one operation and transport together, then of one shape
  std::vector<std::string> complaints;  // rows that could not be measured, and why
};

// Takes benchmarks that the file says were interrupted for ones that never began. Throws
// std::runtime_error where it is no such file.
bench_report read_bench(const std::string& head, const std::string& json);

}  // namespace leaselab::cli
