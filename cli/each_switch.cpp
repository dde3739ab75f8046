#include "cli/each_switch.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/registry.hpp"
#include "cli/report/json.hpp"
#include "cli/report/switches_report.hpp"
#include "cli/report/text.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "cli/witness_files.hpp"
#include "properties/search/profile.hpp"

namespace leaselab::cli {
namespace {

// Twenty searches in about as many seconds on two cores.
constexpr std::uint64_t default_schedules = 1'000;
constexpr int width_without_terminal = 120;

void refuse_what_does_not_apply(const options& given) {
  if (!given.workload.empty() && given.workload != "runtime")
    throw usage_error("--each-switch is for runtimes: leave --workload out");
  if (!given.junit.empty() || !given.html.empty())
    throw usage_error("--each-switch reports as text, --json or --markdown");
}

// A denial that names nobody, or the caller, comes from the three-step acquire alone.
void fill_in(const options& given, properties::check_options& asked) {
  if (given.providers.empty())
    asked.providers = {&provider_named("redis"), &provider_named("redis-three-step")};
  if (given.profiles.empty()) {
    std::erase_if(asked.profiles,
                  [](const auto& id) { return !properties::find_profile(id)->in_model; });
  }
  if (given.schedules.empty()) asked.schedules = default_schedules;
}

std::string head_line(const options& given, const properties::check_options& asked) {
  return fmt::format(
      "leaselab {}  seed {}  {}  ({} schedules of {} for each client, provider and profile, {}, "
      "{})",
      version, asked.seed, given.command, grouped(asked.schedules), sim::to_string(asked.client),
      asked.strategy, counted(asked.jobs, "job", "jobs"));
}

properties::switch_matrix search(properties::check_options& asked, const stop_source& stop) {
  progress_line progress;
  asked.stop = stop.flag();
  asked.progress = [&](std::uint64_t done, std::uint64_t of, std::uint64_t violations) {
    progress.show(done, of, violations);
  };
  auto matrix = search_switches(asked);
  progress.erase();
  asked.stop = stop.signal();  // a time limit ends the search, not the proofs of what it found
  prove_switches(asked, matrix);
  return matrix;
}

std::vector<broken_promise> write_broken(const properties::check_result& from,
                                         const sim::client_policy& client,
                                         const std::filesystem::path& below, witness_files& files) {
  std::vector<broken_promise> out;
  for (const auto& one : from.witnesses) {
    const auto place = below / path_component(one.provider) / one.property / one.profile;
    out.push_back({sim::to_string(client), one.property, one.provider, one.profile, one.text,
                   files.write(one, place).trace});
  }
  return out;
}

void write_witnesses(switches_report& report, witness_files& files) {
  report.broken = write_broken(report.matrix.base, report.asked.client, "base", files);
  for (const auto& row : report.matrix.rows) {
    const std::string flip = fmt::format("{}={}", row.what.policy, row.what.value);
    auto& traces = report.witnesses.emplace_back();
    for (const auto& lost : row.lost) {
      traces.emplace_back();
      if (lost.shown)
        traces.back() = files.write(*lost.shown, std::filesystem::path(flip) / lost.property);
    }
    const auto broken = write_broken(row.searched, row.what.client, flip, files);
    report.broken.insert(report.broken.end(), broken.begin(), broken.end());
  }
}

}  // namespace

int each_switch(const options& given, properties::check_options asked) {
  refuse_what_does_not_apply(given);
  fill_in(given, asked);
  const auto limit = optional_duration("--time-limit", given.time_limit);
  for (const auto& file : {given.json, given.markdown}) expect_writable(file);
  output_folder folder(given.out, fmt::format("switches-seed-{}", asked.seed));

  std::FILE* const to = text_stream(given);
  const std::string head = head_line(given, asked);
  fmt::print(to, "{}\n\n", head);
  std::fflush(to);

  const stop_source stop(limit);
  const auto matrix = search(asked, stop);
  switches_report report{head, given.engine, asked, matrix, {}, {}};
  witness_files files(folder, asked, given.engine, false);
  write_witnesses(report, files);
  const int width = is_terminal(to) ? terminal_width(to) : width_without_terminal;
  std::fputs(switches_text(report, {wants_colour(to), width, given.verbose}).c_str(), to);
  if (!given.json.empty()) write_file(given.json, to_lines(switches_json(report)));
  if (!given.markdown.empty()) write_file(given.markdown, switches_markdown(report));
  return stop.interrupted() ? int(interrupted) : properties::exit_status(matrix);
}

}  // namespace leaselab::cli
