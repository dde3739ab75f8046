// What a search has covered, in a line or two for people and as JSON for machines.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "properties/search/check.hpp"

namespace leaselab::cli {

// "55,991 distinct; 12 to 20,000 steps, 143 on average, ...", and PCT's bound where it has one.
std::string statistics_lines(const std::vector<properties::coverage>& covered,
                             const std::string& strategy, double seconds);
// A line for each provider and profile.
std::string coverage_lines(const std::vector<properties::coverage>& covered);
// "0 in 4,000 each: below 0.00075 a schedule at 95 %". Only independent draws from one
// distribution allow it; nothing for other strategies than `random`.
std::string zero_in(std::uint64_t schedules, const std::string& strategy);

boost::json::object statistics_json(const std::vector<properties::coverage>& covered,
                                    const std::string& strategy, double seconds);

}  // namespace leaselab::cli
