// Google Benchmark's reporters, with names as they are documented: it appends "/iterations:1" and
// "/manual_time", which say how it was measured, and knows no CPU time of a batch.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace leaselab::bench {

// The counter cpu_us becomes what Google Benchmark calls the CPU time.
benchmark::BenchmarkReporter::Run as_documented(benchmark::BenchmarkReporter::Run run);

template <class Reporter>
class documented : public Reporter {
 public:
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& runs) override {
    std::vector<benchmark::BenchmarkReporter::Run> changed;
    for (const auto& run : runs) changed.push_back(as_documented(run));
    Reporter::ReportRuns(changed);
  }
};

// For `leaselab bench`, on standard output: "progress <done> <of> <name>", a line a repetition.
class progress_reporter final : public benchmark::BenchmarkReporter {
 public:
  explicit progress_reporter(std::size_t of) : of_(of) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
  // Called by the rows: Google Benchmark reports a row when all its repetitions are done.
  void begin(const std::string& name);

 private:
  std::size_t done_ = 0, of_;
};

}  // namespace leaselab::bench
