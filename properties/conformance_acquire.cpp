#include "properties/conformance_program.hpp"

namespace leaselab::properties::conformance {
namespace {

constexpr auto acquire = operation::acquire;

conformance_case free_key() {
  return on_both(acquire, "a free key", "acquired, and the key is the caller's",
                 program().acquire(0, P1, "A").wins().get(10, P2).names("A"));
}

conformance_case again() {
  return on_both(acquire, "its own lease", "acquired, and the deadline moves on",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(60, P1, "A")
                     .wins()
                     .get(130, P2)
                     .names("A")
                     .breaks("acquire.idempotent"));
}

conformance_case again_shorter() {
  return on_both(acquire, "its own lease, with a shorter ttl",
                 "acquired, and the lease ends sooner",
                 program()
                     .acquire(0, P1, "A", 200)
                     .wins()
                     .acquire(10, P1, "A", 20)
                     .wins()
                     .get(60, P2)
                     .over()
                     .nobody()
                     .breaks("acquire.idempotent"));
}

// The owner is the string that was passed, never the process that passed it.
conformance_case by_name() {
  return on_both(acquire, "its own lease, from another process", "acquired: an owner is a name",
                 program().acquire(0, P1, "A").wins().acquire(10, P2, "A").wins());
}

conformance_case held() {
  return on_both(acquire, "another's live lease", "a denial that names the owner; nothing changes",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(10, P2, "B")
                     .denied("A")
                     .get(20, P1)
                     .names("A")
                     .breaks("single_owner.grant"));
}

conformance_case asking_prolongs_nothing() {
  return on_both(acquire, "refused near the deadline", "a denial, which prolongs nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(70, P2, "B")
                     .denied("A")
                     .get(120, P3)
                     .over()
                     .nobody());
}

conformance_case after_deadline() {
  return on_both(acquire, "another's expired lease", "acquired",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(120, P2, "B")
                     .over()
                     .wins()
                     .get(130, P1)
                     .names("B"));
}

conformance_case one_before_deadline() {
  return at_instants(acquire, "another's lease, a millisecond before its deadline", "a denial",
                     program().acquire(0, P1, "A").wins().acquire(99, P2, "B").denied("A"));
}

conformance_case at_deadline() {
  return at_instants(acquire, "another's lease, at its deadline", "as its reading of expiry says",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .acquire(100, P2, "B")
                         .over()
                         .when(under::reads_at)
                         .wins()
                         .when(under::reads_after)
                         .denied("A"));
}

conformance_case one_after_deadline() {
  return at_instants(acquire, "another's lease, a millisecond after its deadline", "acquired",
                     program().acquire(0, P1, "A").wins().acquire(101, P2, "B").over().wins());
}

// Dead or alive, nobody else is there.
conformance_case own_at_deadline() {
  return at_instants(
      acquire, "its own lease, at its deadline", "acquired in both readings",
      program().acquire(0, P1, "A").wins().acquire(100, P1, "A").wins().get(150, P2).names("A"));
}

// Set at 0.7 ms it lives to the end of the millisecond that holds its deadline, or to the
// beginning of it: the backend's clock counts whole milliseconds.
conformance_case late_in_its_millisecond() {
  return at_instants(acquire, "set late in a millisecond", "ends by whole milliseconds",
                     program()
                         .acquire(0.7, P1, "A")
                         .wins()
                         .acquire(99.99, P2, "B")
                         .denied("A")
                         .acquire(100.99, P2, "B")
                         .when(under::reads_at)
                         .wins()
                         .when(under::reads_after)
                         .denied("A")
                         .acquire(101, P2, "B")
                         .over()
                         .wins());
}

conformance_case after_release() {
  return on_both(
      acquire, "a released key", "acquired at once",
      program().acquire(0, P1, "A").wins().release(10, P1, "A").done().acquire(20, P2, "B").wins());
}

conformance_case after_transfer() {
  return on_both(acquire, "a key that was handed over", "a denial that names the new owner",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .acquire(20, P1, "A")
                     .denied("B"));
}

conformance_case smallest_ttl() {
  return on_both(
      acquire, "ttl 1 ms", "acquired, and over soon after",
      program().acquire(0, P1, "A", 1).exact_ttl().wins().acquire(5, P2, "B").over().wins());
}

conformance_case largest_ttl() {
  return on_both(acquire, "ttl 2^53 - 1 ms", "acquired, no sum wraps",
                 program()
                     .acquire(0, P1, "A", max_ttl_ms)
                     .exact_ttl()
                     .wins()
                     .acquire(50, P2, "B")
                     .denied("A")
                     .release(60, P1, "A")
                     .done()
                     .get(70, P2)
                     .nobody()
                     .breaks("release.owner_only"));
}

conformance_case largest_ttl_shortened() {
  return at_instants(acquire, "ttl 2^53 - 1 ms, shortened an hour later",
                     "there an hour later, then over in time",
                     program()
                         .acquire(0, P1, "A", max_ttl_ms)
                         .wins()
                         .get(3'600'000, P2)
                         .names("A")
                         .acquire(3'600'001, P1, "A", 10)
                         .wins()
                         .get(3'600'012, P2)
                         .over()
                         .nobody());
}

conformance_case two_keys() {
  return on_both(acquire, "two keys", "each has its own owner",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(5, P2, "B")
                     .on("L")
                     .wins()
                     .breaks("key.isolation")
                     .get(10, P2)
                     .names("A")
                     .breaks("key.isolation")
                     .release(15, P1, "A")
                     .done()
                     .get(20, P1)
                     .on("L")
                     .names("B")
                     .breaks("key.isolation"));
}

}  // namespace

case_list acquire_cases() {
  return {free_key(),
          again(),
          again_shorter(),
          by_name(),
          held(),
          asking_prolongs_nothing(),
          after_deadline(),
          one_before_deadline(),
          at_deadline(),
          one_after_deadline(),
          own_at_deadline(),
          late_in_its_millisecond(),
          after_release(),
          after_transfer(),
          smallest_ttl(),
          largest_ttl(),
          largest_ttl_shortened(),
          two_keys()};
}

}  // namespace leaselab::properties::conformance
