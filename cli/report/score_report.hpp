// What all reports of a score are made from.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "properties/mutants/score.hpp"

namespace leaselab::cli {

struct score_report {
  std::string head;  // the first line: version, seed, what was typed
  const properties::score_options& asked;
  const properties::score_result& result;
  std::vector<std::string> mutant_traces, control_traces;  // of each; empty: none
};

// A line a mutant, a line a control, medians where there are several seeds, and the sums.
std::string score_text(const score_report& report, bool colours);
boost::json::object score_json(const score_report& report);
// Two suites: a mutant that survives fails, and so does a control that raises an alarm.
std::string score_junit(const score_report& report);
std::string score_html(const score_report& report);

// The sums in one sentence, and a median with how many of its sample are censored.
std::string score_summary(const score_report& report);
std::string median_text(const properties::censored& sample, std::uint64_t most);

}  // namespace leaselab::cli
