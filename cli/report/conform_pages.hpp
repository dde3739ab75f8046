// The contract suite's table as a page: HTML that needs nothing else, and Markdown.
#pragma once

#include <string>

#include "cli/report/conform_report.hpp"

namespace leaselab::cli {

std::string conform_html(const conform_report& report);
std::string conform_markdown(const conform_report& report);

}  // namespace leaselab::cli
