// What `check` says around its matrix.
#include <fmt/format.h>

#include <algorithm>

#include "cli/report/missing.hpp"
#include "cli/report/statistics_text.hpp"
#include "cli/report/table.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "properties/foreign.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

using properties::cell;
using properties::cell_result;

std::string profiles_with(const check_report& report, const std::string& provider,
                          const std::string& property, cell_result result) {
  std::string out;
  for (const auto& profile : report.cells.profiles()) {
    const cell* const one = report.cells.at(provider, property, profile);
    if (one && one->result == result) out += " " + profile;
  }
  return out;
}

std::string rate_bound(const check_report& report, const std::string& provider,
                       const std::string& property) {
  std::uint64_t least = 0;
  for (const auto& profile : report.cells.profiles()) {
    const cell* const one = report.cells.at(provider, property, profile);
    if (!one || one->result != cell_result::holds || one->schedules == 0) continue;
    least = least == 0 ? one->schedules : std::min(least, one->schedules);
  }
  const auto bound = zero_in(least, report.asked.strategy);
  return bound.empty() ? "" : "  (" + bound + ")";
}

std::string broken_lines(const check_report& report, std::size_t index, bool colours) {
  const auto& one = report.result.witnesses[index];
  const auto& written = report.witnesses[index];
  std::string out = fmt::format("{}  {} of {} in {}: {}\n", painted("broken", colour::red, colours),
                                one.property, one.provider, one.profile, one.text);
  out += fmt::format("        {}\n", counted(one.events, "event", "events"));
  if (!written.scenario.empty()) out += fmt::format("        {}\n", written.scenario);
  return out + fmt::format("        {}\n", replay_command(written.trace));
}

bool is_broken(const check_report& report, std::size_t index) {
  return std::any_of(report.result.cells.begin(), report.result.cells.end(), [&](const cell& one) {
    return one.witness == index && one.result == cell_result::broken;
  });
}

std::string unreached_lines(const check_report& report) {
  std::string out;
  for (const auto& one : report.result.sometimes) {
    if (!one.enforced || one.count > 0) continue;
    out += fmt::format("unreached  \"{}\" of {} in {}\n", one.reach, one.provider, one.profile);
  }
  return out;
}

std::string summary_line(const check_report& report) {
  std::string out;
  for (const auto result : all_results()) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", grouped(report.cells.count(result)), to_string(result));
  }
  return out + "\n";
}

std::string speed_line(const check_report& report) {
  const auto& result = report.result;
  const double rate =
      result.seconds > 0 ? static_cast<double>(result.schedules) / result.seconds : 0;
  std::string out = fmt::format("{} schedules in {:.1f} s ({}/s)", grouped(result.schedules),
                                result.seconds, grouped(static_cast<std::uint64_t>(rate)));
  if (result.digest) out += ", digest " + sim::digest_text(*result.digest);
  if (result.stopped) out += ", stopped early: no digest";
  const bool loose = std::ranges::any_of(report.asked.providers, [](const sim::variant* each) {
    return properties::is_best_effort(each->name);
  });
  if (loose) out += ", best effort: these runs need not repeat, so there is no digest";
  return out + "\n";
}

// The weakest of all cells that hold.
std::string holds_line(const check_report& report) {
  std::uint64_t least = 0;
  for (const auto& one : report.result.cells) {
    if (one.result == cell_result::holds)
      least = least == 0 ? one.schedules : std::min(least, one.schedules);
  }
  const auto bound = zero_in(least, report.asked.strategy);
  return bound.empty() ? "" : "what holds, at the least: " + bound + "\n";
}

std::string last_line(const check_report& report) {
  const auto order = witnesses_by_badness(report);
  if (order.empty()) return "";
  return fmt::format("{} written; replay one: {}\n", counted(order.size(), "witness", "witnesses"),
                     replay_command(report.witnesses[order.front()].trace));
}

}  // namespace

std::string profile_lines(const check_report& report, const table_style& style) {
  std::size_t width = 0;
  for (const auto& property : report.cells.properties()) width = std::max(width, property.size());
  std::string out;
  for (const auto& provider : report.cells.providers()) {
    out += painted(provider, colour::bold, style.colour) + "\n";
    for (const auto& property : report.cells.properties()) {
      std::string line = fmt::format("  {:<{}}", property, width);
      for (const auto result : all_results()) {
        const auto profiles = profiles_with(report, provider, property, result);
        if (!profiles.empty()) line += fmt::format("  {}:{}", to_string(result), profiles);
      }
      out += line + rate_bound(report, provider, property) + "\n";
    }
  }
  return out;
}

std::string check_text(const check_report& report, const table_style& style) {
  std::string out = matrix_table(report.cells, style);
  if (style.verbose) out += "\n" + profile_lines(report, style);
  out += "\n";
  for (const std::size_t index : witnesses_by_badness(report)) {
    if (is_broken(report, index)) out += broken_lines(report, index, style.colour);
  }
  out += unreached_lines(report);
  for (const auto& one : report.result.nondeterminism) out += "nondeterminism  " + one + "\n";
  out += summary_line(report) + speed_line(report);
  out += statistics_lines(report.result.covered, report.asked.strategy, report.result.seconds);
  if (style.verbose) out += coverage_lines(report.result.covered);
  out += holds_line(report) + last_line(report) + missing_lines(report.asked.providers);
  return out;
}

}  // namespace leaselab::cli
