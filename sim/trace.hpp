// A trace: one run as JSON Lines, to be read by people and replayed by the program. A header with
// the whole plan, an event a line, a footer. Same version and seed: the same bytes.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::sim {

inline constexpr int trace_format = 1;

struct trace_header {
  std::string version;  // of the program that wrote it
  std::string provider;
  std::string property;  // the one that it is about; may be empty
  std::string profile;
  std::string engine;       // "model" or "server"
  std::uint64_t seed = 0;   // of the search that found it
  std::string strategy;     // likewise
  sim::plan plan;           // with its decisions
  std::string folder = {};  // in which a provider from elsewhere was started; empty: it had none
  std::string files = {};  // a digest of that provider's files, as digests are printed; empty: none
};

struct trace_verdict {
  std::string property;
  std::string verdict;
  std::string text;  // empty unless violated
};

struct trace_footer {
  std::vector<trace_verdict> verdicts;
  std::uint64_t digest = 0;
  std::uint64_t history_digest = 0;
};

// A trace as a file holds it. lines[0] is the header, the last one the footer.
struct trace {
  trace_header header;
  std::vector<std::string> lines;
  trace_footer footer;
};

// What is wrong with a trace, with its file and line: "FILE:3: not a JSON object".
class trace_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Sixteen hexadecimal digits, as every digest is printed.
std::string digest_text(std::uint64_t digest);

// One event as a JSON object: who, what, on which key, and what it changed. No line end.
std::string event_line(const run_record& run, const plan& value, std::size_t index);

// The whole trace of a run, line by line, without line ends.
trace make_trace(trace_header header, const run_record& run, trace_footer footer);
std::string to_text(const trace& value);

// Reads what `to_text` wrote; `name` is what errors call it. Throws trace_error.
trace read_trace(std::istream& from, const std::string& name);
trace read_trace(const std::string& path);

// The number (from 1) of the first line after the header at which two traces differ; nothing when
// they are equal. The header is what a run is made from, not what came of it.
std::optional<std::size_t> first_difference(const trace& one, const trace& other);

}  // namespace leaselab::sim
