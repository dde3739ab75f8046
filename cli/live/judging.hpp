// The oracles of a live run. True time is CLOCK_MONOTONIC, the server's steps are not seen: only
// what holds for every choice of their instants is a violation, what holds for some is counted as
// uncertain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/live/intervals.hpp"
#include "cli/live/record.hpp"
#include "properties/property.hpp"

namespace leaselab::cli::live {

struct judged {
  std::string property;
  properties::verdict value = properties::verdict::unknown;
  std::size_t looked_at = 0;  // how many grants, beliefs, spans, operations
  std::string of = {};        // what these are: "grants"
  std::size_t overlaps = 0;
  std::size_t uncertain = 0;
  std::int64_t longest_ns = 0;
  std::string text = {};  // violated: one line about the longest overlap
};

struct judging_options {
  std::int64_t ttl_ms = 0;
  // By how much the server's deadlines may lie off true time.
  std::int64_t clock_error_ns = 0;
  std::int64_t begin = 0;  // of the run; instants in texts are counted from it
};

// single_owner.grant: certain grants of two owners on one key. A grant is certain from the answer
// to its call + ttl, or to the first release of its owner that is called.
judged judge_grants(const live_record& record, const judging_options& options);
// single_owner.belief: by the true instants at which the processes' clocks reach their deadlines.
judged judge_beliefs(const live_record& record, const judging_options& options);
// single_owner.effect: spans of work. The order of the file is the order in which steps landed,
// the instant of a step is that at which its process looked at its clock; an overlap must show in
// both. One in the file's order alone is a step that landed late: uncertain.
judged judge_effects(const live_record& record, const judging_options& options);
// lease.linearizable, of a merged history.
judged judge_history(const std::string& text);

}  // namespace leaselab::cli::live
