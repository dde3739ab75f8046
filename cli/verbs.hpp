// The one table of all verbs and flags. The parser, --help and docs/CLI.md follow it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options.hpp"

namespace leaselab::cli {

// Where a flag's value goes; its type says what the flag takes: nothing, one value, or one value
// each time it is given.
using destination =
    std::variant<bool options::*, std::string options::*, std::vector<std::string> options::*>;

struct flag {
  std::string_view name;        // "--provider"
  std::string_view short_name;  // "-p" or empty
  std::string_view value;       // how help calls it: "NAME"; empty where it takes none
  std::string_view about;
  destination to;
};

// Arguments without a flag.
struct positional {
  std::string_view name;  // "PATH..."; empty: the verb takes none
  std::string_view about;
  std::size_t least = 0, most = 0;
};

struct verb {
  std::string_view name;
  std::string_view about;
  positional takes;
  std::vector<flag> flags;
  std::vector<std::string_view> examples;
  int (*run)(const options&);
};

const std::vector<verb>& verbs();
const verb* find_verb(std::string_view name);  // null: there is none

}  // namespace leaselab::cli
