#include "bench/reporters.hpp"

#include <cstdio>

namespace leaselab::bench {

benchmark::BenchmarkReporter::Run as_documented(benchmark::BenchmarkReporter::Run run) {
  run.run_name.iterations.clear();
  run.run_name.time_type.clear();
  run.run_name.repetitions.clear();
  const auto cpu = run.counters.find("cpu_us");
  if (cpu == run.counters.end()) return run;
  const bool share = run.run_type == benchmark::BenchmarkReporter::Run::RT_Aggregate &&
                     run.aggregate_unit == benchmark::StatisticUnit::kPercentage;
  run.cpu_accumulated_time =
      share ? cpu->second.value : cpu->second.value * 1e-6 * static_cast<double>(run.iterations);
  return run;
}

void progress_reporter::begin(const std::string& name) {
  std::printf("progress %zu %zu %s\n", done_++, of_, name.c_str());
  std::fflush(stdout);
}

}  // namespace leaselab::bench
