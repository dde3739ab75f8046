// The throughput comparison from Google Benchmark's JSON to its table and page.
#include <gtest/gtest.h>

#include <stdexcept>

#include "cli/report/bench_html.hpp"
#include "cli/report/bench_junit.hpp"
#include "cli/report/bench_report.hpp"
#include "cli/report/bench_table.hpp"

namespace leaselab::cli {
namespace {

std::string repetition(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name + R"(", "run_type": "iteration", )" +
         more + "}";
}

const std::string context =
    R"({"context": {"cpu": "A & B", "num_cpus": 2, "mhz_per_cpu": 2596, "load_avg": [1.5],
        "redis_server": "7.0.15", "compiler": "GNU 12", "build_type": "Release"}, "benchmarks": [)";

const std::string one = "provider/redis/renew/tcp/clients:1/depth:1";
const std::string other = "provider/noop/renew/local/clients:1/depth:1";
const std::string get = "provider/redis/get/tcp/shared:8";
const std::string three_step = "provider/redis-three-step/renew/tcp/clients:1/depth:1";

bench_report report_of(const std::string& rows) {
  return read_bench("leaselab bench", context + rows + "]}");
}

TEST(bench_report, takes_the_median_of_the_repetitions) {
  const auto report = report_of(
      repetition(one, R"("items_per_second": 3e4, "ratio_to_redis_benchmark": 0.9, "p50_us": 30)") +
      "," + repetition(one, R"("items_per_second": 10000, "ratio_to_redis_benchmark": 1.1)") + "," +
      repetition(one, R"("items_per_second": 2e4, "ratio_to_redis_benchmark": 1)") +
      R"(, {"run_name": ")" + one + R"(", "run_type": "aggregate", "items_per_second": 7})");
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.repetitions, 3u);
  const bench_row& row = report.rows[0];
  EXPECT_EQ(row.provider, "redis");
  EXPECT_EQ(row.operation, "renew");
  EXPECT_EQ(row.transport, "tcp");
  EXPECT_EQ(row.shape, "clients:1/depth:1");
  EXPECT_EQ(row.calls_per_second.median, 20000);
  EXPECT_EQ(row.calls_per_second.least, 10000);
  EXPECT_EQ(row.calls_per_second.most, 30000);
  EXPECT_EQ(row.ratio_to_redis_benchmark.median, 1);
  EXPECT_EQ(row.latency_us[0].median, 30);
  EXPECT_EQ(row.ratio_to_mutex_map.median, 0);
}

TEST(bench_report, puts_side_by_side_what_competes) {
  const std::string rate = R"("items_per_second": 1)";
  const auto report = report_of(repetition(one, rate) + "," + repetition(get, rate) + "," +
                                repetition(three_step, rate) + "," + repetition(other, rate));
  ASSERT_EQ(report.rows.size(), 4u);
  EXPECT_EQ(report.rows[0].provider, "redis");
  EXPECT_EQ(report.rows[1].provider, "redis-three-step");
  EXPECT_EQ(report.rows[2].transport, "local");
  EXPECT_EQ(report.rows[3].operation, "get");
}

TEST(bench_report, tells_what_failed_from_what_never_began) {
  const std::string failed = R"("error_occurred": true, "error_message": )";
  const auto report = report_of(repetition(one, failed + R"("no answer")") + "," +
                                repetition(get, failed + R"("interrupted")"));
  EXPECT_TRUE(report.rows.empty());
  ASSERT_EQ(report.complaints.size(), 1u);
  EXPECT_NE(bench_junit(report).find("tests=\"1\" failures=\"0\" errors=\"1\""), std::string::npos);
  EXPECT_EQ(report.complaints[0], one + ": no answer");
  EXPECT_NE(bench_text(report, false).find("not measured: " + one), std::string::npos);
}

TEST(bench_report, refuses_what_is_no_report) {
  for (const char* text : {"", "{", "[]", "{}"}) {
    EXPECT_THROW(read_bench("", text), std::runtime_error) << text;
  }
}

TEST(bench_report, shows_figures_ratios_and_the_machine) {
  const auto report =
      report_of(repetition(one, R"("items_per_second": 31500.4, "redis_benchmark_per_second": 30000,
              "ratio_to_redis_benchmark": 1.05, "p50_us": 2.5, "p99_us": 40, "p999_us": 120)"));
  const std::string text = bench_text(report, false);
  for (const char* part : {"A & B, 2 x 2596 MHz, load 1.5", "redis-server 7.0.15", "renew tcp",
                           "31,500", "1.05", "2.50"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  const std::string page = bench_html(report);
  for (const char* part : {"A &amp; B", "<svg", "polyline", "yardstick", "31,500"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("http"), std::string::npos) << "needs nothing else";
}

}  // namespace
}  // namespace leaselab::cli
