#include <fmt/format.h>

#include <algorithm>

#include "cli/report/page.hpp"
#include "cli/report/score_report.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::censored;
using properties::control_score;
using properties::mutant_score;

std::string mutant_row(const mutant_score& one, const std::string& trace) {
  if (!one.schedules)
    return html_row({{one.of->id},
                     {"survives", "broken"},
                     {grouped(one.tried), "number"},
                     {""},
                     {""},
                     {""},
                     {escaped(one.of->sentence), "wide"}});
  return html_row({{one.of->id},
                   {one.replays ? "killed" : "does not replay", one.replays ? "holds" : "broken"},
                   {grouped(*one.schedules), "number"},
                   {grouped(one.shown->events), "number"},
                   {escaped(one.shown->property)},
                   {escaped(one.shown->profile)},
                   {fmt::format("{}<br>{}", escaped(one.of->name), html_replay(trace)), "wide"}});
}

std::string mutants(const score_report& report) {
  std::string rows;
  for (std::size_t i = 0; i < report.result.mutants.size(); ++i)
    rows += mutant_row(report.result.mutants[i], report.mutant_traces[i]);
  return "<h2>Mutants</h2>\n" +
         html_table({"", "", "schedules", "events", "property", "profile", "fault"}, rows);
}

std::string control_row(const control_score& one, const std::string& trace) {
  const auto& result = one.result;
  std::string told = escaped(one.of->about);
  if (result.first)
    told = fmt::format("{} in {}, schedule {}: {}<br>{}", escaped(result.first->property),
                       escaped(result.first->profile), result.first->index,
                       escaped(result.first->text), html_replay(trace));
  const bool silent = result.alarms == 0;
  return html_row({{escaped(one.of->name)},
                   {silent ? "no alarm" : counted(result.alarms, "alarm", "alarms"),
                    silent ? "holds" : "broken"},
                   {grouped(result.schedules), "number"},
                   {told, "wide"}});
}

std::string controls(const score_report& report) {
  if (report.result.controls.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < report.result.controls.size(); ++i)
    rows += control_row(report.result.controls[i], report.control_traces[i]);
  return "<h2>Controls</h2>\n" + html_table({"", "", "schedules", ""}, rows);
}

html_cell median_cell(const censored& sample, std::uint64_t most) {
  return {escaped(median_text(sample, most)), "number"};
}

std::string seeds(const score_report& report) {
  const auto& asked = report.asked;
  if (report.result.seeded.empty()) return {};
  std::string rows;
  for (const auto& one : report.result.seeded)
    rows += html_row({{one.of->id},
                      median_cell(one.by_strategy, asked.schedules),
                      median_cell(one.by_random, asked.schedules)});
  return fmt::format("<h2>Median schedules to the kill, {} seeds from {} on</h2>\n", asked.seeds,
                     asked.search.seed) +
         html_table({"", asked.search.strategy, "random"}, rows);
}

}  // namespace

std::string score_html(const score_report& report) {
  return html_page("How well the suite tests", report.head,
                   fmt::format("<p>{}</p>\n", escaped(score_summary(report))) + mutants(report) +
                       seeds(report) + controls(report));
}

}  // namespace leaselab::cli
