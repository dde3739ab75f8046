// The check as one page that needs nothing else: the matrix, and a timeline for each witness.
#pragma once

#include <string>

#include "cli/report/check_report.hpp"

namespace leaselab::cli {

std::string check_html(const check_report& report);

}  // namespace leaselab::cli
