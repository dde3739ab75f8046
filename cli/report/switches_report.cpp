#include "cli/report/switches_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/statistics_text.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "sim/json_text.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::breach;
using properties::lost_property;
using properties::switch_row;

std::string label_of(const switch_row& row) {
  return fmt::format("{}={}", row.what.policy, row.what.value);
}

// Where the witness was found; without one, where it would be looked for first.
const breach& place_of(const lost_property& lost) {
  if (lost.shown) {
    for (const auto& at : lost.where) {
      if (at.provider == lost.shown->provider && at.profile == lost.shown->profile) return at;
    }
  }
  return lost.where.front();
}

std::uint64_t schedules_to_find(const lost_property& lost) {
  return 1 + (lost.shown ? lost.shown->index : lost.where.front().first);
}

std::string events_text(const lost_property& lost) {
  return lost.shown ? grouped(lost.shown->events) : "-";
}

std::string nothing_in(std::uint64_t schedules) { return "nothing in " + grouped(schedules); }

// A line of the table, as words.
struct line {
  std::string label;
  std::string breaks, in, of, after, events;
  std::vector<std::string> also;
};

line line_of(const switch_row& row) {
  line out{label_of(row), nothing_in(row.searched.schedules), "", "", "", "", {}};
  if (row.lost.empty()) return out;
  const auto& first = row.lost.front();
  const auto& at = place_of(first);
  out = {label_of(row),
         first.property,
         at.profile,
         at.provider,
         grouped(schedules_to_find(first)),
         events_text(first),
         {}};
  for (std::size_t i = 1; i < row.lost.size(); ++i) out.also.push_back(row.lost[i].property);
  return out;
}

line base_line(const switches_report& report) {
  const auto& matrix = report.matrix;
  line out{
      sim::to_string(report.asked.client), nothing_in(matrix.base.schedules), "", "", "", "", {}};
  if (matrix.lost_by_base.empty()) return out;
  out.breaks = "by itself";
  out.also = matrix.lost_by_base;
  return out;
}

std::vector<line> lines_of(const switches_report& report) {
  std::vector<line> out{base_line(report)};
  for (const auto& row : report.matrix.rows) out.push_back(line_of(row));
  return out;
}

struct widths {
  std::size_t label = 6, breaks = 6, in = 2, of = 2;
};

// As many names as there is room for, and how many are left.
std::string fitting(const std::vector<std::string>& names, std::size_t room) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto next = (i > 0 ? ", " : "") + names[i];
    const auto rest = fmt::format(", {} more", names.size() - i);
    const bool last = i + 1 == names.size();
    if (room > 0 && i > 0 && out.size() + next.size() + (last ? 0 : rest.size()) > room)
      return out + rest;
    out += next;
  }
  return out;
}

