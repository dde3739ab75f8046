#include "scenarios/document.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {
namespace {

node convert(const toml::node& from, int fallback_line);

void convert_table(const toml::table& from, node& to) {
  struct placed {
    toml::source_position at;
    std::string key;
    const toml::node* value;
  };
  std::vector<placed> found;
  for (const auto& [key, value] : from)
    found.push_back({key.source().begin, std::string(key.str()), &value});
  std::stable_sort(found.begin(), found.end(),
                   [](const placed& a, const placed& b) { return a.at < b.at; });
  for (const placed& entry : found) {
    node child = convert(*entry.value, to.line);
    // A list of tables starts at its first header, a value at its key.
    if (entry.at.line > 0) child.line = static_cast<int>(entry.at.line);
    to.entries.push_back({entry.key, std::move(child)});
  }
}

void convert_value(const toml::node& from, node& to) {
  if (const auto* text = from.as_string()) {
    to.kind = node_kind::text;
    to.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    to.kind = node_kind::integer;
    to.integer = integer->get();
    to.decimal = static_cast<double>(to.integer);
  } else if (const auto* decimal = from.as_floating_point()) {
    to.kind = node_kind::decimal;
    to.decimal = decimal->get();
  } else if (const auto* flag = from.as_boolean()) {
    to.kind = node_kind::flag;
    to.flag = flag->get();
  }
}

node convert(const toml::node& from, int fallback_line) {
  node to;
  to.line =
      from.source().begin.line > 0 ? static_cast<int>(from.source().begin.line) : fallback_line;
  if (const auto* table = from.as_table()) {
    to.kind = node_kind::table;
    convert_table(*table, to);
  } else if (const auto* list = from.as_array()) {
    to.kind = node_kind::list;
    for (const toml::node& item : *list) to.items.push_back(convert(item, to.line));
  } else {
    convert_value(from, to);
  }
  return to;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

std::string_view to_string(node_kind value) {
  switch (value) {
    case node_kind::text:
      return "a text";
    case node_kind::integer:
      return "a whole number";
    case node_kind::decimal:
      return "a decimal number";
    case node_kind::flag:
      return "true or false";
    case node_kind::list:
      return "a list";
    case node_kind::table:
      return "a table";
    case node_kind::other:
      break;
  }
  return "a date or a time";
}

const node* node::find(std::string_view key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

node* node::find(std::string_view key) { return const_cast<node*>(std::as_const(*this).find(key)); }

node parse_document(std::string_view text, const std::string& file) {
  if (text.find('\0') != std::string_view::npos)
    throw scenario_error(file, 1, "this is no text file");
  try {
    node root = convert(toml::parse(text, file), 1);
    root.line = 1;
    return root;
  } catch (const toml::parse_error& error) {
    throw scenario_error(file, static_cast<int>(error.source().begin.line),
                         "no TOML: " + one_line(error.description()));
  }
}

}  // namespace leaselab::scenarios
