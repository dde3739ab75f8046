#include "properties/search/strategy.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/search/choosers.hpp"

namespace leaselab::properties {
namespace {

constexpr strategy_info all[] = {
    {"portfolio", "a mix of the others, another one for each schedule (the default)"},
    {"random", "every event that may run is as likely as the next"},
    {"pct:d", "random priorities of calls, lowered at d-1 random moments (d from 1 to 6)"},
    {"pos", "random priorities of events, drawn anew when they race"},
    {"urw", "processes that have more left to do move more often"},
    {"eager", "random, with every event as early as it may be"},
    {"lazy", "random, with every event as late as it may be"},
    {"starve", "random, with the events of one process as late as they may be"},
    {"in_order", "the earliest event first, ties in the order of the plan"},
    {"replay", "the decisions that the plan holds"},
    {"exhaustive", "every order and every relevant instant of small programs; for `check`"},
};

std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const auto changed = diagonal + (one[i - 1] != other[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

[[noreturn]] void refuse(std::string_view name) {
  const auto nearest = std::min_element(
      std::begin(all), std::end(all), [&](const strategy_info& a, const strategy_info& b) {
        return edit_distance(a.name, name) < edit_distance(b.name, name);
      });
  throw std::invalid_argument("there is no strategy '" + std::string(name) + "'; did you mean '" +
                              std::string(nearest->name) + "'?");
}

}  // namespace

std::span<const strategy_info> strategies() { return all; }

std::unique_ptr<sim::chooser> make_strategy(std::string_view name, std::uint64_t seed) {
  if (name == "portfolio") return std::make_unique<portfolio_chooser>(seed);
  if (name == "random") return std::make_unique<random_chooser>(seed, instant_bias::mixed);
  if (name == "eager") return std::make_unique<random_chooser>(seed, instant_bias::early);
  if (name == "lazy") return std::make_unique<random_chooser>(seed, instant_bias::late);
  if (name == "starve") return std::make_unique<starve_chooser>(seed);
  if (name == "pos") return std::make_unique<pos_chooser>(seed);
  if (name == "urw") return std::make_unique<urw_chooser>(seed);
  if (name == "in_order") return std::make_unique<in_order_chooser>();
  if (name == "replay") return std::make_unique<replay_chooser>();
  if (name.size() == 5 && name.starts_with("pct:") && name[4] >= '1' && name[4] <= '6')
    return std::make_unique<pct_chooser>(seed, unsigned(name[4] - '0'));
  if (name == "exhaustive")
    throw std::invalid_argument("'exhaustive' walks worlds of its own: it is for `check` alone");
  refuse(name);
}

}  // namespace leaselab::properties
