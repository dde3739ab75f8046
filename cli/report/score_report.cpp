#include "cli/report/score_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "cli/report/check_report.hpp"
#include "cli/report/junit_suite.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::censored;
using properties::control_score;
using properties::mutant_score;
using properties::seeded_score;

// The share of kills that is worth a line of its own.
constexpr std::uint64_t soon = 1000;

std::size_t killed_soon(const score_report& report) {
  const auto& all = report.result.mutants;
  return std::size_t(std::count_if(all.begin(), all.end(), [](const mutant_score& one) {
    return one.schedules && *one.schedules <= soon;
  }));
}

std::size_t censored_in(const censored& sample) {
  return std::size_t(std::count(sample.begin(), sample.end(), std::nullopt));
}

std::string line_of(const mutant_score& one, bool colours) {
  if (!one.schedules) {
    return fmt::format("{:<4} {}  after {} schedules: {}\n", one.of->id,
                       painted("survives", colour::red, colours), grouped(one.tried),
                       one.of->sentence);
  }
  const std::string shaky = one.replays ? "" : painted("  does not replay", colour::red, colours);
  return fmt::format("{:<4} {}    {:>6}  {:>3}  {:<24} {:<11} {}{}\n", one.of->id,
                     painted("killed", colour::green, colours), grouped(*one.schedules),
                     one.shown->events, one.shown->property, one.shown->profile, one.of->name,
                     shaky);
}

std::string line_of(const control_score& one, bool colours) {
  const auto& result = one.result;
  std::string out =
      fmt::format("{:<24} {:>9}  {}\n", one.of->name, grouped(result.schedules),
                  result.alarms == 0
                      ? painted("no alarm", colour::green, colours)
                      : painted(counted(result.alarms, "alarm", "alarms"), colour::red, colours));
  if (result.first) {
    out += fmt::format("    {} in {}, schedule {}: {}\n", result.first->property,
                       result.first->profile, result.first->index, result.first->text);
  }
  return out;
}

std::string seeded_text(const score_report& report) {
  const auto& asked = report.asked;
  std::string out =
      fmt::format("\nmedian schedules to the kill, {} seeds from {} on\n{:<4} {:>22} {:>22}\n",
                  asked.seeds, asked.search.seed, "", asked.search.strategy, "random");
  for (const auto& one : report.result.seeded) {
    out += fmt::format("{:<4} {:>22} {:>22}\n", one.of->id,
                       median_text(one.by_strategy, asked.schedules),
                       median_text(one.by_random, asked.schedules));
  }
  return out;
}

json::value number_or_null(const std::optional<std::uint64_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : sim::json_text(text);
}

json::object mutant_value(const mutant_score& one, const std::string& trace) {
  json::object out{{"id", one.of->id},
                   {"name", one.of->name},
                   {"base", one.of->base},
                   {"killed", one.schedules.has_value()},
                   {"property", nullptr},
                   {"profile", nullptr},
                   {"schedules_to_kill", number_or_null(one.schedules)},
                   {"schedules", one.tried},
                   {"events_shrunk", nullptr},
                   {"shrink_seconds", nullptr},
                   {"replays", one.replays},
                   {"trace", text_or_null(trace)}};
  if (!one.shown) return out;
  out["property"] = one.shown->property;
  out["profile"] = one.shown->profile;
  out["events_shrunk"] = one.shown->events;
  out["shrink_seconds"] = one.shrink_seconds;
  return out;
}

json::object control_value(const control_score& one, const std::string& trace) {
  return {{"name", one.of->name},
          {"provider", one.of->provider->name},
          {"alarms", one.result.alarms},
          {"schedules", one.result.schedules},
          {"trace", text_or_null(trace)}};
}

json::object sample_value(const censored& sample) {
  json::array all;
  for (const auto& one : sample) all.push_back(number_or_null(one));
  return {{"median", number_or_null(properties::median(sample))},
          {"censored", censored_in(sample)},
          {"schedules_to_kill", std::move(all)}};
}

}  // namespace

