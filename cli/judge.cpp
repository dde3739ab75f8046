#include <fmt/format.h>
#include <time.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/report/json.hpp"
#include "cli/report/judge_report.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli {
namespace {

using properties::reading_of;

std::optional<reading_of> reading_named(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "at") return reading_of::at;
  if (text == "after") return reading_of::after;
  if (text == "any") return reading_of::any;
  throw usage_error(fmt::format("--reading: `{}` is no reading: at, after or any{}", text,
                                scenarios::suggest(text, {"at", "after", "any"})));
}

properties::header_override override_of(const options& given) {
  properties::header_override out;
  out.reading = reading_named(given.reading);
  if (const auto granule = optional_number("--granule", given.granule, 1, std::uint64_t{1} << 61))
    out.granule = static_cast<std::int64_t>(*granule);
  return out;
}

// Of this thread: what else the machine does must not count as judging.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

judged_history judge_one(const std::string& file, const properties::header_override& instead,
                         std::uint64_t budget) {
  try {
    const auto history = properties::read_history(file, instead);
    const double begin = processor_seconds();
    const auto result = properties::judge(history, budget);
    const double took = processor_seconds() - begin;
    return describe_judged(file == "-" ? "standard input" : file, history, result, took);
  } catch (const properties::history_error& error) {
    throw usage_error(error.what());
  }
}

int status_of(properties::verdict value) {
  if (value == properties::verdict::violated) return violated;
  return value == properties::verdict::holds ? as_expected : unknown;
}

}  // namespace

int run_judge(const options& given) {
  const auto instead = override_of(given);
  const auto budget = optional_number("--budget", given.budget, 1, 1'000'000'000'000'000)
                          .value_or(properties::default_step_limit);
  expect_writable(given.json);
  std::FILE* const to = text_stream(given);
  fmt::print(to, "leaselab {}  {}\n", version, given.command);
  std::vector<judged_history> all;
  for (const auto& file : given.arguments) {
    all.push_back(judge_one(file, instead, budget));
    std::fputs(judge_text(all.back(), wants_colour(to)).c_str(), to);
    std::fflush(to);
  }
  if (!given.json.empty()) write_file(given.json, to_lines(judge_json(all)));
  return status_of(verdict_of(all));
}

}  // namespace leaselab::cli
