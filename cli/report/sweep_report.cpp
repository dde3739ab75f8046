#include "cli/report/sweep_report.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/version.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::info_of;
using properties::sweep_edge;
using properties::sweep_guarantee;
using properties::sweep_line;

constexpr sweep_guarantee both[] = {sweep_guarantee::belief, sweep_guarantee::effect};

std::string line_text(const sweep_report& report, const sweep_line& line,
                      sweep_guarantee guarantee) {
  const auto& edge = edge_of(line, guarantee);
  const std::string analytic = edge.analytic_ppm ? share_text(*edge.analytic_ppm) : "-";
  const auto off = edge.off_by();
  return fmt::format("{:<7}  {:<31}  {:<9}  {}", name_of(guarantee), holds_text(report, edge),
                     analytic, off ? fmt::format("{:+.2f} %", *off * 100) : "-");
}

std::string table_of(const sweep_report& report, const swept_provider& one) {
  const std::string second(report.second ? info_of(*report.second).name : "");
  std::string out = fmt::format("  {}{:<7}  {:<31}  {:<9}  off by\n",
                                second.empty() ? "" : fmt::format("{:<10}  ", second), "",
                                fmt::format("holds ({})", info_of(report.axis).name), "analytic");
  for (const auto& line : one.result.lines) {
    for (const auto guarantee : both) {
      out += "  ";
      if (report.second) {
        const bool first = guarantee == sweep_guarantee::belief;
        const auto value = share_text(double(line.at[*report.second]));
        out += fmt::format("{:<10}  ", first ? value : "");
      }
      out += line_text(report, line, guarantee) + "\n";
    }
  }
  return out;
}

json::value or_null(const std::optional<double>& ppm) {
  return ppm ? json::value(*ppm / 1e6) : json::value(nullptr);
}
json::value or_null(const std::optional<std::int64_t>& ppm) {
  return ppm ? json::value(static_cast<double>(*ppm) / 1e6) : json::value(nullptr);
}

json::object edge_value(const sweep_report& report, const swept_provider& one,
                        const sweep_line& line, sweep_guarantee guarantee) {
  const auto& edge = edge_of(line, guarantee);
  json::object at;
  for (std::size_t i = 0; i < properties::sweep_axis_count; ++i) {
    const auto axis = static_cast<properties::sweep_axis>(i);
    if (axis != report.axis) at.emplace(info_of(axis).name, double(line.at[axis]) / 1e6);
  }
  const auto off = edge.off_by();
  return {{"provider", one.name},
          {"guarantee", name_of(guarantee)},
          {"at", std::move(at)},
          {"holds", or_null(edge.holds_ppm)},
          {"violated", or_null(edge.violated_ppm)},
          {"analytic", or_null(edge.analytic_ppm)},
          {"off_by", off ? json::value(*off) : json::value(nullptr)},
          {"early", properties::ends_early(report.axis, line.at, edge, guarantee, one.declared)}};
}

}  // namespace

std::string_view name_of(sweep_guarantee guarantee) {
  return guarantee == sweep_guarantee::belief ? "belief" : "effect";
}

const sweep_edge& edge_of(const sweep_line& line, sweep_guarantee guarantee) {
  return guarantee == sweep_guarantee::belief ? line.belief : line.effect;
}

std::string holds_text(const sweep_report& report, const sweep_edge& edge) {
  const auto& info = info_of(report.axis);
  if (!edge.holds_ppm) return "nowhere";
  if (!edge.violated_ppm) {
    return fmt::format("everywhere ({} to {})", share_text(double(info.least_ppm)),
                       share_text(double(info.most_ppm)));
  }
  return fmt::format("{} {}", info.safe_above ? "from" : "up to",
                     share_text(double(*edge.holds_ppm)));
}

std::string_view sweep_formula() {
  return "analytic: belief ends ((1 - margin) ttl - granule) / rate + pause after it was asked "
         "for, "
         "the\n"
         "lease lasts ttl / the backend's rate from then on at the least (a granule less where it "
         "is\n"
         "dead at its deadline); belief is safe while the first is not the longer one, and so is "
         "the\n"
         "effect with the time that work is under way added; a fence needs none of it "
         "(docs/TESTING.md)\n";
}

std::string share_text(double ppm) { return fmt::format("{:.4f}", ppm / 1e6); }

std::vector<std::string> sweep_report::early() const {
  std::vector<std::string> out;
  for (const auto& one : providers) {
    for (const auto& line : one.result.lines) {
      for (const auto guarantee : both) {
        const auto& edge = edge_of(line, guarantee);
        if (!properties::ends_early(axis, line.at, edge, guarantee, one.declared)) continue;
        out.push_back(fmt::format("{} of {} is violated at {} {}, where the formula keeps it",
                                  name_of(guarantee), one.name, info_of(axis).name,
                                  share_text(double(*edge.violated_ppm))));
      }
    }
  }
  return out;
}

std::string sweep_text(const sweep_report& report) {
  std::string out;
  for (const auto& one : report.providers) {
    const auto& at = one.result.lines.front().at;
    out += one.name + fmt::format(", ttl {} ms", properties::sweep_ttl_ms);
    for (std::size_t i = 0; i < properties::sweep_axis_count; ++i) {
      const auto axis = static_cast<properties::sweep_axis>(i);
      const bool swept = axis == report.axis || axis == report.second;
      if (!swept) out += fmt::format(", {} {:g}", info_of(axis).name, double(at[axis]) / 1e6);
    }
    out +=
        fmt::format("; {} runs, digest {}\n", one.result.runs, sim::digest_text(one.result.digest));
    out += table_of(report, one);
    if (one.result.vacuous) out += "  unknown: the contender never got the lease\n";
    out += "\n";
  }
  out += sweep_formula();
  for (const auto& sentence : report.early()) out += "violated: " + sentence + "\n";
  return out;
}

json::object sweep_json(const sweep_report& report) {
  json::array edges, digests;
  std::uint64_t runs = 0;
  for (const auto& one : report.providers) {
    runs += one.result.runs;
    digests.push_back(
        json::object{{"provider", one.name}, {"digest", sim::digest_text(one.result.digest)}});
    for (const auto& line : one.result.lines)
      for (const auto guarantee : both) edges.push_back(edge_value(report, one, line, guarantee));
  }
  json::array axes{json::value(info_of(report.axis).name)};
  if (report.second) axes.push_back(json::value(info_of(*report.second).name));
  return {{"tool", "leaselab"},
          {"version", version},
          {"seed", std::to_string(report.seed)},
          {"engine", report.engine},
          {"schedules", report.schedules},
          {"axes", std::move(axes)},
          {"ttl_ms", properties::sweep_ttl_ms},
          {"edges", std::move(edges)},
          {"digests", std::move(digests)},
          {"runs", runs}};
}

}  // namespace leaselab::cli
