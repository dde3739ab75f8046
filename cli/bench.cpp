#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include "cli/additions.hpp"
#include "cli/bench_child.hpp"
#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report/bench_html.hpp"
#include "cli/report/bench_junit.hpp"
#include "cli/report/bench_report.hpp"
#include "cli/report/bench_table.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"

namespace leaselab::cli {
namespace {

// The line that is shown and kept must not hold the password of --redis.
std::string without_password(std::string text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  const auto begin = scheme + 3;
  const auto at = text.substr(0, text.find_first_of("/ ", begin)).rfind('@');
  if (at == std::string::npos || at < begin) return text;
  return text.replace(begin, at - begin, "***");
}

std::vector<std::string> flags_of(const options& given) {
  const auto repetitions = optional_number("--repetitions", given.repetitions, 1, 1000).value_or(5);
  std::vector<std::string> flags = {"--progress",
                                    fmt::format("--benchmark_repetitions={}", repetitions)};
  if (!given.filter.empty()) flags.push_back("--benchmark_filter=" + given.filter);
  if (!given.redis.empty()) flags.push_back("--redis=" + given.redis);
  return flags;
}

// "progress 17 200 provider/redis/...".
void show_progress(progress_line& progress, const std::string& line) {
  std::istringstream words(line);
  std::string word, name;
  std::uint64_t done = 0, of = 0;
  if (words >> word >> done >> of >> name && word == "progress") {
    progress.show_step(done, of, name);
  }
}

// What it complained of, in the way of this program.
void refuse(const options& given, const bench_end& end) {
  if (end.status == 3) throw usage_error(end.error);
  if (end.status == 0 || end.status == interrupted) {
    if (given.filter.empty()) return;
    throw usage_error(fmt::format("no benchmark matches `{}`", given.filter));
  }
  throw std::runtime_error(end.error.empty() ? "the benchmark program died" : end.error);
}

// Those that have nothing to be measured.
std::string left_out_lines() {
  std::string out;
  for (const auto& each : added_providers()) {
    const auto& missing = each.given.missing;
    if (missing.empty()) continue;
    out += fmt::format("not measured: {}: {}\n", each.given.name, fallback_text(missing));
  }
  return out;
}

bench_end measure(const options& given, const stop_source& stop) {
  const auto flags = flags_of(given);
  progress_line progress;
  return run_bench_child(flags, *stop.signal(),
                         [&](const std::string& line) { show_progress(progress, line); });
}

}  // namespace

int run_bench(const options& given) {
  for (const auto& file : {given.json, given.junit, given.html}) expect_writable(file);
  output_folder out(given.out, "bench");
  const std::string head = fmt::format("leaselab {}  {}", version, without_password(given.command));
  std::FILE* const to = text_stream(given);
  fmt::print(to, "{}\n", head);
  std::fputs(left_out_lines().c_str(), to);
  std::fflush(to);

  const stop_source stop;
  const bench_end end = measure(given, stop);
  const bool stopped = stop.interrupted();
  if (!stopped && end.status != 0) refuse(given, end);
  if (end.json.empty()) {
    if (stopped) return interrupted;
    refuse(given, end);
  }
  const bench_report report = read_bench(head, end.json);
  if (report.rows.empty() && report.complaints.empty() && !stopped) refuse(given, end);
  std::fputs(bench_text(report, wants_colour(to)).c_str(), to);
  fmt::print(to, "kept: {}\n", out.write("bench.json", end.json).string());
  if (!given.json.empty()) write_file(given.json, end.json);
  if (!given.junit.empty()) write_file(given.junit, bench_junit(report));
  if (!given.html.empty()) write_file(given.html, bench_html(report));
  if (stopped) return interrupted;
  return report.complaints.empty() && !report.rows.empty() ? as_expected : unknown;
}

}  // namespace leaselab::cli
