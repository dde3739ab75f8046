// How well the suite tests: which mutants it kills, in how many schedules, and whether anything
// correct alarms it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/mutants/controls.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/check.hpp"

namespace leaselab::properties {

struct score_options {
  std::vector<const mutant*> mutants;
  bool controls = true;
  std::uint64_t schedules = 1000;  // a mutant
  // With more than one, that many seeds from the first on, by the strategy and by `random`.
  std::uint32_t seeds = 1;
  check_options search;  // seed, strategy, jobs, engine, stop
  // Called now and then from any worker, never twice at once.
  std::function<void(std::uint64_t done, std::uint64_t of, const std::string& step)> progress;
};

struct mutant_score {
  const mutant* of = nullptr;
  std::optional<std::uint64_t> schedules;  // to its kill; nothing: it survives
  std::uint64_t tried = 0;
  std::optional<witness> shown;  // of the kill, shrunk
  double shrink_seconds = 0;     // that one core worked to make it small
  bool replays = true;           // in a world of its own, to the same digest
};

struct control_score {
  const control* of = nullptr;
  control_result result;
};

// Schedules to the kill, a seed each; nothing: censored, it survived as many as were allowed.
using censored = std::vector<std::optional<std::uint64_t>>;
// The middle one (of an even number the lower), or nothing where it is censored itself.
std::optional<std::uint64_t> median(censored sample);

struct seeded_score {
  const mutant* of = nullptr;
  censored by_strategy, by_random;
};

struct score_result {
  std::vector<mutant_score> mutants;
  std::vector<control_score> controls;
  std::vector<seeded_score> seeded;     // where more than one seed was asked for
  std::uint64_t control_schedules = 0;  // asked for, for each
  double seconds = 0;
  bool stopped = false;

  std::size_t killed() const;
  std::optional<std::uint64_t> median_events() const;  // of the shrunk kills
  const mutant_score* longest_shrunk() const;          // null where nothing was killed
  std::uint64_t alarms() const;
};

score_result score(const score_options& options);

// 4 a kill that does not replay, 1 a survivor or an alarm, 2 stopped early, else 0.
int exit_status(const score_result& result);

}  // namespace leaselab::properties
