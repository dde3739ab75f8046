// The critical choice in words, and for machines.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "properties/search/critical.hpp"
#include "sim/history.hpp"

namespace leaselab::cli {

// `run` is that of the failing plan, for names. Never empty: what was not found is said so.
std::string critical_text(const properties::critical_search& search, const sim::plan& value,
                          const sim::run_record& run, const std::string& property);
boost::json::object critical_json(const properties::critical_search& search, const sim::plan& value,
                                  const sim::run_record& run);

}  // namespace leaselab::cli
