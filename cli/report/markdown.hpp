// The matrix as a Markdown table, to be pasted into an issue or a README.
#pragma once

#include <string>
#include <string_view>

#include "cli/report/check_report.hpp"

namespace leaselab::cli {

// Text that stands in a table.
std::string in_cell(std::string_view text);

std::string check_markdown(const check_report& report);

}  // namespace leaselab::cli