std::string row_text(const line& one, const widths& wide, bool providers, int width) {
  auto out = fmt::format("{:<{}}  {:<{}}  {:<{}}  ", one.label, wide.label, one.breaks, wide.breaks,
                         one.in, wide.in);
  if (providers) out += fmt::format("{:<{}}  ", one.of, wide.of);
  out += fmt::format("{:>6}  {:>6}  ", one.after, one.events);
  const auto used = out.size();
  const bool room = width > 0 && std::size_t(width) > used;
  out += fitting(one.also, room ? std::size_t(width) - used : 0);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string table(const switches_report& report, const table_style& style) {
  const auto lines = lines_of(report);
  widths wide;
  for (const auto& one : lines) {
    wide.label = std::max(wide.label, one.label.size());
    wide.breaks = std::max(wide.breaks, one.breaks.size());
    wide.in = std::max(wide.in, one.in.size());
    wide.of = std::max(wide.of, one.of.size());
  }
  const bool providers = report.asked.providers.size() > 1;
  const line head{"client", "breaks", "in", "of", "after", "events", {"also"}};
  auto out = painted(row_text(head, wide, providers, 0), colour::bold, style.colour);
  for (const auto& one : lines) out += row_text(one, wide, providers, style.width);
  return out;
}

// "redis: calm 173, drift 226 (76 without)".
std::string where_text(const switches_report& report, const lost_property& lost) {
  std::string out;
  for (const auto* provider : report.asked.providers) {
    std::string places;
    for (const auto& at : lost.where) {
      if (at.provider != provider->name) continue;
      places += fmt::format("{}{} {}", places.empty() ? "" : ", ", at.profile, at.violations);
      if (at.before > 0) places += fmt::format(" ({} without)", at.before);
    }
    if (places.empty()) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", provider->name, places);
  }
  return out;
}

std::string detail_lines(const switches_report& report) {
  auto out = fmt::format("\nhow many of {} schedules violate, in each profile\n",
                         grouped(report.asked.schedules));
  for (std::size_t r = 0; r < report.matrix.rows.size(); ++r) {
    const auto& row = report.matrix.rows[r];
    if (!row.lost.empty()) out += "\n" + label_of(row) + "\n";
    for (std::size_t i = 0; i < row.lost.size(); ++i) {
      const auto& lost = row.lost[i];
      out += fmt::format("  {}: {}\n", lost.property, where_text(report, lost));
      if (!lost.shown) continue;
      out += fmt::format("    {}, {}\n    {}\n", counted(lost.shown->events, "event", "events"),
                         lost.shown->text, report.witnesses[r][i].trace);
    }
  }
  return out;
}

std::string broken_lines(const switches_report& report, bool colours) {
  std::string out;
  for (const auto& one : report.broken) {
    out += fmt::format("{}  {} of {} in {} with {}: {}\n        {}\n",
                       painted("broken", colour::red, colours), one.property, one.provider,
                       one.profile, one.client, one.text, replay_command(one.trace));
  }
  const auto add = [&out](const properties::check_result& from) {
    for (const auto& one : from.nondeterminism) out += "nondeterminism  " + one + "\n";
    for (const auto& one : from.sometimes) {
      if (!one.enforced || one.count > 0) continue;
      out += fmt::format("unreached  \"{}\" of {} in {}\n", one.reach, one.provider, one.profile);
    }
  };
  add(report.matrix.base);
  for (const auto& row : report.matrix.rows) add(row.searched);
  return out;
}

std::size_t breaking(const switches_report& report) {
  const auto& rows = report.matrix.rows;
  return std::size_t(
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.lost.empty(); }));
}

// Of all searches together.
std::vector<properties::coverage> covered_by(const properties::switch_matrix& matrix) {
  auto out = matrix.base.covered;
  for (const auto& row : matrix.rows)
    out.insert(out.end(), row.searched.covered.begin(), row.searched.covered.end());
  return out;
}

std::string closing_lines(const switches_report& report) {
  const auto& matrix = report.matrix;
  const double rate = matrix.seconds > 0 ? double(matrix.schedules) / matrix.seconds : 0;
  auto out = fmt::format("{} of {} break something\n", breaking(report),
                         counted(matrix.rows.size(), "switch", "switches"));
  out += fmt::format("{} schedules in {:.1f} s ({}/s)", grouped(matrix.schedules), matrix.seconds,
                     grouped(std::uint64_t(rate)));
  if (matrix.digest) out += ", digest " + sim::digest_text(*matrix.digest);
  if (matrix.stopped) out += ", stopped early: no digest";
  out += "\n" + statistics_lines(covered_by(matrix), report.asked.strategy, matrix.seconds);
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    if (matrix.rows[r].lost.empty() || report.witnesses[r].front().trace.empty()) continue;
    return out + fmt::format("traces by switch and property; the first: {}\n",
                             replay_command(report.witnesses[r].front().trace));
  }
  return out;
}

json::value or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : sim::json_text(text);
}

json::object breach_json(const breach& at) {
  return {{"provider", at.provider},     {"profile", at.profile},
          {"promised", at.promised},     {"schedules", at.schedules},
          {"violations", at.violations}, {"violations_without", at.before},
          {"first_violation", at.first}};
}

