#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/execution.hpp"
#include "cli/exit_status.hpp"
#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/then_explore.hpp"
#include "cli/trace_path.hpp"
#include "cli/traces.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

sim::trace run_again(const sim::trace& recorded) {
  const auto& header = recorded.header;
  execution again(provider_of(header), engine_named(header.engine));
  again.replay(header.plan);
  return again.trace(header);
}

std::string head_line(const std::filesystem::path& path, const sim::trace_header& header) {
  std::string out =
      fmt::format("leaselab {}  seed {}  replay {}\n", version, header.seed, path.string());
  out += fmt::format("{} with {}", header.property.empty() ? "a run" : header.property,
                     header.provider);
  if (!header.profile.empty()) out += " in " + header.profile;
  out += fmt::format(", {} engine, by {}\n", header.engine, header.strategy);
  if (header.version != version) {
    out += fmt::format("note: recorded by leaselab {}\n", header.version);
  }
  return out;
}

std::string verdict_lines(const sim::trace_footer& footer) {
  std::string out;
  for (const auto& one : footer.verdicts) {
    if (one.verdict == "violated") out += fmt::format("violated  {}: {}\n", one.property, one.text);
    if (one.verdict == "unknown") out += fmt::format("unknown   {}\n", one.property);
  }
  return out;
}

// Both lines, so that nobody has to look them up.
int report_difference(const sim::trace& recorded, const sim::trace& again, std::size_t line) {
  const auto at = [&](const sim::trace& one) -> std::string {
    return line <= one.lines.size() ? one.lines[line - 1] : "(the trace has ended)";
  };
  fmt::print("diverged at line {}\n  recorded  {}\n  now       {}\n", line, at(recorded),
             at(again));
  if (const auto change = change_since(recorded.header); !change.empty())
    fmt::print("note: {}\n", change);
  return nondeterminism;
}

int report_until(const sim::trace& again, std::uint64_t line) {
  if (line > again.lines.size()) {
    throw usage_error(
        fmt::format("--until: the trace has {} lines, not {}", again.lines.size(), line));
  }
  for (std::size_t i = 1; i < line; ++i) fmt::print("{:>5}  {}\n", i + 1, again.lines[i]);
  fmt::print("the same up to line {}\n", line);
  return as_expected;
}

}  // namespace

int run_replay(const options& given) {
  const auto path = trace_path(given.arguments[0], given.out);
  const auto until = optional_number("--until", given.until, 2, 1'000'000'000);
  if (given.then_explore && !until)
    throw usage_error("--then-explore: say up to which line the run is kept: --until N");
  const sim::trace recorded = read_trace(path);
  std::fputs(head_line(path, recorded.header).c_str(), stdout);
  const sim::trace again = run_again(recorded);
  const auto line = sim::first_difference(recorded, again);
  if (line && (!until || *line <= *until)) return report_difference(recorded, again, *line);
  if (given.then_explore) return then_explore(recorded, *until, given);
  if (until) return report_until(again, *until);
  std::fputs(verdict_lines(again.footer).c_str(), stdout);
  fmt::print("same digest {}\n", sim::digest_text(again.footer.digest));
  return as_expected;
}

}  // namespace leaselab::cli
