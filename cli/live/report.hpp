// What a live run found, for people and for machines.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "cli/live/judging.hpp"
#include "cli/live/run.hpp"
#include "cli/live/setup.hpp"

namespace leaselab::cli::live {

struct live_report {
  std::string head;    // version, seed, what was typed
  std::string server;  // "its own redis-server 7.0.15"
  std::string plan;    // how many faults of which kind
  std::string folder;  // where everything is kept
  std::string repeat;  // the command
  std::vector<judged> verdicts;
  std::size_t without_answer = 0;  // calls
  std::size_t work_steps = 0;
  const setup* of = nullptr;
  const run_books* books = nullptr;
};

std::string opening(const live_report& report);  // before the run
std::string findings(const live_report& report, bool colour);
boost::json::object live_json(const live_report& report);
std::string live_html(const live_report& report);
// A test a property: what is violated fails, what is unknown is an error.
std::string live_junit(const live_report& report);

int status_of(const live_report& report);

}  // namespace leaselab::cli::live
