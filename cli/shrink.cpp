#include "properties/search/shrink.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/execution.hpp"
#include "cli/exit_status.hpp"
#include "cli/progress.hpp"
#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/report/check_report.hpp"
#include "cli/report/text.hpp"
#include "cli/trace_path.hpp"
#include "cli/traces.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "cli/witness_files.hpp"
#include "properties/search/directed.hpp"

namespace leaselab::cli {
namespace {

// Runs; four times what a check spends on one witness.
constexpr std::uint64_t default_budget = 6'000;

const judgement* violation_of(const execution& world, const std::string& property) {
  for (const auto& one : world.judgements()) {
    const bool violated = one.verdict == properties::verdict::violated;
    if (violated && one.property->id() == property) return &one;
  }
  return nullptr;
}

// Replays the plan, completes its decisions, and says whether it violates the property.
bool still_violates(execution& world, sim::plan& plan, const std::string& property) {
  world.replay(plan);
  plan.decisions = world.decisions();
  return violation_of(world, property) != nullptr;
}

// The same with stated instants, if it still shows that way.
std::optional<sim::plan> as_directed(execution& world, const sim::plan& plan,
                                     const std::string& property) {
  properties::retelling_world around;
  around.run = [&](const sim::plan& told, sim::chooser& choices) -> const sim::run_record& {
    return world.run(told, choices);
  };
  around.shows_in_order = [&](sim::plan& told) {
    world.run_in_order(told);
    return violation_of(world, property) != nullptr;
  };
  return properties::directed(plan, around);
}

properties::witness as_witness(execution& world, const sim::trace_header& header,
                               sim::plan smaller) {
  properties::witness out;
  out.provider = header.provider;
  out.property = header.property;
  out.profile = header.profile;
  out.directed = as_directed(world, smaller, header.property);
  out.digest = world.replay(smaller).digest;
  if (const auto* const shown = violation_of(world, header.property)) out.text = shown->text;
  out.events = static_cast<std::uint32_t>(smaller.decisions.size());
  out.plan = std::move(smaller);
  return out;
}

}  // namespace

int run_shrink(const options& given) {
  const auto path = trace_path(given.arguments[0], given.out);
  const auto budget =
      optional_number("--runs", given.runs, 1, 1'000'000'000).value_or(default_budget);
  const sim::trace recorded = read_trace(path);
  const auto& header = recorded.header;
  fmt::print("leaselab {}  seed {}  shrink {}\n", version, header.seed, path.string());

  execution world(provider_of(header), engine_named(header.engine));
  sim::plan failing = header.plan;
  if (!still_violates(world, failing, header.property)) {
    const auto change = change_since(header);
    throw usage_error(fmt::format("{}: this run does not violate `{}`: nothing to shrink{}{}",
                                  path.string(), header.property, change.empty() ? "" : "; ",
                                  change));
  }
  const std::size_t before = failing.decisions.size();
  progress_line progress;
  std::uint64_t runs = 0;
  auto shrunk = properties::shrink(
      std::move(failing),
      [&](sim::plan& candidate) {
        progress.show_shrinking(0, 1, ++runs, header.property);
        return still_violates(world, candidate, header.property);
      },
      static_cast<std::uint32_t>(budget));
  progress.erase();
  const auto made = as_witness(world, header, std::move(shrunk.plan));

  properties::check_options asked;
  asked.engine = engine_named(header.engine);
  asked.seed = header.seed;
  asked.strategy = header.strategy;
  output_folder folder(given.out, "shrink");
  witness_files files(folder, asked, header.engine, false);
  files.start_in(folder_for(header));
  const auto written = files.write(made);
  folder.set_first(written.trace);
  fmt::print("{} of {}: {}\n{} instead of {}, after {}\n", made.property, made.provider, made.text,
             counted(made.events, "event", "events"), before, counted(shrunk.runs, "run", "runs"));
  if (!written.scenario.empty()) fmt::print("{}\n", written.scenario);
  fmt::print("{}\n", replay_command(written.trace));
  return as_expected;
}

}  // namespace leaselab::cli
