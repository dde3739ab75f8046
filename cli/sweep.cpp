#include "properties/search/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/registry.hpp"
#include "cli/report/json.hpp"
#include "cli/report/sweep_report.hpp"
#include "cli/stop.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli {
namespace {

properties::sweep_axis axis_named(const std::string& name) {
  if (const auto axis = properties::sweep_axis_named(name)) return *axis;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < properties::sweep_axis_count; ++i)
    known.emplace_back(properties::info_of(static_cast<properties::sweep_axis>(i)).name);
  throw usage_error(fmt::format("there is no axis `{}`{}", name, scenarios::suggest(name, known)));
}

properties::sweep_options options_of(const options& given) {
  properties::sweep_options out;
  out.axis = axis_named(given.arguments[0]);
  if (given.arguments.size() > 1) out.second = axis_named(given.arguments[1]);
  if (out.second == out.axis)
    throw usage_error(fmt::format("sweep: the axes are both `{}`", given.arguments[0]));
  if (!given.svg.empty() && !out.second)
    throw usage_error("--svg: a region has two axes, and only one was given");
  out.schedules =
      optional_number("--schedules", given.schedules, 0, 1'000'000).value_or(out.schedules);
  out.jobs = jobs_of(given.jobs);
  out.engine = engine_named(given.engine);
  out.seed = seed_of(given.seed);
  return out;
}

// Stopped, it has the lines that were done.
void sweep_all(properties::sweep_options asked, const std::vector<const sim::variant*>& providers,
               const stop_source& stop, sweep_report& report) {
  progress_line progress;
  asked.stop = stop.flag();
  for (const auto* provider : providers) {
    asked.provider = provider;
    asked.progress = [&](std::size_t done, std::size_t of) {
      progress.show_step(report.providers.size() * of + done, providers.size() * of,
                         provider->name);
    };
    auto result = properties::sweep(asked);
    if (!result.lines.empty())
      report.providers.push_back({provider->name, provider->declared, std::move(result)});
  }
  progress.erase();
}

void write_reports(const options& given, const sweep_report& report) {
  if (!given.svg.empty()) write_file(given.svg, sweep_svg(report));
  if (!given.json.empty()) write_file(given.json, to_lines(sweep_json(report)));
  if (!given.junit.empty()) write_file(given.junit, sweep_junit(report));
  if (!given.html.empty()) write_file(given.html, sweep_html(report));
}

}  // namespace

int run_sweep(const options& given) {
  auto asked = options_of(given);
  const auto providers = select_providers(
      given.providers.empty() ? std::vector<std::string>{"redis"} : given.providers);
  for (const auto& file : {given.json, given.junit, given.html, given.svg}) expect_writable(file);
  const auto head = fmt::format("leaselab {}  seed {}  {}", version, asked.seed, given.command);
  sweep_report report{head,         asked.seed, asked.schedules, given.engine, asked.axis,
                      asked.second, {}};
  std::FILE* const to = text_stream(given);
  fmt::print(to, "{}\n\n", head);
  std::fflush(to);
  const stop_source stop;
  sweep_all(asked, providers, stop, report);
  fmt::print(to, "{}{}", sweep_text(report), stop.interrupted() ? "interrupted\n" : "");
  write_reports(given, report);
  if (stop.interrupted()) return interrupted;
  if (!report.early().empty()) return violated;
  const bool vacuous = std::any_of(report.providers.begin(), report.providers.end(),
                                   [](const swept_provider& one) { return one.result.vacuous; });
  return vacuous ? unknown : as_expected;
}

}  // namespace leaselab::cli
