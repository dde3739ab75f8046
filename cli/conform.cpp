#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/execution.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/report/check_report.hpp"
#include "cli/report/conform_pages.hpp"
#include "cli/report/conform_report.hpp"
#include "cli/report/json.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "properties/conformance_world.hpp"

namespace leaselab::cli {
namespace {

namespace conformance = properties::conformance;

int status_of(const conform_report& report, const stop_source& stop) {
  if (stop.interrupted()) return interrupted;
  if (report.broken() > 0) return violated;
  return report.ok() + report.departed() == 0 ? unknown : as_expected;
}

// "acquire_lease/07-ttl-1-ms"
std::string place_of(const conformance::row& one, std::size_t number) {
  std::string edge = one.edge;
  std::replace_if(
      edge.begin(), edge.end(), [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); },
      '-');
  return fmt::format("{}/{:02}-{}.jsonl", to_string(one.what), number + 1, edge);
}

// Runs each broken case once more, and leaves what replays it.
void write_traces(const options& given, std::uint64_t seed, conform_report& report) {
  report.traces.resize(report.rows.size());
  if (report.broken() == 0) return;
  output_folder folder(given.out, fmt::format("conform-seed-{}", seed));
  execution world(report.provider, engine_named(given.engine));
  bool first = true;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const auto& one = report.rows[i];
    if (!one.broken()) continue;
    auto value = conformance::plan_of(conformance::cases()[i], report.provider.declared, seed);
    world.run_in_order(value);
    value.decisions = world.decisions();
    sim::trace_header header{std::string(version),
                             report.provider.name,
                             one.property,
                             value.profile,
                             given.engine,
                             seed,
                             "in_order",
                             value,
                             folder_of(report.provider.name),
                             files_digest(report.provider.name, "")};
    report.traces[i] =
        folder.write(place_of(one, i), sim::to_text(world.trace(std::move(header)))).string();
    if (std::exchange(first, false)) folder.set_first(report.traces[i]);
  }
}

void expect_places(const options& given) {
  for (const auto& file : {given.json, given.junit, given.html, given.markdown}) {
    expect_writable(file);
  }
}

void write_reports(const options& given, const conform_report& report) {
  if (!given.json.empty()) write_file(given.json, to_lines(conform_json(report)));
  if (!given.junit.empty()) write_file(given.junit, conform_junit(report));
  if (!given.html.empty()) write_file(given.html, conform_html(report));
  if (!given.markdown.empty()) write_file(given.markdown, conform_markdown(report));
}

std::string last_line(const conform_report& report) {
  const auto first = std::find_if(report.traces.begin(), report.traces.end(),
                                  [](const auto& trace) { return !trace.empty(); });
  return first == report.traces.end() ? ""
                                      : fmt::format("replay one: {}\n", replay_command(*first));
}

}  // namespace

int run_conform(const options& given) {
  const auto as = tested_as_named(given.as);
  const auto engine = engine_named(given.engine);
  const auto seed = seed_of(given.seed);
  expect_places(given);
  const auto& provider = provider_named(provider_name(given.arguments.front(), as));

  conform_report report{fmt::format("leaselab {}  seed {}  {}", version, seed, given.command),
                        provider,
                        given.engine,
                        std::to_string(seed),
                        {},
                        {}};
  std::FILE* const to = text_stream(given);
  fmt::print(to, "{}\n\n", report.head);
  std::fflush(to);

  const stop_source stop;
  report.rows = conformance::run_in_worlds(provider, engine, seed, stop.flag());
  if (!stop.interrupted()) write_traces(given, seed, report);
  std::fputs((conform_text(report, wants_colour(to)) + last_line(report)).c_str(), to);
  write_reports(given, report);
  return status_of(report, stop);
}

}  // namespace leaselab::cli