json::object lost_json(const lost_property& lost, const written_witness& files) {
  json::array where;
  for (const auto& at : lost.where) where.push_back(breach_json(at));
  json::object out{{"property", lost.property},
                   {"provider", place_of(lost).provider},
                   {"profile", place_of(lost).profile},
                   {"schedules_to_find", schedules_to_find(lost)}};
  out.emplace("events_shrunk", lost.shown ? json::value(lost.shown->events) : json::value(nullptr));
  out.emplace("text", or_null(lost.shown ? lost.shown->text : ""));
  out.emplace("trace", or_null(files.trace));
  out.emplace("scenario", or_null(files.scenario));
  out.emplace("where", std::move(where));
  return out;
}

json::object row_json(const switch_row& row, const std::vector<written_witness>& files) {
  json::array breaks;
  for (std::size_t i = 0; i < row.lost.size(); ++i)
    breaks.push_back(lost_json(row.lost[i], files[i]));
  return {{"policy", row.what.policy},
          {"value", row.what.value},
          {"client", sim::to_string(row.what.client)},
          {"schedules", row.searched.schedules},
          {"breaks", std::move(breaks)}};
}

json::array broken_json(const switches_report& report) {
  json::array out;
  for (const auto& one : report.broken) {
    out.push_back(json::object{{"client", one.client},
                               {"property", one.property},
                               {"provider", one.provider},
                               {"profile", one.profile},
                               {"trace", or_null(one.trace)}});
  }
  return out;
}

template <class Names, class Name>
json::array names_json(const Names& names, Name name) {
  json::array out;
  for (const auto& one : names) out.push_back(json::value(name(one)));
  return out;
}

}  // namespace

std::string switches_text(const switches_report& report, const table_style& style) {
  auto out = table(report, style);
  if (style.verbose) out += detail_lines(report);
  return out + "\n" + broken_lines(report, style.colour) + closing_lines(report);
}

std::string switches_markdown(const switches_report& report) {
  auto out = fmt::format(
      "`{}`\n\n| client | breaks | in | of | schedules | events | also |\n"
      "|---|---|---|---|---|---|---|\n",
      report.head);
  for (const auto& one : lines_of(report)) {
    const auto breaks = one.in.empty() ? one.breaks : "`" + one.breaks + "`";
    std::string also;
    for (const auto& name : one.also) also += (also.empty() ? "`" : ", `") + name + "`";
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", one.label, breaks, one.in,
                       one.of, one.after, one.events, also);
  }
  return out;
}

json::object switches_json(const switches_report& report) {
  const auto& matrix = report.matrix;
  const auto as_is = [](const auto& one) { return one; };
  json::array rows;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    rows.push_back(row_json(matrix.rows[i], report.witnesses[i]));
  json::object out{{"tool", "leaselab"},
                   {"version", version},
                   {"seed", std::to_string(report.asked.seed)},
                   {"strategy", report.asked.strategy},
                   {"engine", report.engine},
                   {"client", sim::to_string(report.asked.client)}};
  out.emplace("providers", names_json(report.asked.providers, [](auto* one) { return one->name; }));
  out.emplace("profiles", names_json(report.asked.profiles, as_is));
  out.emplace("schedules_each", report.asked.schedules);
  out.emplace("schedules", matrix.schedules);
  out.emplace("wall_seconds", matrix.seconds);
  out.emplace("digest",
              matrix.digest ? json::value(sim::digest_text(*matrix.digest)) : json::value(nullptr));
  auto statistics = statistics_json(covered_by(matrix), report.asked.strategy, matrix.seconds);
  statistics.erase("covered");  // a line for each client, provider and profile
  out.emplace("statistics", std::move(statistics));
  out.emplace("lost_by_client", names_json(matrix.lost_by_base, as_is));
  out.emplace("broken", broken_json(report));
  out.emplace("switches", std::move(rows));
  out.emplace("summary", json::object{{"breaking", breaking(report)},
                                      {"nothing_found", matrix.rows.size() - breaking(report)}});
  return out;
}

}  // namespace leaselab::cli
