// A TOML document as a plain tree in the order of its lines. The TOML library stays behind it: it
// costs seconds a file that includes it, and it iterates tables alphabetically.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leaselab::scenarios {

enum class node_kind : std::uint8_t { text, integer, decimal, flag, list, table, other };
// "a text", "a list", ...: what an error calls it.
std::string_view to_string(node_kind value);

struct entry;

struct node {
  node_kind kind = node_kind::other;
  int line = 1;
  std::string text;          // text
  std::int64_t integer = 0;  // integer
  double decimal = 0;        // decimal, and integer
  bool flag = false;
  std::vector<node> items;     // list
  std::vector<entry> entries;  // table, in the order of the file

  const node* find(std::string_view key) const;
  node* find(std::string_view key);
};

struct entry {
  std::string key;
  node value;
};

// Throws scenario_error where `text` is no TOML, or no text at all.
node parse_document(std::string_view text, const std::string& file);

}  // namespace leaselab::scenarios
