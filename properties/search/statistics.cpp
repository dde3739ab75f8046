#include "properties/search/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "properties/search/choosers.hpp"

namespace leaselab::properties {
namespace {

// Hashes kept of one campaign: 16 MB.
constexpr std::uint64_t kept = 2'000'000;

class mixer {
 public:
  void add(std::uint64_t word) { state_ = std::rotl(state_ ^ word, 25) * 0x9e3779b97f4a7c15; }
  std::uint64_t value() const {
    const auto x = (state_ ^ (state_ >> 31)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 29);
  }

 private:
  std::uint64_t state_ = 0x452821e638d01377;
};

std::uint64_t packed(const sim::label& event) {
  return std::uint64_t(event.what) << 56 | std::uint64_t(event.process) << 48 |
         std::uint64_t(event.trip) << 32 | event.repetition;
}

std::uint64_t hash_of(const sim::plan& plan, const std::vector<sim::decision>& decisions) {
  mixer into;
  for (const auto& call : plan.calls) {
    into.add(std::uint64_t(call.what) << 48 | std::uint64_t(call.process) << 40 |
             std::uint64_t(call.key) << 32 | std::uint64_t(call.owner) << 16 | call.to);
  }
  for (const auto& signal : plan.signals) {
    into.add(std::uint64_t(signal.key) << 16 | std::uint64_t(signal.process) << 8 |
             std::uint64_t(signal.suspend_at.has_value()) << 1 | std::uint64_t(signal.plain));
  }
  for (const auto& fault : plan.faults)
    into.add(std::uint64_t(fault.kind) << 8 | std::uint64_t(fault.process));
  for (const auto& one : decisions) {
    into.add(packed(one.event));
    into.add(one.event.subject);
  }
  return into.value();
}

}  // namespace

search_statistics::search_statistics(std::uint64_t planned, bool threads) : threads_(threads) {
  while (planned / (mask_ + 1) > kept) mask_ = mask_ << 1 | 1;
}

void search_statistics::see(const sim::plan& plan, const sim::run_record& run,
                            const std::vector<sim::decision>& decisions) {
  const auto length = std::uint32_t(decisions.size());
  ++schedules;
  steps += length;
  fewest_steps = std::min(fewest_steps, length);
  most_steps = std::max(most_steps, length);
  at_step_limit += run.step_limit_reached;
  simulated_us += std::uint64_t(run.ended) / 1000;
  const auto hash = hash_of(plan, decisions);
  if ((hash & mask_) == 0) seen_.push_back(hash);
  if (threads_) count_threads(plan, decisions);
}

void search_statistics::count_threads(const sim::plan& plan,
                                      const std::vector<sim::decision>& decisions) {
  scratch_.clear();
  for (const auto& one : decisions) scratch_.push_back(thread_of(one.event));
  std::sort(scratch_.begin(), scratch_.end());
  const auto end = std::unique(scratch_.begin(), scratch_.end());
  most_threads = std::max(most_threads, std::uint32_t(end - scratch_.begin()));
  const auto drawn = pct_length(plan);
  longest_draw = std::max(longest_draw, drawn);
  outlasted += decisions.size() > drawn;
}

void search_statistics::add(const search_statistics& later) {
  schedules += later.schedules;
  steps += later.steps;
  fewest_steps = std::min(fewest_steps, later.fewest_steps);
  most_steps = std::max(most_steps, later.most_steps);
  at_step_limit += later.at_step_limit;
  simulated_us += later.simulated_us;
  most_threads = std::max(most_threads, later.most_threads);
  longest_draw = std::max(longest_draw, later.longest_draw);
  outlasted += later.outlasted;
  mask_ = later.mask_;
  seen_.insert(seen_.end(), later.seen_.begin(), later.seen_.end());
}

std::uint64_t search_statistics::count_distinct() {
  std::sort(seen_.begin(), seen_.end());
  const auto end = std::unique(seen_.begin(), seen_.end());
  const auto counted = std::uint64_t(end - seen_.begin());
  seen_ = {};
  return counted * (mask_ + 1);
}

unsigned pct_depth(std::string_view strategy) {
  return strategy.size() == 5 && strategy.starts_with("pct:") ? unsigned(strategy[4] - '0') : 0;
}

std::optional<pct_bound> bound_of(std::string_view strategy, const search_statistics& counted) {
  pct_bound out;
  out.depth = pct_depth(strategy);
  if (out.depth == 0 || counted.schedules == 0) return std::nullopt;
  out.threads = counted.most_threads;
  out.steps = counted.longest_draw;
  out.probability = 1 / (double(out.threads) * std::pow(double(out.steps), int(out.depth) - 1));
  out.share_of_schedules = 1 - double(counted.outlasted) / double(counted.schedules);
  return out;
}

double rule_of_three(std::uint64_t count) { return 3 / double(count); }

}  // namespace leaselab::properties
