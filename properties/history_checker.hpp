// Is a history of one key explained by one sequential lease with deadlines?
//
// An operation takes its effect at a real instant t between its call and its return, and the
// backend's clock then reads a whole granule n: n·g <= t + phase < (n+1)·g. Order is by t,
// deadlines are about n. Operations where one returns at the instant at which the other is called
// are concurrent. `info` operations take effect at any instant from their call on, or never; `fail`
// operations had none. The method, and why it is exact, is told in history_checker.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "properties/lease_model.hpp"
#include "properties/property.hpp"
#include "providers/error.hpp"

namespace leaselab::properties {

// What an optional boolean field says; a missing one claims nothing.
enum class claim_of : std::uint8_t { nothing, no, yes };

inline constexpr std::int64_t never_returned = std::numeric_limits<std::int64_t>::max();

struct history_operation {
  std::uint64_t id = 0;  // the history's own name for it
  std::uint32_t process = 0;
  lease_call call;
  outcome ended = outcome::info;
  claim_of answer = claim_of::nothing;  // granted, renewed, moved, released
  bool claims_holder = false;
  bool claims_token = false;
  lease_owner holder = 0;   // after the step; a denial names it, get answers it. 0: nobody
  std::uint64_t token = 0;  // after the step
  std::int64_t called = 0;  // real instants, any unit
  std::int64_t returned = never_returned;
  // What the backend's clock read then (clock errors included). It must not fall with time.
  std::int64_t called_granule = 0;
  std::int64_t returned_granule = never_returned;
};

enum class reading_of : std::uint8_t { at, after, any };

struct checker_options {
  reading_of reading = reading_of::any;  // any: one of the two, the same for all operations
  bool deadlines = true;                 // false: a record may live on or end at any instant
  std::uint64_t step_limit = 200'000'000;
};

struct history_verdict {
  verdict value = verdict::unknown;
  // Violated: the shortest prefix, by return order, that cannot be explained. Operations still
  // open at its end may have taken effect, with the answer that they later gave.
  std::size_t prefix = 0;           // how many `ok` operations it holds
  std::optional<std::size_t> last;  // index of its last one in the input
  std::uint64_t steps = 0;
};

// Checks histories one after the other and keeps its memory between them.
class history_checker {
 public:
  history_checker();
  ~history_checker();
  history_checker(history_checker&&) noexcept;
  history_checker& operator=(history_checker&&) noexcept;

  // In any order. Cost: about linear in their number, at most `step_limit` steps.
  history_verdict check(std::span<const history_operation> operations,
                        const checker_options& options);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace leaselab::properties
