#include "properties/search/switches.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>

#include "properties/search/witnesses.hpp"

namespace leaselab::properties {
namespace {

constexpr std::uint32_t shrink_budget = 1500;
// Schedules that are looked at for one that the flip alone makes fail.
constexpr std::uint64_t patience = 500;

// Plans are the same with both clients, so what both violate says nothing (McNemar's test): more
// than four standard deviations, were the others as likely to be the one's as the other's.
bool more_often(const cell& now, const cell& base) {
  std::vector<std::uint64_t> both;
  std::set_intersection(now.violating.begin(), now.violating.end(), base.violating.begin(),
                        base.violating.end(), std::back_inserter(both));
  const auto gained = now.violating.size() - both.size();
  const auto spared = base.violating.size() - both.size();
  return gained > spared && (gained - spared) * (gained - spared) >= 16 * (gained + spared);
}

bool is_breach(const cell& now, const cell& base, level of) {
  if (of == level::provider || !now.first_violation) return false;
  return base.guaranteed ? base.violations == 0 : more_often(now, base);
}

// Cells of both come in the same order.
std::vector<lost_property> losses(const check_result& now, const check_result& base,
                                  const judge& judge) {
  std::vector<lost_property> out(judge.size());
  for (std::size_t i = 0; i < now.cells.size(); ++i) {
    const auto& one = now.cells[i];
    const auto property = i % judge.size();
    if (!is_breach(one, base.cells[i], judge.at(property).at())) continue;
    out[property].property = one.property;
    out[property].where.push_back({one.provider, one.profile, base.cells[i].guaranteed,
                                   one.schedules, one.violations, base.cells[i].violations,
                                   *one.first_violation});
  }
  std::erase_if(out, [](const lost_property& one) { return one.where.empty(); });
  return out;
}

std::vector<std::string> lost_by(const check_result& base, const judge& judge) {
  std::vector<std::string> out;
  for (std::size_t p = 0; p < judge.size(); ++p) {
    if (judge.at(p).at() == level::provider) continue;
    bool lost = false;
    for (std::size_t i = p; i < base.cells.size(); i += judge.size()) {
      const auto& one = base.cells[i];
      const auto& faults = *find_profile(one.profile);
      lost |= faults.client == client_level::guaranteed && one.violations > 0;
    }
    if (lost) out.emplace_back(judge.at(p).id());
  }
  return out;
}

void sort_places(std::vector<breach>& where, const check_options& options) {
  const auto rank = [&](const breach& one) {
    const auto at = std::find(options.profiles.begin(), options.profiles.end(), one.profile);
    return std::tuple(!one.promised, at - options.profiles.begin());
  };
  std::stable_sort(where.begin(), where.end(),
                   [&](const breach& a, const breach& b) { return rank(a) < rank(b); });
}

const sim::variant& provider_of(const check_options& options, const breach& at) {
  const auto found =
      std::find_if(options.providers.begin(), options.providers.end(),
                   [&](const sim::variant* one) { return one->name == at.provider; });
  return **found;
}

check_options with_client(const check_options& options, const sim::client_policy& client) {
  auto out = options;
  out.workload = sim::workload_kind::runtime;
  out.client = client;
  out.for_comparison = true;
  return out;
}

// The first schedule there that fails by the flip alone, shrunk.
std::optional<witness> prove_at(bench& own, const check_options& flipped,
                                const sim::client_policy& base, const std::string& property,
                                breach& at) {
  const auto campaign =
      make_campaign(provider_of(flipped, at), *find_profile(at.profile), flipped, own.judged_by());
  claim_to_prove what{own.judged_by().index_of(property), at.first, shrink_budget, &base};
  const auto end = std::min(flipped.schedules, at.first + patience);
  for (; what.index < end; ++what.index) {
    if (flipped.stop && flipped.stop->load()) break;
    if (auto made = prove(own, campaign, what)) return made;
  }
  return std::nullopt;
}

void prove_loss(bench& own, const check_options& flipped, const sim::client_policy& base,
                lost_property& lost) {
  for (auto& at : lost.where) {
    lost.shown = prove_at(own, flipped, base, lost.property, at);
    if (lost.shown) return;
  }
}

// What is promised and small tells most.
void sort_losses(std::vector<lost_property>& lost) {
  const auto rank = [](const lost_property& one) {
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    return std::tuple(!one.where.front().promised, one.shown ? one.shown->events : none);
  };
  std::stable_sort(lost.begin(), lost.end(), [&](const lost_property& a, const lost_property& b) {
    return rank(a) < rank(b);
  });
}

// One search after another, with one progress for all.
class searches {
 public:
  searches(const check_options& options, std::size_t count) : options_(options), count_(count) {}

