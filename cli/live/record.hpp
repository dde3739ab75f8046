// What a live run left in its folder, read back: calls, beliefs, work. All instants are true time
// in ns, but for a belief's local deadline.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/clock_table.hpp"

namespace leaselab::cli::live {

inline constexpr std::int64_t unanswered = std::int64_t{1} << 61;

struct call_line {
  std::string op, key, owner;
  std::int64_t called = 0;
  std::int64_t returned = unanswered;
  std::string outcome;  // ok, fail, info
  bool yes = false;
  std::string json;  // the line itself, without its id
};

struct belief_line {
  std::string key, owner;
  std::int64_t at = 0;
  std::int64_t until = 0;  // on the process's clock; meaningful unless `ends`
  bool ends = false;
};

struct work_line {
  std::int64_t at = 0;
  std::string owner;
};

// A process incarnation's end and clock: what an oracle must know besides the lines.
struct process_facts {
  std::vector<clock_segment> clock;
  std::int64_t killed_from = unanswered;  // the kill lies between these two
  std::int64_t killed_by = unanswered;
};

struct live_record {
  std::vector<call_line> calls;  // by call instant
  std::vector<belief_line> beliefs;
  std::map<std::string, std::vector<work_line>> work;  // by key, in the order of the file
  std::map<std::string, process_facts> processes;      // by incarnation, "w2.1"
  std::size_t torn_lines = 0;                          // cut by a kill in mid-write
};

// "w2.1" of "w2.1#7".
std::string_view incarnation_of(std::string_view owner);

// Appends what the text of one file says. A line that is no line counts as torn.
void read_calls(std::string_view text, live_record& into);
void read_beliefs(std::string_view text, live_record& into);
void read_work(std::string_view text, const std::string& key, live_record& into);
// After all files are read.
void sort_calls(live_record& record);

// The merged history, in the format that `judge` reads. `reading`: at or after.
std::string merged_history(const live_record& record, std::int64_t ttl_ms,
                           std::int64_t clock_error_ns, std::string_view reading = "after");

}  // namespace leaselab::cli::live
