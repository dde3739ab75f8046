// What `sweep` found: a table, JSON, and a picture of the safe region.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/search/sweep.hpp"

namespace leaselab::cli {

struct swept_provider {
  std::string name;
  guarantees declared;
  properties::sweep_result result;
};

struct sweep_report {
  std::string head;  // the first line: version, seed, what was typed
  std::uint64_t seed = 0, schedules = 0;
  std::string engine;
  properties::sweep_axis axis = properties::sweep_axis::clock_rate;
  std::optional<properties::sweep_axis> second;
  std::vector<swept_provider> providers;

  // Guarantees that end where the formula says they must not, a sentence each.
  std::vector<std::string> early() const;
};

std::string sweep_text(const sweep_report& report);
boost::json::object sweep_json(const sweep_report& report);
// Of two axes: the first to the right, the second upwards; a panel a provider. An SVG file.
std::string sweep_svg(const sweep_report& report);

// The table and, of two axes, the picture, as one page.
std::string sweep_html(const sweep_report& report);
// A suite a provider, a test an edge: one that comes too early fails.
std::string sweep_junit(const sweep_report& report);

// "0.8990", or as the axis is read.
std::string share_text(double ppm);
std::string_view name_of(properties::sweep_guarantee guarantee);
const properties::sweep_edge& edge_of(const properties::sweep_line& line,
                                      properties::sweep_guarantee guarantee);
// "from 0.8990", "nowhere".
std::string holds_text(const sweep_report& report, const properties::sweep_edge& edge);
// What the analytic edge follows from, in a sentence.
std::string_view sweep_formula();

}  // namespace leaselab::cli
