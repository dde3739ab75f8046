#include "properties/conformance_program.hpp"

namespace leaselab::properties::conformance {
namespace {

constexpr auto renew = operation::renew;
constexpr const char* honest = "renew.honest";

conformance_case by_owner() {
  return on_both(renew, "by the owner", "true, and the deadline moves on",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .renew(60, P1, "A")
                     .yes()
                     .get(130, P2)
                     .names("A")
                     .breaks(honest));
}

conformance_case shorter() {
  return on_both(renew, "by the owner, with a shorter ttl", "true, and the lease ends sooner",
                 program()
                     .acquire(0, P1, "A", 200)
                     .wins()
                     .renew(10, P1, "A", 30)
                     .yes()
                     .get(80, P2)
                     .over()
                     .nobody()
                     .breaks(honest));
}

conformance_case elsewhere() {
  return on_both(renew, "by the owner's name, from another process", "true",
                 program().acquire(0, P1, "A").wins().renew(10, P2, "A").yes());
}

conformance_case by_stranger() {
  return on_both(renew, "by a stranger", "false, and the lease is prolonged by nobody",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .renew(60, P2, "B")
                     .no()
                     .get(65, P2)
                     .names("A")
                     .breaks(honest)
                     .get(120, P2)
                     .over()
                     .nobody()
                     .breaks(honest));
}

conformance_case free_key() {
  return on_both(renew, "a free key", "false, and nothing is created",
                 program().renew(0, P1, "A").no().get(10, P2).nobody().breaks(honest));
}

conformance_case released() {
  return on_both(renew, "after its release", "false, and nothing is created",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P1, "A")
                     .done()
                     .renew(20, P1, "A")
                     .no()
                     .get(30, P2)
                     .nobody()
                     .breaks(honest));
}

conformance_case expired() {
  return on_both(renew, "its expired lease", "false, and nothing is revived",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .renew(120, P1, "A")
                     .over()
                     .no()
                     .get(130, P2)
                     .nobody()
                     .breaks(honest));
}

conformance_case taken_over() {
  return on_both(renew, "after another took over", "false, and the new owner keeps its lease",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(120, P2, "B")
                     .over()
                     .wins()
                     .renew(130, P1, "A")
                     .no()
                     .get(140, P1)
                     .names("B")
                     .breaks(honest));
}

conformance_case one_before_deadline() {
  return at_instants(renew, "a millisecond before its deadline", "true",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .renew(99, P1, "A")
                         .yes()
                         .get(150, P2)
                         .names("A")
                         .breaks(honest));
}

conformance_case at_deadline() {
  return at_instants(renew, "at its deadline", "as its reading of expiry says",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .renew(100, P1, "A")
                         .when(under::reads_at)
                         .no()
                         .when(under::reads_after)
                         .yes()
                         .get(150, P2)
                         .when(under::reads_at)
                         .nobody()
                         .when(under::reads_after)
                         .names("A")
                         .breaks(honest));
}

conformance_case one_after_deadline() {
  return at_instants(renew, "a millisecond after its deadline", "false",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .renew(101, P1, "A")
                         .no()
                         .get(102, P2)
                         .nobody()
                         .breaks(honest));
}

// A third of a millisecond is all the time that such a call has: in the simulator only.
conformance_case smallest_ttl() {
  return at_instants(renew, "ttl 1 ms", "true, and over soon after",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .renew(10, P1, "A", 1)
                         .yes()
                         .get(10.9, P2)
                         .names("A")
                         .get(12, P2)
                         .over()
                         .nobody());
}

conformance_case largest_ttl() {
  return on_both(renew, "ttl 2^53 - 1 ms", "true, no sum wraps",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .renew(20, P1, "A", max_ttl_ms)
                     .exact_ttl()
                     .yes()
                     .get(130, P2)
                     .names("A")
                     .breaks(honest)
                     .release(140, P1, "A")
                     .done());
}

conformance_case refused_owner() {
  return on_both(renew, "by one who was just refused", "false",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(10, P2, "B")
                     .denied("A")
                     .renew(20, P2, "B")
                     .no());
}

// Lawful and surprising: meant for the earlier lease, it renews the later one.
conformance_case reused_name() {
  return on_both(renew, "late, under a name in use again", "true",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .release(10, P1, "A")
                     .done()
                     .acquire(20, P2, "A")
                     .wins()
                     .renew(30, P1, "A")
                     .yes());
}

}  // namespace

case_list renew_cases() {
  return {
      by_owner(),           shorter(),      elsewhere(),   by_stranger(),         free_key(),
      released(),           expired(),      taken_over(),  one_before_deadline(), at_deadline(),
      one_after_deadline(), smallest_ttl(), largest_ttl(), refused_owner(),       reused_name()};
}

}  // namespace leaselab::properties::conformance
