// What a report says at its end of providers that lack operations.
#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "sim/deployment.hpp"

namespace leaselab::cli {

// A line, with what a runtime would make of it, or what was left out of a lock. Empty: all five.
std::string missing_line(const sim::variant& provider);
std::string missing_lines(const std::vector<const sim::variant*>& providers);
// The names of the missing operations.
boost::json::array missing_json(const sim::variant& provider);

}  // namespace leaselab::cli
