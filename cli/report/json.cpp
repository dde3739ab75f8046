#include "cli/report/json.hpp"

#include <boost/json/serialize.hpp>

#include "cli/report/missing.hpp"
#include "cli/report/statistics_text.hpp"
#include "cli/version.hpp"
#include "sim/json_text.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;

json::value or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : sim::json_text(text);
}

std::string_view declared_text(const properties::cell& one) {
  if (one.result == properties::cell_result::not_applicable) return "not_applicable";
  return one.guaranteed ? "guaranteed" : "not_guaranteed";
}

json::object cell_value(const check_report& report, const properties::cell& one) {
  json::object out{{"provider", one.provider},
                   {"property", one.property},
                   {"profile", one.profile},
                   {"result", to_string(one.result)}};
  out.emplace("declared", declared_text(one));
  out.emplace("schedules", one.schedules);
  out.emplace("first_violation",
              one.first_violation ? json::value(*one.first_violation) : json::value(nullptr));
  const bool bounded = report.asked.strategy == "random" && one.schedules > 0 &&
                       one.result == properties::cell_result::holds;
  out.emplace("below_at_95", bounded ? json::value(properties::rule_of_three(one.schedules))
                                     : json::value(nullptr));
  const bool written = one.witness && *one.witness < report.witnesses.size();
  const written_witness none;
  const auto& files = written ? report.witnesses[*one.witness] : none;
  out.emplace("trace", or_null(files.trace));
  out.emplace("scenario", or_null(files.scenario));
  return out;
}

json::array cell_values(const check_report& report) {
  json::array out;
  for (const auto& one : report.result.cells) out.push_back(cell_value(report, one));
  return out;
}

json::array sometimes_values(const properties::check_result& result) {
  json::array out;
  for (const auto& one : result.sometimes) {
    out.push_back(json::object{{"reach", one.reach},
                               {"profile", one.profile},
                               {"provider", one.provider},
                               {"count", one.count}});
  }
  return out;
}

json::object summary_value(const check_report& report) {
  json::object out;
  for (const auto result : all_results()) {
    out.emplace(to_string(result), report.cells.count(result));
  }
  return out;
}

// By provider; those that lack nothing are left out.
json::object missing_value(const std::vector<const sim::variant*>& providers) {
  json::object out;
  for (const auto* provider : providers) {
    if (!provider->missing.empty()) out.emplace(provider->name, missing_json(*provider));
  }
  return out;
}

json::object violation_value(const run_violation& one) {
  return {
      {"property", one.property}, {"text", sim::json_text(one.text)}, {"expected", one.expected}};
}

json::object run_value(const scenario_run& one) {
  json::array violations;
  for (const auto& each : one.violations) violations.push_back(violation_value(each));
  json::array notes;
  for (const auto& note : one.notes) notes.push_back(sim::json_text(note));
  return {{"scenario", sim::json_text(one.scenario)},
          {"provider", one.provider},
          {"expected", one.expected},
          {"got", one.got},
          {"violations", std::move(violations)},
          {"notes", std::move(notes)},
          {"schedules", one.schedules},
          {"digest", sim::digest_text(one.digest)},
          {"trace", or_null(one.trace)},
          {"ok", one.ended == run_end::ok || one.ended == run_end::skipped}};
}

}  // namespace

json::object check_json(const check_report& report) {
  const auto& result = report.result;
  json::object out{{"tool", "leaselab"},
                   {"version", version},
                   {"seed", std::to_string(report.asked.seed)},
                   {"strategy", report.asked.strategy},
                   {"engine", report.engine},
                   {"schedules", result.schedules}};
  const double rate =
      result.seconds > 0 ? static_cast<double>(result.schedules) / result.seconds : 0;
  out.emplace("schedules_per_second", rate);
  out.emplace("wall_seconds", result.seconds);
  out.emplace("digest",
              result.digest ? json::value(sim::digest_text(*result.digest)) : json::value(nullptr));
  out.emplace("cells", cell_values(report));
  out.emplace("sometimes", sometimes_values(result));
  out.emplace("statistics", statistics_json(result.covered, report.asked.strategy, result.seconds));
  out.emplace("missing", missing_value(report.asked.providers));
  out.emplace("summary", summary_value(report));
  return out;
}

json::object run_json(const run_report& report) {
  json::array runs;
  for (const auto& one : report.runs) runs.push_back(run_value(one));
  json::object summary{{"ok", report.count(run_end::ok)},
                       {"not_ok", report.count(run_end::not_ok)},
                       {"unknown", report.count(run_end::unknown)},
                       {"skipped", report.count(run_end::skipped)}};
  return {{"tool", "leaselab"},
          {"version", version},
          {"seed", or_null(report.seed)},
          {"runs", std::move(runs)},
          {"missing", missing_value(report.own)},
          {"summary", std::move(summary)}};
}

std::string to_lines(const json::object& value) {
  std::string out = "{\n";
  std::size_t left = value.size();
  for (const auto& [name, member] : value) {
    out += "  " + json::serialize(json::value(name)) + ": ";
    if (const auto* list = member.if_array(); list && !list->empty()) {
      out += "[\n";
      for (std::size_t i = 0; i < list->size(); ++i) {
        out += "    " + json::serialize((*list)[i]) + (i + 1 < list->size() ? ",\n" : "\n");
      }
      out += "  ]";
    } else {
      out += json::serialize(member);
    }
    out += --left > 0 ? ",\n" : "\n";
  }
  return out + "}\n";
}

}  // namespace leaselab::cli
