// The critical choice of a failing run: what separates it from the nearest run of the same plan
// that passes. Both have the same processes, calls and faults; only choices of the scheduler
// differ.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/choice.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

enum class trial_end : std::uint8_t { fails, passes, neither };

// Runs `candidate` by `by`, or by its decisions where that is null, puts those of the run in their
// place, and says what the property that failed says now. Neither: it could not be judged.
using trial = std::function<trial_end(sim::plan& candidate, sim::chooser* by)>;

struct changed_choice {
  std::size_t place = 0;  // in the failing run's decisions
  sim::decision taken;    // by the failing run
  // When the passing run let it happen; nothing: it never did.
  std::optional<sim::true_time> instead;
  // Where both have the same instant: what it came after there, and did not here, or the other way
  // round.
  std::optional<sim::label> against;
};

struct critical_choice {
  sim::plan failing, passing;  // with the decisions of either run
  // The failing one with these choices changed and no other: run by its decisions, it passes.
  sim::plan changed;
  // All that has to differ: with any of them put back, the run fails. One: that choice alone flips
  // the verdict.
  std::vector<changed_choice> choices;
};

struct critical_search {
  std::optional<critical_choice> found;  // nothing: no run that passes was found
  // A fault without which the run passes, where no choice flips it: its place in the plan.
  std::optional<std::size_t> fault;
  std::uint32_t runs = 0;
};

// At most about `budget` runs. Same plan, same answer: what is tried follows from the plan alone.
// `failing` holds the decisions of a run that fails.
critical_search find_critical(const sim::plan& failing, const trial& test, std::uint32_t budget);

}  // namespace leaselab::properties
