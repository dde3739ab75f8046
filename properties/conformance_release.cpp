// Cases of get and release.
#include "properties/conformance_program.hpp"

namespace leaselab::properties::conformance {
namespace {

constexpr auto get = operation::get;
constexpr auto release = operation::release;

conformance_case get_free() {
  return on_both(get, "a free key", "none", program().get(0, P1).nobody());
}

conformance_case get_held() {
  return on_both(
      get, "a held key, from two processes", "its owner",
      program().acquire(0, P1, "A").wins().get(10, P1).names("A").get(11, P2).names("A"));
}

conformance_case get_over() {
  return on_both(get, "an expired lease", "none",
                 program().acquire(0, P1, "A").wins().get(120, P2).over().nobody());
}

conformance_case get_prolongs_nothing() {
  return on_both(get, "asked all the time", "looking prolongs nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .get(30, P2)
                     .names("A")
                     .get(60, P2)
                     .names("A")
                     .get(120, P2)
                     .over()
                     .nobody());
}

conformance_case get_around_deadline() {
  return at_instants(get, "before, at and after the deadline", "as its reading of expiry says",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .get(99, P2)
                         .names("A")
                         .get(100, P2)
                         .when(under::reads_at)
                         .nobody()
                         .when(under::reads_after)
                         .names("A")
                         .get(101, P2)
                         .nobody());
}

// A write and at once a look, from elsewhere: no copy that lags.
conformance_case get_after_every_write() {
  return on_both(get, "straight after each change", "the newest owner",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .get(0, P2)
                     .names("A")
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .get(10, P2)
                     .names("B")
                     .release(20, P1, "B")
                     .done()
                     .get(20, P2)
                     .nobody());
}

conformance_case by_owner() {
  return on_both(
      release, "by the owner", "ends the lease",
      program().acquire(0, P1, "A").wins().release(10, P1, "A").done().get(20, P2).nobody());
}

conformance_case by_owner_elsewhere() {
  return on_both(
      release, "by the owner's name, from another process", "ends the lease",
      program().acquire(0, P1, "A").wins().release(10, P2, "A").done().get(20, P1).nobody());
}

conformance_case by_stranger() {
  return on_both(release, "by a stranger", "changes nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P2, "B")
                     .done()
                     .get(20, P2)
                     .names("A")
                     .breaks("release.owner_only"));
}

// Twice: one that goes wrong only when repeated is known.
conformance_case by_strangers_again() {
  return on_both(release, "by strangers, one after the other", "changes nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P2, "B")
                     .done()
                     .release(11, P3, "C")
                     .done()
                     .get(20, P2)
                     .names("A")
                     .breaks("release.owner_only"));
}

conformance_case of_free_key() {
  return on_both(release, "of a free key", "ends ok, changes nothing",
                 program().release(0, P1, "A").done().get(10, P2).nobody());
}

conformance_case of_expired() {
  return on_both(release, "of its expired lease", "ends ok, changes nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(120, P1, "A")
                     .over()
                     .done()
                     .get(130, P2)
                     .nobody());
}

conformance_case late() {
  return on_both(release, "after another took over", "the new owner keeps its lease",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(120, P2, "B")
                     .over()
                     .wins()
                     .release(130, P1, "A")
                     .done()
                     .get(140, P1)
                     .names("B")
                     .breaks("release.owner_only"));
}

conformance_case repeated() {
  return on_both(release, "repeated, with another between", "the second changes nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P1, "A")
                     .done()
                     .acquire(20, P2, "B")
                     .wins()
                     .release(30, P1, "A")
                     .done()
                     .get(40, P1)
                     .names("B")
                     .breaks("release.owner_only"));
}

// Lawful and surprising: the name stands for its newest lease.
conformance_case reused_name() {
  return on_both(release, "late, under a name in use again", "ends the newer lease",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P1, "A")
                     .done()
                     .acquire(20, P2, "A")
                     .wins()
                     .release(30, P1, "A")
                     .done()
                     .get(40, P2)
                     .nobody());
}

}  // namespace

case_list get_cases() {
  return {get_free(),
          get_held(),
          get_over(),
          get_prolongs_nothing(),
          get_around_deadline(),
          get_after_every_write()};
}

case_list release_cases() {
  return {by_owner(),    by_owner_elsewhere(), by_stranger(), by_strangers_again(),
          of_free_key(), of_expired(),         late(),        repeated(),
          reused_name()};
}

}  // namespace leaselab::properties::conformance
