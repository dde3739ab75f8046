// The policy matrix for people and machines: a line a flip of one policy.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "cli/report/check_report.hpp"
#include "cli/report/table.hpp"
#include "properties/search/switches.hpp"

namespace leaselab::cli {

// What no policy may break.
struct broken_promise {
  std::string client, property, provider, profile, text, trace;
};

struct switches_report {
  std::string head;
  std::string engine;
  const properties::check_options& asked;
  const properties::switch_matrix& matrix;
  std::vector<std::vector<written_witness>> witnesses;  // by row and lost property
  std::vector<broken_promise> broken;
};

std::string switches_text(const switches_report& report, const table_style& style);
std::string switches_markdown(const switches_report& report);
boost::json::object switches_json(const switches_report& report);

}  // namespace leaselab::cli
