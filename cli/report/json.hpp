// The reports for machines. Their shapes are part of docs/CLI.md.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "cli/report/check_report.hpp"
#include "cli/report/run_report.hpp"

namespace leaselab::cli {

boost::json::object check_json(const check_report& report);
boost::json::object run_json(const run_report& report);

// One member a line, and one element a line in lists: so that two reports can be compared.
std::string to_lines(const boost::json::object& value);

}  // namespace leaselab::cli
