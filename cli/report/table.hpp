// The matrix on the terminal.
#pragma once

#include <string>

#include "cli/report/check_report.hpp"

namespace leaselab::cli {

struct table_style {
  bool colour = false;
  int width = 0;  // columns; 0: as wide as it gets
  bool verbose = false;
};

// One row a property, one column a provider: the worst result with its profile.
std::string matrix_table(const matrix& cells, const table_style& style);
// One line a provider and property: every profile, grouped by result.
std::string profile_lines(const check_report& report, const table_style& style);
// Everything that `check` prints once it is done.
std::string check_text(const check_report& report, const table_style& style);

}  // namespace leaselab::cli
