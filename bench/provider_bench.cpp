#include "bench/provider_bench.hpp"

#include <benchmark/benchmark.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "bench/measure.hpp"
#include "bench/reporters.hpp"
#include "bench/rows.hpp"
#include "bench/spawn.hpp"

namespace leaselab::bench {
namespace {

struct flags {
  std::string redis;
  bool progress = false;
  bool list = false;
  bool file = false;   // --benchmark_out was given
  double seconds = 0;  // 0: not given
  int repetitions = 1;
};

// Of "--name=value": its value; null where `text` is another flag.
const char* value_of(const char* text, const char* name) {
  const std::size_t size = std::strlen(name);
  return std::strncmp(text, name, size) == 0 && text[size] == '=' ? text + size + 1 : nullptr;
}

// Takes our own flags away and reads along with Google Benchmark's.
flags take_flags(int& count, char** arguments) {
  flags given;
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    const char* const text = arguments[i];
    if (const char* url = value_of(text, "--redis")) {
      given.redis = url;
      continue;
    }
    if (std::strcmp(text, "--progress") == 0) {
      given.progress = true;
      continue;
    }
    if (const char* time = value_of(text, "--benchmark_min_time")) given.seconds = std::atof(time);
    if (const char* times = value_of(text, "--benchmark_repetitions")) {
      given.repetitions = std::max(1, std::atoi(times));
    }
    if (std::strncmp(text, "--benchmark_list_tests", 22) == 0) given.list = true;
    if (value_of(text, "--benchmark_out") != nullptr) given.file = true;
    arguments[kept++] = arguments[i];
  }
  count = kept;
  return given;
}

std::vector<row> wanted_rows(const flags& given, std::string filter,
                             const std::vector<handed_in>& added) {
  const bool few = given.seconds > 0 && given.seconds < 0.05;
  std::vector<row> rows = all_rows(few);
  for (const handed_in& each : added) {
    if (each.missing.empty()) add_rows_of(each, few, rows);
  }
  const bool without = !filter.empty() && filter.front() == '-';
  if (without) filter.erase(0, 1);
  const std::regex pattern(filter == "all" ? "." : filter);
  std::string given_transport;
  if (!given.redis.empty()) given_transport = address_of(given.redis).is_unix() ? "unix" : "tcp";
  std::erase_if(rows, [&](const row& each) {
    if (std::regex_search(each.name(), pattern) == without) return true;
    return each.live() && !given_transport.empty() && each.wanted.transport != given_transport;
  });
  return rows;
}

steady::duration batch_length(const flags& given, std::size_t rows) {
  // Ours, the yardstick, and as much again for what surrounds them.
  const double fits = 480.0 / (3.0 * given.repetitions * static_cast<double>(std::max(rows, 1ul)));
  const double seconds = given.seconds > 0 ? given.seconds : std::clamp(fits, 0.1, 2.0);
  return std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(seconds));
}

struct comparison {
  std::unique_ptr<server> redis;  // null where no row needs one
  steady::duration length{};
  progress_reporter* progress = nullptr;
};

void set_counters(benchmark::State& state, const measurement& found) {
  const auto set = [&](const char* name, double value) { state.counters[name] = value; };
  set("p50_us", found.p50_us);
  set("p90_us", found.p90_us);
  set("p99_us", found.p99_us);
  set("p999_us", found.p999_us);
  set("cpu_us", found.cpu_us);
  const auto compare = [&](const std::string& name, double yardstick) {
    if (yardstick <= 0) return;
    state.counters[name + "_per_second"] = yardstick;
    state.counters["ratio_to_" + name] = found.calls_per_second / yardstick;
  };
  compare("redis_benchmark", found.redis_benchmark);
  compare("hiredis", found.hiredis);
  compare("mutex_map", found.mutex_map);
}

// One repetition.
void repeat(benchmark::State& state, comparison& with, const row& which) {
  if (stopping()) return state.SkipWithError("interrupted");
  if (with.progress != nullptr) with.progress->begin(which.name());
  measurement found;
  try {
    found = measure(which, with.redis.get(), with.length);
  } catch (const std::exception& error) {
    found.complaint = error.what();
  }
  if (!found.complaint.empty()) return state.SkipWithError(found.complaint.c_str());
  for (auto _ : state) state.SetIterationTime(1 / found.calls_per_second);
  state.SetItemsProcessed(state.iterations());
  set_counters(state, found);
}

void enlist(comparison& with, const std::vector<row>& rows) {
  for (const row& each : rows) {
    benchmark::RegisterBenchmark(
        each.name().c_str(), [&with, each](benchmark::State& state) { repeat(state, with, each); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  }
}

std::string cpu_name() {
  const std::string text =
      output_of({"sh", "-c", "grep -m1 'model name' /proc/cpuinfo"}, std::chrono::seconds(5));
  const auto colon = text.find(": ");
  if (colon == std::string::npos) return "unknown";
  return text.substr(colon + 2, text.find('\n') - colon - 2);
}

void describe(comparison& with, const flags& given) {
  const auto say = [](const char* name, const std::string& text) {
    benchmark::AddCustomContext(name, text);
  };
  say("cpu", cpu_name());
  say("compiler", LEASELAB_COMPILER);
  say("build_type", LEASELAB_BUILD_TYPE);
  say("hiredis", std::to_string(HIREDIS_MAJOR) + "." + std::to_string(HIREDIS_MINOR) + "." +
                     std::to_string(HIREDIS_PATCH));
  if (with.redis == nullptr) return;
  say("redis_server", with.redis->version());
  say("redis", given.redis.empty() ? "its own" : address_of(given.redis).name());
  std::string yardstick = output_of({"redis-benchmark", "--version"}, std::chrono::seconds(5));
  yardstick = yardstick.substr(0, yardstick.find('\n'));
  say("redis_benchmark",
      yardstick.empty() ? "not found" : yardstick.substr(yardstick.rfind(' ') + 1));
}

int run(const flags& given, const std::vector<handed_in>& added) {
  const auto rows = wanted_rows(given, benchmark::GetBenchmarkFilter(), added);
  const bool live = std::any_of(rows.begin(), rows.end(), [](const row& r) { return r.live(); });
  comparison with;
  if (live && !given.list) with.redis = std::make_unique<server>(given.redis);
  with.length = batch_length(given, rows.size());
  progress_reporter progress(rows.size() * static_cast<std::size_t>(given.repetitions));
  if (given.progress) with.progress = &progress;
  enlist(with, rows);
  if (!given.list) describe(with, given);
  documented<benchmark::ConsoleReporter> console;
  documented<benchmark::JSONReporter> file;
  benchmark::BenchmarkReporter* display = &console;
  if (given.progress) display = &progress;
  // Google Benchmark wants no file reporter where no file was named.
  benchmark::RunSpecifiedBenchmarks(display, given.file ? &file : nullptr, ".");
  return stopping() ? 130 : 0;
}

int complain(int status, const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  return status;
}

}  // namespace

int provider_bench(int count, char** arguments, const std::vector<handed_in>& added) {
  stop_on_signals();
  const flags given = take_flags(count, arguments);
  if (given.progress) ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // `leaselab bench` may be killed
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 3;
  try {
    return run(given, added);
  } catch (const std::regex_error&) {
    return complain(3, "not a regular expression: " + benchmark::GetBenchmarkFilter());
  } catch (const std::invalid_argument& error) {
    return complain(3, error.what());
  } catch (const std::exception& error) {
    return complain(2, error.what());
  }
}

}  // namespace leaselab::bench
