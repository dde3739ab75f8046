// Recorded histories in JSON Lines (docs/HISTORIES.md): read, and judged key by key.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/history_checker.hpp"

namespace leaselab::properties {

// A file that cannot be read as a history: "name:line: what is wrong".
class history_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The header line; times and ttl are in its `unit`.
struct history_header {
  std::string unit = "tick";
  std::optional<std::int64_t> ttl;  // default of the operations; no_expiry: a lock
  std::int64_t granule = 1;
  std::int64_t phase = 0;
  reading_of reading = reading_of::any;
  std::int64_t clock_error = 0;  // every recorded instant may be off by that much
};

struct key_history {
  std::string key;
  std::vector<history_operation> operations;
};

struct recorded_history {
  history_header header;
  std::vector<key_history> keys;        // in the order in which they first appear
  std::vector<std::string> owners{""};  // by lease_owner
  std::vector<std::string> processes;
  std::size_t operations = 0;
};

// What the command line says instead of the header.
struct header_override {
  std::optional<reading_of> reading;
  std::optional<std::int64_t> granule;
};

// Reads a plain or gzipped file; "-" is standard input. Throws history_error.
recorded_history read_history(const std::string& path, const header_override& instead = {});
// The same from text; `name` is for errors.
recorded_history parse_history(const std::string& text, const std::string& name,
                               const header_override& instead = {});

struct judgement {
  verdict value = verdict::unknown;
  // Violated: the key, and the shortest prefix of its history that nothing explains. Of several
  // such keys the one where that prefix ends first.
  std::string key;
  std::size_t key_index = 0;  // into recorded_history::keys
  std::size_t prefix = 0;     // answered operations of that key
  std::size_t last = 0;       // index of the last of them
  std::uint64_t last_id = 0;
  std::size_t keys_violated = 0, keys_unknown = 0;
  bool too_many_open = false;  // of an unknown key: no budget would do
  std::uint64_t steps = 0;
};

inline constexpr std::uint64_t default_step_limit = 200'000'000;

// `step_limit` is for each key. A history without any operation is unknown: nothing was judged.
judgement judge(const recorded_history& history, std::uint64_t step_limit = default_step_limit);

}  // namespace leaselab::properties
