#include "cli/live/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "cli/exit_status.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"

namespace leaselab::cli::live {
namespace {

using properties::verdict;

double in_ttl(std::int64_t ns, const setup& of) {
  return static_cast<double>(ns) / static_cast<double>(of.ttl());
}

colour colour_of(verdict value) {
  if (value == verdict::holds) return colour::green;
  return value == verdict::violated ? colour::red : colour::yellow;
}

std::string row(const judged& one, const live_report& report, bool colours) {
  const auto word = std::string(properties::to_string(one.value));
  std::string line = fmt::format("  {:<20}  {}{:<{}}  {} {}", one.property,
                                 painted(word, colour_of(one.value), colours), "", 9 - word.size(),
                                 grouped(one.looked_at), one.of);
  if (one.overlaps > 0) {
    line += fmt::format(
        "; {}, the longest {:.1f} ms ({:.2f} ttl)", counted(one.overlaps, "overlap", "overlaps"),
        static_cast<double>(one.longest_ns) / 1e6, in_ttl(one.longest_ns, *report.of));
  }
  if (one.uncertain > 0) line += fmt::format("; {} uncertain", grouped(one.uncertain));
  return line + (one.text.empty() ? "\n" : "\n      " + one.text + "\n");
}

boost::json::object verdict_json(const judged& one, const setup& of) {
  boost::json::object out{{"property", one.property},
                          {"verdict", properties::to_string(one.value)},
                          {"looked_at", one.looked_at},
                          {"overlaps", one.overlaps},
                          {"uncertain", one.uncertain},
                          {"longest_ms", static_cast<double>(one.longest_ns) / 1e6},
                          {"longest_ttl", in_ttl(one.longest_ns, of)}};
  out["text"] = one.text.empty() ? boost::json::value() : boost::json::value(one.text);
  return out;
}

bool any(const live_report& report, verdict value) {
  return std::ranges::any_of(report.verdicts,
                             [&](const judged& one) { return one.value == value; });
}

}  // namespace

std::string opening(const live_report& report) {
  const setup& of = *report.of;
  return fmt::format("{}\n\n{} on {}: {}, {}, ttl {} ms, margin {} %\nplan: {}\n", report.head,
                     of.provider, report.server, counted(of.processes, "process", "processes"),
                     counted(of.keys, "key", "keys"), of.ttl_ms,
                     static_cast<double>(of.margin_ppm) / 10'000, report.plan);
}

std::string findings(const live_report& report, bool colours) {
  std::string text = "\n";
  for (const auto& one : report.verdicts) text += row(one, report, colours);
  text += fmt::format(
      "\n{} without an answer, {}, {}\n", counted(report.without_answer, "call", "calls"),
      counted(report.work_steps, "work step", "work steps"),
      counted(report.books->incarnations.size(), "process started", "processes started"));
  for (const auto& what : report.books->surprises) text += what + "\n";
  if (report.books->interrupted) text += "interrupted; this is what was seen until then\n";
  return text + fmt::format("kept in {}\nagain: {}\n", report.folder, report.repeat);
}

boost::json::object live_json(const live_report& report) {
  const setup& of = *report.of;
  boost::json::array verdicts, surprises;
  for (const auto& one : report.verdicts) verdicts.push_back(verdict_json(one, of));
  for (const auto& what : report.books->surprises) surprises.emplace_back(what);
  return {{"tool", "leaselab"},
          {"version", version},
          {"seed", std::to_string(of.seed)},
          {"provider", of.provider},
          {"client", sim::to_string(of.client)},
          {"server", report.server},
          {"processes", of.processes},
          {"keys", of.keys},
          {"ttl_ms", of.ttl_ms},
          {"margin", static_cast<double>(of.margin_ppm) / 1e6},
          {"duration_seconds", static_cast<double>(of.duration) / 1e9},
          {"plan", report.plan},
          {"verdicts", std::move(verdicts)},
          {"calls_without_answer", report.without_answer},
          {"work_steps", report.work_steps},
          {"incarnations", report.books->incarnations.size()},
          {"surprises", std::move(surprises)},
          {"interrupted", report.books->interrupted},
          {"folder", report.folder}};
}

int status_of(const live_report& report) {
  if (report.books->interrupted) return interrupted;
  if (any(report, verdict::violated)) return violated;
  return any(report, verdict::unknown) || report.books->child_lost ? unknown : as_expected;
}

}  // namespace leaselab::cli::live
