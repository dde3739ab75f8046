// What a scenario expects, held against what its runs showed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/report/run_report.hpp"
#include "scenarios/scenario.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// The property that a call's `expect` stands for.
inline constexpr std::string_view as_expected_property = "answer.as_expected";

// One sentence a call whose `expect` is not met. Calls that are for other providers are not asked.
std::vector<std::string> unmet_answers(const scenarios::scenario& value,
                                       const std::string& provider, const sim::plan& made,
                                       const sim::run_record& run);

// What a scenario's runs showed between them, by property.
struct shown_violation {
  std::string text;         // of the first
  bool guaranteed = false;  // in at least one of them
};
using shown_violations = std::map<std::string, shown_violation>;

// Marks which violations are as they should be, and says whether all is.
bool meets(const scenarios::expectation& expected, const shown_violations& shown,
           std::vector<run_violation>& out);

// "holds" or "violates:p,q".
std::string got_text(const shown_violations& shown);

}  // namespace leaselab::cli
