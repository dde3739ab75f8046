// What all reports of a check are made from.
#pragma once

#include <string>
#include <vector>

#include "cli/report/matrix.hpp"
#include "properties/search/check.hpp"

namespace leaselab::cli {

// Where a witness was written, and what it looks like.
struct written_witness {
  std::string trace, scenario;  // paths
  std::string timeline;         // SVG; only where it was asked for
};

struct check_report {
  std::string head;  // the first line: version, seed, what was typed
  std::string engine;
  const properties::check_options& asked;
  const properties::check_result& result;
  matrix cells;
  std::vector<written_witness> witnesses;  // of result.witnesses, in their order
};

// Indices into result.witnesses, the worst first.
std::vector<std::size_t> witnesses_by_badness(const check_report& report);
// The command that replays a trace.
std::string replay_command(const std::string& trace);

}  // namespace leaselab::cli
