#include "cli/exhaustive.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/exit_status.hpp"
#include "cli/report/text.hpp"
#include "cli/values.hpp"
#include "properties/search/exhaustive/exhaustive.hpp"

namespace leaselab::cli {
namespace {

std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in) throw usage_error(fmt::format("--resume: {} cannot be read", path));
  return out.str();
}

void refuse(bool given, std::string_view flag, std::string_view why) {
  if (given) throw usage_error(fmt::format("{}: {}", flag, why));
}

void expect_small(std::string_view flag, const std::optional<std::uint32_t>& value,
                  std::uint32_t most) {
  if (value && *value > most)
    throw usage_error(
        fmt::format("{}: an exhaustive search takes 1 to {}, not {}", flag, most, *value));
}

std::string sample_text(const properties::walk_coverage& one) {
  const auto same = one.strange_states == 0 ? std::string("each came to a final state of the walk")
                                            : fmt::format("{} final states are none of the walk",
                                                          grouped(one.strange_states));
  return fmt::format(
      "{:<9} {}: {} random runs of about {:.3g} (+- {:.2g} %) in every order: {}, to {} in all\n",
      "sampled", one.provider, grouped(one.sampled), one.every_order,
      one.every_order > 0 ? 100 * one.every_order_error / one.every_order : 0, same,
      grouped(one.sampled_states));
}

void refuse_its_flags(const options& given) {
  constexpr auto why = "only with --strategy exhaustive";
  refuse(!given.resume.empty(), "--resume", why);
  refuse(given.no_reduction, "--no-reduction", why);
  refuse(!given.time_moves.empty(), "--time-moves", why);
  refuse(!given.sample.empty(), "--sample", why);
}

properties::exhaustive_options how_to_walk(const options& given) {
  properties::exhaustive_options out;
  out.reduce = !given.no_reduction;
  out.time_moves = static_cast<std::uint32_t>(
      optional_number("--time-moves", given.time_moves, 0, 20).value_or(out.time_moves));
  out.sample = optional_number("--sample", given.sample, 1, 1'000'000'000).value_or(0);
  return out;
}

}  // namespace

std::optional<properties::exhaustive_options> every_order_of(const options& given) {
  if (given.strategy == "exhaustive") {
    refuse(!given.seed.empty(), "--seed", "an exhaustive run draws nothing: leave it out");
    return how_to_walk(given);
  }
  refuse_its_flags(given);
  return std::nullopt;
}

void take_exhaustive(const options& given, properties::check_options& into) {
  if (into.strategy != "exhaustive") return refuse_its_flags(given);
  constexpr auto own_programs = "an exhaustive search has programs of its own: leave it out";
  refuse(!given.workload.empty(), "--workload", own_programs);
  refuse(!given.client.empty(), "--client", own_programs);
  refuse(!given.schedules.empty(), "--schedules", "an exhaustive search runs all there are");
  if (given.profiles.empty()) into.profiles = {"interleave"};
  refuse(into.profiles != std::vector<std::string>{"interleave"}, "--profile",
         "an exhaustive search injects no faults: interleave is all it covers");
  expect_small("--processes", into.processes, properties::most_exhaustive_processes);
  expect_small("--calls", into.calls, properties::most_exhaustive_calls);
  auto& how = into.exhaustive = how_to_walk(given);
  if (given.resume.empty()) return;
  expect_writable(given.resume);
  if (!std::filesystem::exists(given.resume)) return;
  how.resume = whole_file(given.resume);
  try {
    properties::expect_checkpoint(into);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--resume: {}: {}", given.resume, error.what()));
  }
}

std::string coverage_text(const properties::check_options& asked,
                          const properties::check_result& result) {
  if (result.walked.empty()) return "";
  std::string out = properties::scope_text(asked);
  for (const auto& one : result.walked) {
    out += fmt::format(
        "{:<9} {}: {} line-ups of {} programs, {} runs, {} final states ({:016x})",
        one.complete() ? "complete" : "stopped", one.provider,
        one.complete() ? grouped(one.lineups)
                       : fmt::format("{} of {}", grouped(one.lineups_done), grouped(one.lineups)),
        grouped(one.programs), grouped(one.runs), grouped(one.final_states),
        one.final_states_digest);
    if (one.redundant > 0) out += fmt::format("; {} begun in vain", grouped(one.redundant));
    out += "\n";
    if (one.sampled > 0) out += sample_text(one);
  }
  return out + "\n";
}

std::string keep_checkpoint(const options& given, const properties::check_result& result,
                            output_folder& folder) {
  if (result.walked.empty()) return "";
  if (!given.resume.empty()) write_file(given.resume, result.checkpoint);
  if (!result.stopped) return "";
  const auto file =
      given.resume.empty() ? folder.write("checkpoint", result.checkpoint).string() : given.resume;
  return fmt::format("go on with the same flags and --resume {}\n", shell_word(file));
}

}  // namespace leaselab::cli
