// The names that exist in this program, and help for those that do not.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab::scenarios {

// What the loader checks names against. The program fills it from its registries.
struct known_names {
  std::vector<std::string> providers;   // built in; also a scenario's default
  std::vector<std::string> mutants;     // "mutant:M10"; empty: any well-formed one is believed
  std::vector<std::string> properties;  // ids
  std::vector<std::string> profiles;
  std::vector<std::string> strategies;  // "pct" stands for pct:1 ... pct:6
  std::vector<std::string> clients{"strict", "published"};
  std::map<std::string, std::vector<std::string>> policies;  // client policies and their values
};

// A provider's name without the `+<client>` behind it; others may hold a plus, too.
std::string_view without_client(std::string_view name);
// A provider's name in a file: built in, `release-then-acquire:<base>`, a mutant, one from
// elsewhere (believed to be there), or one of these with `lock:` before it or `+<client>` behind
// it.
bool knows_provider(const known_names& known, std::string_view name);
bool knows_strategy(const known_names& known, std::string_view name);

// "; did you mean `title`?" where a candidate is close, else "; allowed: a, b, c".
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

// How many letters must be changed, put in, left out or swapped with their neighbour.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace leaselab::scenarios
