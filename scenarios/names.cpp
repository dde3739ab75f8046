#include "scenarios/names.hpp"

#include <algorithm>

#include "properties/foreign.hpp"
#include "properties/lock.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::scenarios {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool knows_mutant(const known_names& known, std::string_view name) {
  if (!known.mutants.empty()) return contains(known.mutants, name);
  const std::string_view id = name.substr(std::string_view("mutant:").size());
  return id.size() == 3 && (id[0] == 'M' || id[0] == 'N') &&
         std::all_of(id.begin() + 1, id.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

std::string_view without_client(std::string_view name) {
  const auto plus = name.rfind('+');
  if (plus == std::string_view::npos) return name;
  const auto presets = sim::client_presets();
  const bool client = std::ranges::find(presets, name.substr(plus + 1)) != presets.end();
  return client ? name.substr(0, plus) : name;
}

bool knows_provider(const known_names& known, std::string_view name) {
  constexpr std::string_view decorator = "release-then-acquire:";
  if (const auto plain = without_client(name); plain.size() < name.size())
    return knows_provider(known, plain);
  if (name.starts_with(properties::lock_prefix))
    return knows_provider(known, name.substr(properties::lock_prefix.size()));
  if (properties::is_foreign(name)) return true;
  if (name.starts_with("mutant:")) return knows_mutant(known, name);
  if (contains(known.providers, name)) return true;
  return name.starts_with(decorator) && contains(known.providers, name.substr(decorator.size()));
}

bool knows_strategy(const known_names& known, std::string_view name) {
  if (contains(known.strategies, name)) return true;
  return contains(known.strategies, "pct") && name.size() == 5 && name.starts_with("pct:") &&
         name[4] >= '1' && name[4] <= '6';
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<int>(i + j);
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  int least = static_cast<int>(std::max<std::size_t>(word.size() / 3, 1)) + 1;
  for (const std::string& candidate : candidates)
    if (const int distance = edit_distance(word, candidate); distance < least) {
      least = distance;
      best = &candidate;
    }
  if (best) return "; did you mean `" + *best + "`?";
  return candidates.empty() ? "" : "; allowed: " + joined(candidates);
}

}  // namespace leaselab::scenarios
