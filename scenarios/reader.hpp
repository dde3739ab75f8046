// Reads one table of a scenario file key by key; whatever is not as it should be is one clear line.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/scenario.hpp"
#include "sim/names.hpp"

namespace leaselab::scenarios {

struct context {
  std::string file;
  const known_names& known;
  std::int64_t ttl_ms = 100;  // what `ttl` in a duration means

  [[noreturn]] void fail(int line, const std::string& message) const;
};

class table_reader {
 public:
  // `what` is how errors call the table ("[[call]]"). Refuses keys that are not in `allowed`.
  table_reader(const context& in, const node& table, std::string what,
               const std::vector<std::string_view>& allowed);

  const context& in() const { return in_; }
  int line() const { return table_.line; }
  const std::string& what() const { return what_; }
  const node* find(std::string_view key) const { return table_.find(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  // The line of a key, or of the table without it.
  int line_of(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

  // Each throws where the key is there with another type, or, without a fallback, is not there.
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string fallback) const;
  std::vector<std::string> texts(std::string_view key) const;  // a text counts as a list of one
  bool flag(std::string_view key, bool fallback) const;
  std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t least,
                       std::int64_t most) const;
  range span(std::string_view key, range fallback, std::int64_t least, std::int64_t most) const;
  sim::true_duration duration(std::string_view key) const;
  sim::true_duration duration(std::string_view key, sim::true_duration fallback) const;
  sim::true_duration signed_duration(std::string_view key) const;
  // A decimal number in parts per billion, in [0, most].
  std::int64_t parts_per_billion(std::string_view key, std::int64_t fallback,
                                 std::int64_t most) const;
  // One of an enumeration's names.
  template <class Enum>
  Enum choice(std::string_view key) const {
    const auto names = sim::names<Enum>();
    return static_cast<Enum>(one_of(key, {names.begin(), names.end()}));
  }
  template <class Enum>
  Enum choice(std::string_view key, Enum fallback) const {
    return has(key) ? choice<Enum>(key) : fallback;
  }
  // One of `names`, as its place in them.
  std::size_t one_of(std::string_view key, const std::vector<std::string>& names,
                     std::size_t fallback) const;
  std::size_t one_of(std::string_view key, const std::vector<std::string>& names) const;

  const node* typed(std::string_view key, node_kind kind) const;
  const node& required(std::string_view key) const;
  void check_type(std::string_view key, const node& value, node_kind kind) const;

 private:
  sim::true_duration parse(std::string_view key, const node& value, bool may_be_negative) const;

  const context& in_;
  const node& table_;
  std::string what_;
};

// Runs `action`, and says what went wrong as an error of that line.
template <class Action>
auto at_line(const context& in, int line, std::string_view key, Action action) {
  try {
    return action();
  } catch (const std::invalid_argument& error) {
    in.fail(line, "`" + std::string(key) + "`: " + error.what());
  }
}

}  // namespace leaselab::scenarios
