// What a search has covered, in figures that cost next to nothing in each run: how many schedules,
// how many of them differ, how long they were, and what PCT promises for schedules like these.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/decision.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

class search_statistics {
 public:
  // `planned`: schedules of the whole campaign. Above a few millions only a share of them is
  // compared, and `count_distinct` estimates.
  explicit search_statistics(std::uint64_t planned = 0, bool threads = false);

  void see(const sim::plan& plan, const sim::run_record& run,
           const std::vector<sim::decision>& decisions);
  // Those of later schedules of the same campaign.
  void add(const search_statistics& later);

  std::uint64_t schedules = 0, steps = 0;
  std::uint32_t fewest_steps = std::numeric_limits<std::uint32_t>::max(), most_steps = 0;
  std::uint64_t at_step_limit = 0;
  std::uint64_t simulated_us = 0;

  // Who calls what, what goes wrong and in which order things happen make a schedule; the instants
  // do not, or no two would be the same.
  // Counting them forgets what told them apart.
  std::uint64_t count_distinct();
  bool estimated() const { return mask_ != 0; }

  // For PCT, where it was asked to count threads.
  std::uint32_t most_threads = 0;  // in one schedule
  std::uint32_t longest_draw = 0;  // most steps among which a schedule's changes were drawn
  std::uint64_t outlasted = 0;     // schedules that went on after the last of those steps

 private:
  void count_threads(const sim::plan& plan, const std::vector<sim::decision>& decisions);

  std::uint64_t mask_ = 0;
  bool threads_ = false;
  std::vector<std::uint64_t> seen_;     // hashes, those with no bit in common with the mask
  std::vector<std::uint64_t> scratch_;  // of count_threads
};

// Burckhardt et al., ASPLOS 2010: a bug of depth d shows in a schedule of n threads and k steps
// with a probability of at least 1 / (n k^(d-1)).
struct pct_bound {
  unsigned depth = 0;             // d
  std::uint64_t threads = 0;      // n
  std::uint64_t steps = 0;        // k
  double probability = 0;         // at least, in a schedule
  double share_of_schedules = 0;  // for which it holds: they end within those k steps
};
// Nothing for another strategy than `pct:d`, and where nothing was run.
std::optional<pct_bound> bound_of(std::string_view strategy, const search_statistics& counted);

// 0 for another strategy than `pct:d`.
unsigned pct_depth(std::string_view strategy);

// The rule of three: what happened 0 times in `count` independent schedules happens in less than
// this share of them, at 95 %.
double rule_of_three(std::uint64_t count);

}  // namespace leaselab::properties
