#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/registry.hpp"
#include "cli/report/conform_report.hpp"
#include "cli/report/json.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "properties/conformance_world.hpp"

namespace leaselab::cli {
namespace {

int status_of(const conform_report& report) {
  if (report.broken() > 0) return violated;
  return report.ok() + report.departed() == 0 ? unknown : as_expected;
}

}  // namespace

int run_conform(const options& given) {
  const auto& provider = provider_named(given.arguments.front());
  const auto engine = engine_named(given.engine);
  const auto seed = seed_of(given.seed);
  expect_writable(given.json);
  expect_writable(given.junit);

  conform_report report;
  report.provider = provider.name;
  report.engine = given.engine;
  report.seed = std::to_string(seed);
  report.head = fmt::format("leaselab {}  seed {}  {}", version, seed, given.command);
  std::FILE* const to = text_stream(given);
  fmt::print(to, "{}\n\n", report.head);
  std::fflush(to);

  report.rows = properties::conformance::run_in_worlds(provider, engine, seed);
  std::fputs(conform_text(report, wants_colour(to)).c_str(), to);
  if (!given.json.empty()) write_file(given.json, to_lines(conform_json(report)));
  if (!given.junit.empty()) write_file(given.junit, conform_junit(report));
  return status_of(report);
}

}  // namespace leaselab::cli