  check_result next(const sim::client_policy& client) {
    auto asked = with_client(options_, client);
    if (options_.progress) {
      asked.progress = [this](std::uint64_t done, std::uint64_t of, std::uint64_t violations) {
        options_.progress(begun_ * of + done, count_ * of, found_ + violations);
      };
    }
    auto out = check(asked);
    ++begun_;
    for (const auto& one : out.cells) found_ += one.violations;
    return out;
  }

 private:
  const check_options& options_;
  std::uint64_t count_, begun_ = 0, found_ = 0;
};

void sum_up(switch_matrix& out) {
  std::uint64_t digest = 0;
  const auto add = [&](const check_result& one) {
    out.schedules += one.schedules;
    out.stopped |= one.stopped;
    digest = fold_digest(digest, one.digest.value_or(0));
  };
  add(out.base);
  for (const auto& row : out.rows) add(row.searched);
  if (!out.stopped) out.digest = digest;
}

}  // namespace

std::vector<policy_switch> switches_from(const sim::client_policy& base) {
  std::vector<policy_switch> out;
  for (const auto& row : sim::policy_table()) {
    for (const auto value : row.values) {
      policy_switch made{row.key, value, base};
      sim::set_policy(made.client, row.key, value);
      if (made.client != base) out.push_back(std::move(made));
    }
  }
  return out;
}

switch_matrix search_switches(const check_options& options) {
  const auto begun = std::chrono::steady_clock::now();
  const auto flips = switches_from(options.client);
  const judge judge(options.properties);
  switch_matrix out;
  searches all(options, flips.size() + 1);
  out.base = all.next(options.client);
  out.lost_by_base = lost_by(out.base, judge);
  bool stopped = out.base.stopped;
  for (const auto& flip : flips) {
    if (stopped) break;
    auto& row = out.rows.emplace_back(switch_row{flip, all.next(flip.client), {}});
    stopped = row.searched.stopped;
    row.lost = losses(row.searched, out.base, judge);
    for (auto& lost : row.lost) sort_places(lost.where, options);
    sort_losses(row.lost);
  }
  out.stopped = stopped;
  sum_up(out);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  out.seconds = took.count();
  return out;
}

void prove_switches(const check_options& options, switch_matrix& matrix) {
  std::vector<std::unique_ptr<bench>> benches;
  const auto shared = with_client(options, options.client);
  for (unsigned i = 0; i < std::max(options.jobs, 1U); ++i)
    benches.push_back(std::make_unique<bench>(shared));
  std::vector<std::pair<const switch_row*, lost_property*>> tasks;
  for (auto& row : matrix.rows) {
    for (auto& lost : row.lost) tasks.emplace_back(&row, &lost);
  }
  for_each_in_parallel(benches, tasks.size(), [&](bench& own, std::size_t i) {
    const auto& [row, lost] = tasks[i];
    prove_loss(own, with_client(options, row->what.client), options.client, *lost);
  });
  const bool stopped = options.stop && options.stop->load();
  for (auto& row : matrix.rows) {
    // More often, but never by the flip alone: nothing that can be shown.
    std::erase_if(row.lost, [stopped](const lost_property& one) {
      return !stopped && !one.shown && !one.where.front().promised;
    });
    sort_losses(row.lost);
  }
}

int exit_status(const switch_matrix& matrix) {
  int worst = exit_status(matrix.base);
  for (const auto& row : matrix.rows) {
    const int own = exit_status(row.searched);
    // 4 before 1 before 2 before 0.
    constexpr int badness[] = {0, 2, 1, 3, 4};
    if (badness[own] > badness[worst]) worst = own;
  }
  return worst;
}

}  // namespace leaselab::properties