std::string median_text(const censored& sample, std::uint64_t most) {
  const auto middle = properties::median(sample);
  const auto lost = censored_in(sample);
  std::string out = middle ? grouped(*middle) : "> " + grouped(most);
  if (lost > 0) out += fmt::format(" ({} censored)", lost);
  return out;
}

std::string score_summary(const score_report& report) {
  const auto& result = report.result;
  std::string out = fmt::format("{} of {} mutants killed, {} within {} schedules", result.killed(),
                                result.mutants.size(), killed_soon(report), grouped(soon));
  if (!result.controls.empty()) {
    std::uint64_t schedules = 0;
    for (const auto& one : result.controls) schedules += one.result.schedules;
    out += fmt::format("; {} in {} control schedules", counted(result.alarms(), "alarm", "alarms"),
                       grouped(schedules));
  }
  return out + fmt::format("; {:.1f} s{}", result.seconds, result.stopped ? ", stopped early" : "");
}

std::string score_text(const score_report& report, bool colours) {
  std::string out = "               schedules  events\n";
  for (const auto& one : report.result.mutants) out += line_of(one, colours);
  if (!report.result.seeded.empty()) out += seeded_text(report);
  if (!report.result.controls.empty()) out += "\n";
  for (const auto& one : report.result.controls) out += line_of(one, colours);
  out += "\n" + score_summary(report) + "\n";
  const auto* const longest = report.result.longest_shrunk();
  if (!longest) return out;
  return out +
         fmt::format("shrunk to {} events (median), none in more than {:.1f} s of one core ({})\n",
                     report.result.median_events().value_or(0), longest->shrink_seconds,
                     longest->of->id);
}

json::object score_json(const score_report& report) {
  const auto& result = report.result;
  json::array mutants, controls, seeds;
  for (std::size_t i = 0; i < result.mutants.size(); ++i)
    mutants.push_back(mutant_value(result.mutants[i], report.mutant_traces[i]));
  for (std::size_t i = 0; i < result.controls.size(); ++i)
    controls.push_back(control_value(result.controls[i], report.control_traces[i]));
  for (const auto& one : result.seeded) {
    seeds.push_back(json::object{{"id", one.of->id},
                                 {report.asked.search.strategy, sample_value(one.by_strategy)},
                                 {"random", sample_value(one.by_random)}});
  }
  return {{"tool", "leaselab"},
          {"version", version},
          {"seed", std::to_string(report.asked.search.seed)},
          {"strategy", report.asked.search.strategy},
          {"schedules", report.asked.schedules},
          {"wall_seconds", result.seconds},
          {"mutants", std::move(mutants)},
          {"seeds", std::move(seeds)},
          {"controls", std::move(controls)},
          {"score", json::object{{"killed", result.killed()},
                                 {"of", result.mutants.size()},
                                 {"within_1000", killed_soon(report)},
                                 {"alarms", result.alarms()}}}};
}

std::string score_junit(const score_report& report) {
  junit_suite mutants("mutants"), controls("controls");
  for (std::size_t i = 0; i < report.result.mutants.size(); ++i) {
    const auto& one = report.result.mutants[i];
    if (!one.schedules) {
      mutants.fail(one.of->id, "survives " + grouped(one.tried) + " schedules", one.of->sentence);
    } else if (!one.replays) {
      mutants.fail(one.of->id, "its kill does not replay", replay_command(report.mutant_traces[i]));
    } else {
      mutants.pass(one.of->id);
    }
  }
  for (std::size_t i = 0; i < report.result.controls.size(); ++i) {
    const auto& one = report.result.controls[i];
    if (one.result.first) {
      controls.fail(one.of->name, one.result.first->text, replay_command(report.control_traces[i]));
    } else {
      controls.pass(one.of->name);
    }
  }
  return junit_document(report.head,
                        mutants.text() + (controls.empty() ? std::string() : controls.text()));
}

}  // namespace leaselab::cli
