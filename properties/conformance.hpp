// The contract suite: one list of small programs, operation by edge, that every provider runs, in a
// world of the simulator (conformance_world.hpp) and on real time (conformance_live.hpp).
//
// Two rules keep the list the same for both. A step's instant counts from the case's beginning, and
// a runner on real time may stretch it; and a step says where the lease must stand meanwhile, so
// that such a runner judges it only where it is sure of that.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/error.hpp"
#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"
#include "sim/history.hpp"

namespace leaselab::properties::conformance {

// What a call must answer.
enum class wanted : std::uint8_t {
  acquired,
  denied,   // in the name of `expectation::name`
  owner,    // get: that name
  nobody,   // get: none
  done,     // ends ok
  yes,      // renewed, moved
  no,       // not renewed, not moved
  refused,  // fail, invalid_argument
  closed,   // fail, closed
};

// When an alternative counts: what the provider declares decides.
enum class under : std::uint8_t {
  always,
  reads_at,          // dead at its deadline
  reads_after,       // dead after it
  atomic_handoff,    // one step moves a lease
  two_step_handoff,  // release, then acquire: answers what the acquire answers
};

struct expectation {
  under when = under::always;
  wanted answer = wanted::done;
  std::string name;      // of the owner, where `answer` speaks of one
  std::string sentence;  // what was expected, for people
};

// Where the step's key must certainly stand while the step is made.
enum class lease_time : std::uint8_t {
  any,    // the expectation does not depend on a deadline
  alive,  // before the deadline of what was last set
  over,   // after it
};

// What an acquire or transfer says about fencing, compared with the last token on its key.
enum class token_rule : std::uint8_t { any, same, higher };

struct step {
  sim::verb what = sim::verb::get;  // never write
  sim::process_id process = 0;
  std::chrono::microseconds at{0};
  std::string key = "K";
  std::string owner, to;  // transfer: from, to
  std::int64_t ttl_ms = 0;
  bool exact_ttl = false;  // the ttl is the point: never stretched
  lease_time lease = lease_time::any;
  token_rule token = token_rule::any;
  std::string property;  // the promise that a departure breaks; empty: see `broken_promise`
  // The first whose `when` fits the declaration counts; none fits: the step is only made.
  std::vector<expectation> expected;
};

struct conformance_case {
  operation what = operation::acquire;
  std::string edge;        // the situation, in a few words
  std::string sentence;    // what was expected of the whole
  bool exact = false;      // needs exact instants: in the simulator only
  bool of_tokens = false;  // only where the provider declares fencing
  std::vector<step> steps;
};

// Grouped by operation.
const std::vector<conformance_case>& cases();

// How one call ended, whatever carried it.
struct answer {
  outcome ended = outcome::info;
  errc code = errc::backend_error;  // meaningful unless ended == ok
  bool yes = false;                 // acquired, renewed, moved
  std::optional<std::string> named;
  std::optional<std::uint64_t> token;
  std::string text;  // of an error
};

enum class row_end : std::uint8_t { ok, departed, not_run };
std::string_view to_string(row_end value);

// One case on one provider.
struct row {
  operation what = operation::acquire;
  std::string edge, expected, got;
  row_end ended = row_end::not_run;
  bool promised = true;  // departed from what it declares; false: it does not promise this
  std::string property;  // the one departed from; empty when ok or not run
  std::string why;       // the broken promise, or why it was not run; empty when ok

  bool broken() const { return ended == row_end::departed && promised; }
};

// What a declaration promises in calm: no fault, one call at a time.
class promises {
 public:
  explicit promises(guarantees declared);
  bool made(std::string_view property) const;
  const guarantees& declared() const { return declared_; }

 private:
  guarantees declared_;
  std::vector<std::string> made_;
};

// The expectation of the step under that declaration; null: there is none.
const expectation* expected_of(const step& asked, const guarantees& declared);

// A row for a case in which that promise did not hold: `got` says how.
row departed(const conformance_case& about, const promises& held_to, std::string_view property,
             std::string got);
// A row for a case that was not run, or not to its end.
row not_run(const conformance_case& about, std::string why);
// Not empty: what keeps the case from being run with such a provider at all.
std::string inapplicable(const conformance_case& about, const guarantees& declared);
// The case without the looks at the owner that such a provider has no operation for.
conformance_case as_asked(const conformance_case& about, const guarantees& declared);
// Judges the answers that came, in the order of the steps; fewer than steps: the rest was not made.
row judge(const conformance_case& about, const promises& held_to,
          const std::vector<answer>& answers);

}  // namespace leaselab::properties::conformance
