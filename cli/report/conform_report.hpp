// What all reports of the contract suite are made from.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "properties/conformance.hpp"
#include "sim/deployment.hpp"

namespace leaselab::cli {

struct conform_report {
  std::string head;  // the first line: version, seed, what was typed
  const sim::variant& provider;
  std::string engine, seed;
  std::vector<properties::conformance::row> rows;
  std::vector<std::string> traces;  // of the rows, in their order; empty: none was written

  std::size_t ok() const;
  std::size_t broken() const;    // departed from a promise
  std::size_t departed() const;  // from what it does not promise
  std::size_t not_run() const;
  // "96 cases: 93 ok, 3 not run"
  std::string summary() const;
};

// Each operation with its rows, in the order of the report.
struct conform_group {
  operation what;
  std::vector<std::size_t> rows;  // indices
};
std::vector<conform_group> by_operation(const conform_report& report);
// "broken", "departed", "ok" or "not run".
std::string_view word_of(const properties::conformance::row& one);

// The table, a line a case under its operation; what is not ok has its reason below.
std::string conform_text(const conform_report& report, bool colours);
boost::json::object conform_json(const conform_report& report);
// A suite an operation, a test a case: what is broken fails, what was not run is skipped.
std::string conform_junit(const conform_report& report);

}  // namespace leaselab::cli
