// The guarantee matrix: provider x property x profile, filled by search.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/statistics.hpp"
#include "sim/deployment.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// Makes a Redis engine for one thread ("model" or "server").
using engine_factory = std::function<std::unique_ptr<sim::redis::engine>()>;

enum class cell_result : std::uint8_t {
  holds,
  broken,
  witness,
  unwitnessed,
  limit,
  unknown,
  not_applicable
};
std::string_view to_string(cell_result value);

// Of the strategy `exhaustive`.
struct exhaustive_options {
  bool reduce = true;            // false: every order, for comparison
  std::uint32_t time_moves = 2;  // in one run, at most
  std::string resume;            // the text of a checkpoint; empty: from the beginning
  std::uint64_t sample = 0;      // random runs of every order to hold the walk against
};

struct check_options {
  std::vector<const sim::variant*> providers;
  std::vector<std::string> properties;         // ids
  std::vector<std::string> profiles;           // ids
  std::optional<sim::workload_kind> workload;  // unset: shared among the plain ones
  sim::client_policy client;                   // of runtimes
  std::optional<std::uint32_t> processes, calls;
  std::int64_t margin_ppm = 100'000;
  std::string strategy = "portfolio";
  std::uint64_t seed = 1;
  std::uint64_t schedules = 1000;  // for each provider and profile
  // Keep which schedules violate, and shrink nothing but what is broken.
  bool for_comparison = false;
  unsigned jobs = 1;
  exhaustive_options exhaustive;
  engine_factory engine;
  const std::atomic<bool>* stop = nullptr;  // Ctrl-C or the time limit; may be null
  // Called now and then from any worker, never twice at once.
  std::function<void(std::uint64_t done, std::uint64_t of, std::uint64_t violations)> progress;
  // The same while violations are made smaller: how many of them are, how many runs that took, and
  // what is violated by the one whose plan was run last.
  std::function<void(std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                     const std::string& property)>
      shrinking;
};

// A failing schedule, shrunk.
struct witness {
  std::string provider, property, profile;
  std::uint64_t index = 0;  // of the schedule within its provider and profile; the lowest
  sim::plan plan;           // shrunk; with its decisions
  // The same with absolute instants and named delays, as a scenario file has it, where run in
  // order (strategy `in_order`) it violates the same property.
  std::optional<sim::plan> directed;
  std::string text;          // what is violated, in one sentence
  std::uint64_t digest = 0;  // of the shrunk run
  std::uint32_t events = 0;  // decisions in the shrunk run
};

struct cell {
  std::string provider, property, profile;
  cell_result result = cell_result::unknown;
  bool guaranteed = false;
  std::uint64_t schedules = 0;  // on which the property was judged
  std::uint64_t violations = 0;
  std::optional<std::uint64_t> first_violation;  // schedule index
  std::optional<std::size_t> witness;            // index into check_result::witnesses
  std::vector<std::uint64_t> violating;          // schedule indices; for comparison only
  std::optional<sim::plan> found;  // the first violation, where it is not drawn by its index
};

struct reached {
  std::string reach, profile, provider;
  std::uint64_t count = 0;
  bool enforced = false;  // must be > 0
};

// What was run of one provider under one profile.
struct coverage {
  std::string provider, profile;
  search_statistics counted;  // without what tells schedules apart
  std::uint64_t distinct = 0;
  bool estimated = false;  // `distinct` is
};

// How far an exhaustive search came with one provider.
struct walk_coverage {
  std::string provider;
  std::uint64_t programs = 0;  // of one process
  std::uint64_t lineups = 0, lineups_done = 0;
  std::uint64_t runs = 0, redundant = 0;  // redundant: begun in vain
  std::uint64_t final_states = 0, final_states_digest = 0;
  bool complete() const { return lineups_done == lineups; }
  // Random runs in every order, beside the walk: the final states that they came to, how many of
  // them the walk did not, and how many runs there are, with its standard error.
  std::uint64_t sampled = 0, sampled_states = 0, strange_states = 0;
  double every_order = 0, every_order_error = 0;
};

struct check_result {
  std::vector<cell> cells;
  std::vector<witness> witnesses;
  std::vector<reached> sometimes;
  std::vector<coverage> covered;  // where anything was run
  std::uint64_t schedules = 0;
  double seconds = 0;
  std::optional<std::uint64_t> digest;  // none when stopped early
  bool stopped = false;
  std::vector<walk_coverage> walked;        // by an exhaustive search
  std::string checkpoint;                   // of one, to go on from
  std::vector<std::string> nondeterminism;  // runs whose repetition differed: exit 4
};

check_result check(const check_options& options);

// Exit status by docs/CLI.md: 4 nondeterminism, 1 a broken cell, 2 unknown cells or an unreached
// claim, else 0.
int exit_status(const check_result& result);

}  // namespace leaselab::properties
