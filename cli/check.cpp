#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/each_switch.hpp"
#include "cli/exhaustive.hpp"
#include "cli/exit_status.hpp"
#include "cli/late_witnesses.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/registry.hpp"
#include "cli/report/html.hpp"
#include "cli/report/json.hpp"
#include "cli/report/junit.hpp"
#include "cli/report/markdown.hpp"
#include "cli/report/table.hpp"
#include "cli/report/text.hpp"
#include "cli/split_scripts.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "cli/witness_files.hpp"
#include "properties/foreign.hpp"

namespace leaselab::cli {
namespace {

// A plain check of everything takes 10 to 20 s on two cores with this many.
constexpr std::uint64_t default_schedules = 8'000;

constexpr int width_without_terminal = 120;

std::optional<std::uint32_t> small_number(std::string_view flag, const std::string& text,
                                          std::uint64_t most) {
  const auto value = optional_number(flag, text, 1, most);
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

// A runtime lives on a lease, and on nothing less.
void expect_lock_flags(const options& given) {
  const auto refuse = [](std::string_view flag) {
    throw usage_error(fmt::format("--as lock: no runtime lives on a lock: leave {} out", flag));
  };
  if (!given.client.empty()) refuse("--client");
  if (given.each_switch) refuse("--each-switch");
  if (given.workload == "runtime") refuse("--workload runtime");
  if (given.split_scripts)
    throw usage_error("--as lock: --split-scripts is for leases: leave one of the two out");
}

// The same programs, followed as well as it goes.
std::vector<std::string> loosely(std::vector<std::string> names) {
  for (auto& name : names) {
    if (!name.starts_with(properties::exec_prefix))
      throw usage_error(fmt::format(
          "--best-effort is for programs, -p exec:./adapter; `{}` needs no such thing", name));
    name.insert(0, properties::best_effort_prefix);
  }
  if (names.empty()) throw usage_error("--best-effort is for programs: say -p exec:./adapter");
  return names;
}

properties::check_options asked_for(const options& given) {
  properties::check_options out;
  out.engine = engine_named(given.engine);
  const auto as = tested_as_named(given.as);
  if (as == tested_as::lock) expect_lock_flags(given);
  out.providers =
      select_providers(given.best_effort ? loosely(given.providers) : given.providers, as);
  out.properties = select(given.properties, names_of(property_list()), "property");
  out.profiles = select(given.profiles, names_of(profile_list()), "profile");
  std::erase_if(out.profiles, [&](const auto& id) { return !engine_can(given.engine, id); });
  if (out.profiles.empty()) {
    throw usage_error(fmt::format("--profile: the {} engine cannot do any of these", given.engine));
  }
  out.workload = workload_named(given.workload);
  if (!given.client.empty()) {
    if (out.workload && out.workload != sim::workload_kind::runtime)
      throw usage_error("--client is for runtimes: leave --workload out");
    out.workload = sim::workload_kind::runtime;
    out.client = client_named(given.client);
  }
  out.processes = small_number("--processes", given.processes, 16);
  out.calls = small_number("--calls", given.calls, 1'000);
  if (!given.margin.empty()) out.margin_ppm = share_ppm("--margin", given.margin);
  out.strategy = strategy_named(given.strategy);
  out.schedules = optional_number("--schedules", given.schedules, 1, 1'000'000'000'000)
                      .value_or(default_schedules);
  out.jobs = jobs_of(given.jobs);
  out.seed = seed_of(given.seed);
  take_split_scripts(given, out);
  take_exhaustive(given, out);
  return out;
}

// Before long work: every file that was asked for can be written.
void expect_places(const options& given) {
  for (const auto& file : {given.json, given.junit, given.html, given.markdown}) {
    expect_writable(file);
  }
}

void write_reports(const options& given, const check_report& report) {
  if (!given.json.empty()) write_file(given.json, to_lines(check_json(report)));
  if (!given.junit.empty()) write_file(given.junit, check_junit(report));
  if (!given.html.empty()) write_file(given.html, check_html(report));
  if (!given.markdown.empty()) write_file(given.markdown, check_markdown(report));
}

std::string head_line(const options& given, const properties::check_options& asked) {
  if (asked.strategy == "exhaustive")
    return fmt::format("leaselab {}  seed {}  {}  (exhaustive, {})", version, asked.seed,
                       given.command, counted(asked.jobs, "job", "jobs"));
  return fmt::format(
      "leaselab {}  seed {}  {}  ({} schedules for each provider and profile, {}, {})", version,
      asked.seed, given.command, grouped(asked.schedules), asked.strategy,
      counted(asked.jobs, "job", "jobs"));
}

properties::check_result search(properties::check_options& asked, const stop_source& stop) {
  progress_line progress;
  asked.stop = stop.flag();
  asked.progress = [&](std::uint64_t done, std::uint64_t of, std::uint64_t violations) {
    progress.show(done, of, violations);
  };
  asked.shrinking = [&](std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                        const std::string& property) {
    progress.show_shrinking(done, of, runs, property);
  };
  auto result = properties::check(asked);
  const bool repeats = std::ranges::none_of(asked.providers, [](const sim::variant* each) {
    return properties::is_best_effort(each->name);
  });
  if (!repeats) {
    result.digest.reset();
    result.nondeterminism.clear();
  }
  if (result.stopped && !stop.interrupted()) shrink_late(asked, *stop.signal(), result);
  progress.erase();
  if (stop.interrupted()) keep_unshrunk(asked, result);
  return result;
}

void write_witnesses(const options& given, check_report& report, output_folder& folder) {
  witness_files files(folder, report.asked, given.engine, !given.html.empty());
  for (const auto& one : report.result.witnesses) report.witnesses.push_back(files.write(one));
  const auto order = witnesses_by_badness(report);
  if (!order.empty()) folder.set_first(report.witnesses[order.front()].trace);
}

int status_of(const properties::check_result& result, const stop_source& stop) {
  return stop.interrupted() ? interrupted : properties::exit_status(result);
}

}  // namespace

int run_check(const options& given) {
  auto asked = asked_for(given);
  if (given.each_switch) return each_switch(given, std::move(asked));
  const auto limit = optional_duration("--time-limit", given.time_limit);
  expect_places(given);
  output_folder folder(given.out, fmt::format("check-seed-{}", asked.seed));

  std::FILE* const to = text_stream(given);
  const std::string head = head_line(given, asked);
  fmt::print(to, "{}\n\n", head);
  std::fflush(to);

  const stop_source stop(limit);
  const auto result = search(asked, stop);
  check_report report{head, given.engine, asked, result, matrix(asked, result), {}};
  write_witnesses(given, report, folder);
  const int width = is_terminal(to) ? terminal_width(to) : width_without_terminal;
  const auto go_on = keep_checkpoint(given, result, folder);
  fmt::print(to, "{}{}{}", coverage_text(asked, result),
             check_text(report, {wants_colour(to), width, given.verbose}), go_on);
  write_reports(given, report);
  return status_of(result, stop);
}

}  // namespace leaselab::cli
