// JUnit XML, as continuous integration reads it.
#pragma once

#include <string>

#include "cli/report/check_report.hpp"
#include "cli/report/run_report.hpp"

namespace leaselab::cli {

// A suite a provider and profile, a test a property: broken fails, unknown is an error, what does
// not apply is skipped.
std::string check_junit(const check_report& report);
// A suite a scenario, a test a provider.
std::string run_junit(const run_report& report);

}  // namespace leaselab::cli
