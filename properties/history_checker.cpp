// The method.
//
// Linearizability asks for one order of the operations that respects real time and that the
// sequential object explains (Herlihy & Wing 1990). Wing & Gong (1993) search for it; Lowe
// ("Testing for linearizability", 2017) places operations just in time: walk the calls and returns
// in order of time and keep every *configuration*, that is, which of the open operations are
// placed and what state that led to. Only when an operation returns and is not placed yet, it is,
// with whatever must come before it. When no configuration is left, the prefix that ends there is
// the shortest one that nothing explains. Cost is linear in the length while configurations stay
// few; porcupine's depth-first search with memory is quick to a witness but must exhaust a bad
// history.
//
// Deadlines. A lease's state also holds x, the granule of the step that set the deadline: the
// record is live up to x + reach. Which x are possible is a zone (Alur & Dill 1994), the solutions
// of difference constraints between x and what comes later. For one record all of them have the
// form low <= x <= high, and "what ends this tenure comes at `now` or later, and not before x":
// - x starts as an interval: not before the call, not after the return that is being explained.
// - a finder at n_call needs x + reach >= n_call: it raises `low`. A later finder is no help, since
//   every finder may take the earliest granule that the order leaves it.
// - death by n needs x + reach < n: the free time begins at low + reach + 1, and for the rest only
//   that beginning matters. Earlier is always better, later is possible by waiting.
// - a refresh at x' needs x <= x' <= x + reach: the union over [low, high] is again an interval.
// Taking the earliest instant alone would be wrong (a later x lives longer), taking the latest too.
// Real instants never bind beyond their granules: all operations open at a return overlap in
// time, so inside one granule every order of them can be had.
//
// Few configurations:
// - A tenure is one stretch of coverage, from its first step to the reach of its last refresh. So
//   operations that only find the owner live are not ordered with the refreshes; they just raise
//   `now` (their tenure may not end before) and `need` (some refresh may not end it before).
// - Operations that change nothing are placed when they return, or when the tenure that serves
//   them ends: then the later it ends the more of them can be before, one configuration for each
//   granule that makes a difference (`leave`).
// - "Not live" said of somebody who is not and cannot become the owner orders nothing at all.
// - Where everything open is served by the current tenure, nothing needs to come before the one
//   that returns (`settled`).
// - A configuration that can do all another can do replaces it (`covers`); zones that touch join.
// - `info` operations: info_pool.hpp. They never have to be placed. One that makes an owner is
//   tried only if somebody can have found that owner; a refresh only where the deadline binds. Of
//   explanations that differ only in what they spent, a first search keeps a few: what it explains
//   is explained, and where it fails, a second one keeps them all.
#include "properties/history_checker.hpp"

#include <algorithm>

#include "properties/checker_engine.hpp"

namespace leaselab::properties {
namespace {

std::size_t most_open(std::span<const history_operation> operations, const history_items& history) {
  std::size_t open = 0, most = 0, call = 0;
  for (std::uint32_t index : history.returns) {
    while (call < history.calls.size() &&
           operations[history.calls[call]].called <= operations[index].returned) {
      if (!history.items[history.calls[call]].optional) most = std::max(most, ++open);
      ++call;
    }
    --open;
  }
  return most;
}

}  // namespace

struct history_checker::impl {
  history_verdict check(std::span<const history_operation> operations, expiry_reading reading,
                        const checker_options& options) {
    items.build(operations, reading, options.deadlines);
    const std::size_t open = most_open(operations, items);
    if (open <= 64) return narrow.run(operations, items, options);
    if (open <= 1024) return wide.run(operations, items, options);
    return {};  // unknown: more than a thousand calls open at one instant
  }

  history_items items;
  checker_engine<1> narrow;
  checker_engine<16> wide;
};

history_checker::history_checker() : impl_(std::make_unique<impl>()) {}
history_checker::~history_checker() = default;
history_checker::history_checker(history_checker&&) noexcept = default;
history_checker& history_checker::operator=(history_checker&&) noexcept = default;

history_verdict history_checker::check(std::span<const history_operation> operations,
                                       const checker_options& options) {
  const auto reading =
      options.reading == reading_of::at ? expiry_reading::at : expiry_reading::after;
  const auto first = impl_->check(operations, reading, options);
  if (options.reading != reading_of::any || first.value == verdict::holds) return first;
  auto second = impl_->check(operations, expiry_reading::at, options);
  second.steps += first.steps;
  if (second.value != verdict::violated) return second;
  // Violated only if neither reading explains it; then the longer prefix is the one to show.
  if (first.value == verdict::unknown || first.prefix > second.prefix) {
    auto shown = first;
    shown.steps = second.steps;
    return shown;
  }
  return second;
}

}  // namespace leaselab::properties
