// Runs blocks of schedules of one provider under one profile and counts what the judge says.
// Which thread runs a block, and when, leaves no trace in its result.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "properties/search/check.hpp"
#include "properties/search/generate.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/reach.hpp"
#include "properties/search/standing.hpp"
#include "properties/search/statistics.hpp"
#include "sim/choice.hpp"

namespace leaselab::properties {

inline constexpr std::uint64_t no_index_yet = std::numeric_limits<std::uint64_t>::max();

// One provider under one profile: N schedules, shared among the workloads.
struct campaign {
  const sim::variant* provider = nullptr;
  const profile* faults = nullptr;
  std::vector<world_options> worlds;  // one a workload; schedule i runs worlds[i % size]
  std::vector<property_set> judged;   // likewise: which properties a schedule is judged by
  std::vector<standing> standings;    // by property
  claim_set owed = 0;
};

campaign make_campaign(const sim::variant& provider, const profile& faults,
                       const check_options& options, const judge& judge);

struct tally {
  std::uint64_t judged = 0;
  std::uint64_t violations = 0;
  std::uint64_t unknown = 0;
  std::uint64_t first_violation = no_index_yet;
  std::vector<std::uint64_t> violating;  // for comparison only
  void add(const tally& later);
};

struct block_result {
  std::vector<tally> tallies;  // by property
  std::array<std::uint64_t, 32> reached{};
  std::uint64_t digest = 0;            // of its runs, in their order
  std::vector<std::uint64_t> digests;  // theirs, where that is folded later
  std::uint64_t runs = 0, violations = 0;
  search_statistics statistics;
  std::vector<std::string> nondeterminism;
  bool complete = false;
  bool blind = false;  // nobody could look at the provider's records
};

// What one thread needs: a world for each variant, a strategy, a judge, and memory to reuse.
class bench {
 public:
  explicit bench(const check_options& options);
  ~bench();

  // Schedules [first, last) of the campaign, in order; stops early when the options' flag says so.
  // `whole`: the digest of the result begins and ends with them.
  block_result run_block(const campaign& of, std::uint64_t first, std::uint64_t last,
                         bool whole = true);
  // Draws schedule `index` and runs it; the plan is then complete with its decisions.
  const sim::run_record& run_schedule(const campaign& of, std::uint64_t index);
  // Runs a plan that has no decisions by the strategy.
  const sim::run_record& run_drawn(const sim::variant& provider, const sim::plan& plan);
  // Runs `plan` by its decisions, and puts in their place those that this run took.
  const sim::run_record& replay(const sim::variant& provider, sim::plan& plan);
  // Runs `plan` as a directed one: the earliest first.
  const sim::run_record& run_in_order(const sim::variant& provider, sim::plan& plan);

  const sim::plan& plan() const { return plan_; }
  sim::world& world_of(const sim::variant& provider);
  judge& judged_by() { return judge_; }

 private:
  void judge_run(const campaign& of, std::uint64_t index, const sim::run_record& run,
                 block_result& result);
  // A run to be repeated and compared.
  struct sample {
    std::uint64_t index = 0, digest = 0;
  };
  void run_again(const campaign& of, const sample& before, block_result& result);

  const check_options& options_;
  judge judge_;
  property_set provider_level_ = 0;
  std::unique_ptr<sim::chooser> strategy_, replay_, in_order_;
  std::map<const sim::variant*, std::unique_ptr<sim::world>> worlds_;
  sim::plan plan_;
};

// Order matters: fold(fold(0, a), b) differs from fold(fold(0, b), a).
std::uint64_t fold_digest(std::uint64_t so_far, std::uint64_t next);

}  // namespace leaselab::properties
