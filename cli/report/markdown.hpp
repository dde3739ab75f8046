// The matrix as a Markdown table, to be pasted into an issue or a README.
#pragma once

#include <string>

#include "cli/report/check_report.hpp"

namespace leaselab::cli {

std::string check_markdown(const check_report& report);

}  // namespace leaselab::cli
