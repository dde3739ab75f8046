#include "scenarios/reader.hpp"

#include <cmath>

#include "scenarios/duration.hpp"

namespace leaselab::scenarios {
namespace {

std::string in_backticks(std::string_view key) { return "`" + std::string(key) + "`"; }

}  // namespace

void context::fail(int line, const std::string& message) const {
  throw scenario_error(file, line, message);
}

table_reader::table_reader(const context& in, const node& table, std::string what,
                           const std::vector<std::string_view>& allowed)
    : in_(in), table_(table), what_(std::move(what)) {
  if (table.kind != node_kind::table)
    in_.fail(table.line, what_ + " is " + std::string(to_string(table.kind)) + ", not a table");
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  for (const auto& [key, value] : table.entries) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    in_.fail(value.line, "unknown key " + in_backticks(key) + " in " + what_ + suggest(key, names));
  }
}

int table_reader::line_of(std::string_view key) const {
  const node* value = find(key);
  return value ? value->line : table_.line;
}

void table_reader::fail(std::string_view key, const std::string& message) const {
  in_.fail(line_of(key), in_backticks(key) + ": " + message);
}

const node& table_reader::required(std::string_view key) const {
  const node* value = find(key);
  if (!value) in_.fail(table_.line, in_backticks(key) + " is missing in " + what_);
  return *value;
}

void table_reader::check_type(std::string_view key, const node& value, node_kind kind) const {
  if (value.kind == kind) return;
  fail(key,
       "must be " + std::string(to_string(kind)) + ", not " + std::string(to_string(value.kind)));
}

const node* table_reader::typed(std::string_view key, node_kind kind) const {
  const node* value = find(key);
  if (value) check_type(key, *value, kind);
  return value;
}

std::string table_reader::text(std::string_view key) const {
  check_type(key, required(key), node_kind::text);
  return find(key)->text;
}

std::string table_reader::text(std::string_view key, std::string fallback) const {
  const node* value = typed(key, node_kind::text);
  return value ? value->text : std::move(fallback);
}

std::vector<std::string> table_reader::texts(std::string_view key) const {
  const node* value = find(key);
  if (!value) return {};
  if (value->kind == node_kind::text) return {value->text};
  check_type(key, *value, node_kind::list);
  std::vector<std::string> all;
  for (const node& item : value->items) {
    check_type(key, item, node_kind::text);
    all.push_back(item.text);
  }
  return all;
}

bool table_reader::flag(std::string_view key, bool fallback) const {
  const node* value = typed(key, node_kind::flag);
  return value ? value->flag : fallback;
}

std::int64_t table_reader::integer(std::string_view key, std::int64_t fallback, std::int64_t least,
                                   std::int64_t most) const {
  return span(key, {fallback, fallback}, least, most).least;
}

range table_reader::span(std::string_view key, range fallback, std::int64_t least,
                         std::int64_t most) const {
  const node* value = find(key);
  if (!value) return fallback;
  range found;
  if (value->kind == node_kind::list) {
    if (value->items.size() != 2) fail(key, "a range has two numbers: [least, most]");
    for (const node& item : value->items) check_type(key, item, node_kind::integer);
    found = {value->items[0].integer, value->items[1].integer};
    if (found.least > found.most) fail(key, "the range is upside down");
  } else {
    check_type(key, *value, node_kind::integer);
    found = {value->integer, value->integer};
  }
  if (found.least < least || found.most > most)
    fail(key, "must be from " + std::to_string(least) + " to " + std::to_string(most));
  return found;
}

sim::true_duration table_reader::parse(std::string_view key, const node& value,
                                       bool may_be_negative) const {
  if (value.kind != node_kind::text)
    fail(key, "must be a duration in quotes, such as \"250ms\", not " +
                  std::string(to_string(value.kind)));
  const auto length =
      at_line(in_, value.line, key, [&] { return parse_duration(value.text, in_.ttl_ms); });
  if (length < 0 && !may_be_negative)
    fail(key, "\"" + value.text + "\" is negative (only offset, by of a clock and delta may be)");
  return length;
}

sim::true_duration table_reader::duration(std::string_view key) const {
  return parse(key, required(key), false);
}

sim::true_duration table_reader::duration(std::string_view key, sim::true_duration fallback) const {
  const node* value = find(key);
  return value ? parse(key, *value, false) : fallback;
}

sim::true_duration table_reader::signed_duration(std::string_view key) const {
  return parse(key, required(key), true);
}

std::int64_t table_reader::parts_per_billion(std::string_view key, std::int64_t fallback,
                                             std::int64_t most) const {
  const node* value = find(key);
  if (!value) return fallback;
  if (value->kind != node_kind::decimal && value->kind != node_kind::integer)
    fail(key, "must be a number, not " + std::string(to_string(value->kind)));
  const double scaled = value->decimal * 1e9;
  if (!(scaled >= 0) || scaled > static_cast<double>(most))
    fail(key, "must be from 0 to " + std::to_string(most / 1'000'000'000));
  return std::llround(scaled);
}

std::size_t table_reader::one_of(std::string_view key, const std::vector<std::string>& names,
                                 std::size_t fallback) const {
  return has(key) ? one_of(key, names) : fallback;
}

std::size_t table_reader::one_of(std::string_view key,
                                 const std::vector<std::string>& names) const {
  const std::string name = text(key);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string all;
    for (const std::string& allowed : names) all += (all.empty() ? "" : ", ") + allowed;
    fail(key, "there is no \"" + name + "\"; allowed: " + all);
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace leaselab::scenarios
