// What `judge` says of recorded histories: a verdict each, and where nothing explains one, the end
// of the shortest prefix that shows it.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/judge_file.hpp"

namespace leaselab::cli {

struct judged_history {
  std::string file;
  std::uint64_t operations = 0;
  std::size_t keys = 0;
  double check_seconds = 0;  // of a processor, for judging alone, without reading the file
  properties::judgement result;
  std::string why;                  // of what does not hold, one sentence
  std::vector<std::string> ending;  // the last answers of that prefix, the last one the culprit
};

judged_history describe_judged(std::string file, const properties::recorded_history& history,
                               const properties::judgement& result, double check_seconds);

// The worst: violated before unknown before holds.
properties::verdict verdict_of(const std::vector<judged_history>& all);

std::string judge_text(const judged_history& one, bool colours);
boost::json::object judge_json(const std::vector<judged_history>& all);

}  // namespace leaselab::cli
