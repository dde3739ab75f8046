// How many of the mutants the suite kills, and whether anything correct alarms it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/registry.hpp"
#include "cli/report/json.hpp"
#include "cli/report/score_report.hpp"
#include "cli/report/text.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "cli/witness_files.hpp"

namespace leaselab::cli {
namespace {

// All mutants and controls then take 30 to 60 s on two cores.
constexpr std::uint64_t default_schedules = 5'000;
constexpr std::uint64_t most_schedules = 1'000'000'000;

std::vector<const properties::mutant*> mutants_named(const std::vector<std::string>& patterns) {
  std::vector<std::string> ids;
  for (const auto& one : properties::mutants()) ids.push_back(one.id);
  std::vector<const properties::mutant*> out;
  for (const auto& id : select(patterns, ids, "mutant")) out.push_back(properties::find_mutant(id));
  return out;
}

properties::score_options asked_for(const options& given) {
  properties::score_options out;
  out.mutants = mutants_named(given.mutants);
  out.controls = given.mutants.empty();
  out.schedules = optional_number("--schedules", given.schedules, 1, most_schedules)
                      .value_or(default_schedules);
  out.seeds =
      static_cast<std::uint32_t>(optional_number("--seeds", given.seeds, 1, 10'000).value_or(1));
  out.search.strategy = strategy_named(given.strategy);
  out.search.engine = engine_named("model");
  out.search.seed = seed_of(given.seed);
  out.search.jobs = jobs_of(given.jobs);
  return out;
}

std::string head_line(const options& given, const properties::score_options& asked) {
  return fmt::format("leaselab {}  seed {}  {}  (at most {} schedules a mutant, {}, {})", version,
                     asked.search.seed, given.command, grouped(asked.schedules),
                     asked.search.strategy, counted(asked.search.jobs, "job", "jobs"));
}

properties::score_result search(properties::score_options& asked, const stop_source& stop) {
  progress_line progress;
  asked.search.stop = stop.flag();
  asked.progress = [&](std::uint64_t done, std::uint64_t of, const std::string& step) {
    progress.show_step(done, of, step);
  };
  auto result = properties::score(asked);
  progress.erase();
  return result;
}

std::string trace_of_mutant(const properties::mutant_score& one, witness_files& files) {
  return one.shown ? files.write(*one.shown).trace : std::string();
}

// Below a folder of its own: several controls run on one provider.
std::string trace_of_control(const properties::control_score& one, witness_files& files) {
  const auto& alarm = one.result.first;
  if (!alarm) return {};
  std::string name = one.of->name;
  std::replace(name.begin(), name.end(), ' ', '-');
  const auto place =
      std::filesystem::path("controls") / path_component(name) / alarm->property / alarm->profile;
  return files.write(*alarm, place).trace;
}

std::string first_trace(const score_report& report) {
  for (const auto* const traces : {&report.control_traces, &report.mutant_traces})
    for (const auto& one : *traces)
      if (!one.empty()) return one;
  return {};
}

void write_traces(score_report& report, output_folder& folder) {
  witness_files files(folder, report.asked.search, "model", false);
  for (const auto& one : report.result.mutants)
    report.mutant_traces.push_back(trace_of_mutant(one, files));
  for (const auto& one : report.result.controls)
    report.control_traces.push_back(trace_of_control(one, files));
  if (const auto first = first_trace(report); !first.empty()) folder.set_first(first);
}

}  // namespace

int run_score(const options& given) {
  auto asked = asked_for(given);
  for (const auto& file : {given.json, given.junit, given.html}) expect_writable(file);
  output_folder folder(given.out, fmt::format("score-seed-{}", asked.search.seed));
  std::FILE* const to = text_stream(given);
  const std::string head = head_line(given, asked);
  fmt::print(to, "{}\n\n", head);
  std::fflush(to);

  const stop_source stop;
  const auto result = search(asked, stop);
  score_report report{head, asked, result, {}, {}};
  write_traces(report, folder);
  std::fputs(score_text(report, wants_colour(to)).c_str(), to);
  if (const auto first = first_trace(report); !first.empty())
    fmt::print(to, "{}\n", replay_command(first));
  if (!given.json.empty()) write_file(given.json, to_lines(score_json(report)));
  if (!given.junit.empty()) write_file(given.junit, score_junit(report));
  if (!given.html.empty()) write_file(given.html, score_html(report));
  return stop.interrupted() ? interrupted : properties::exit_status(result);
}

}  // namespace leaselab::cli
