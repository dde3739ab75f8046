// A handoff in two steps answers what its acquire answers: true also where there was nothing to
// hand over.
#include "properties/conformance_program.hpp"

namespace leaselab::properties::conformance {
namespace {

constexpr auto transfer = operation::transfer;
constexpr const char* honest = "handoff.honest";
constexpr const char* full_ttl = "handoff.full_ttl";

conformance_case by_owner() {
  return on_both(transfer, "by the owner", "true, and the key is the other's for a whole ttl",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(60, P1, "A", "B")
                     .yes()
                     .get(65, P2)
                     .names("B")
                     .breaks(honest)
                     .get(130, P2)
                     .names("B")
                     .breaks(full_ttl));
}

conformance_case ends_in_time() {
  return on_both(transfer, "by the owner, with a shorter ttl", "true, and over in time",
                 program()
                     .acquire(0, P1, "A", 200)
                     .wins()
                     .transfer(10, P1, "A", "B", 30)
                     .yes()
                     .acquire(80, P3, "C")
                     .over()
                     .wins()
                     .breaks(full_ttl));
}

conformance_case giver_has_nothing_left() {
  return on_both(transfer, "what the giver does afterwards", "changes nothing",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .renew(20, P1, "A")
                     .no()
                     .release(25, P1, "A")
                     .done()
                     .get(30, P2)
                     .names("B")
                     .breaks(honest));
}

conformance_case taker_can_renew() {
  return on_both(transfer, "what the taker does afterwards", "renews and releases",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .renew(20, P2, "B")
                     .yes()
                     .release(30, P2, "B")
                     .done()
                     .get(40, P1)
                     .nobody());
}

conformance_case by_stranger() {
  return on_both(transfer, "by a stranger", "false, and nothing changes",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(10, P2, "C", "B")
                     .no()
                     .get(20, P2)
                     .names("A")
                     .breaks(honest));
}

conformance_case by_stranger_to_owner() {
  return on_both(transfer, "by a stranger, to the owner itself", "false, and nothing is prolonged",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(60, P2, "C", "A")
                     .when(under::atomic_handoff)
                     .no()
                     .when(under::two_step_handoff)
                     .yes()
                     .get(130, P2)
                     .over()
                     .when(under::atomic_handoff)
                     .nobody()
                     .breaks(honest));
}

program nothing_to_hand_over(program before, double at_ms) {
  return before.transfer(at_ms, P1, "A", "B")
      .over()
      .when(under::atomic_handoff)
      .no()
      .when(under::two_step_handoff)
      .yes()
      .get(at_ms + 10, P2)
      .when(under::atomic_handoff)
      .nobody()
      .when(under::two_step_handoff)
      .names("B")
      .breaks(honest);
}

conformance_case free_key() {
  return on_both(transfer, "a free key", "false, and nothing is created",
                 nothing_to_hand_over(program(), 0));
}

conformance_case expired() {
  return on_both(transfer, "an expired lease", "false, and nothing is created",
                 nothing_to_hand_over(program().acquire(0, P1, "A").wins(), 120));
}

conformance_case one_after_deadline() {
  return at_instants(transfer, "a millisecond after the deadline", "false",
                     nothing_to_hand_over(program().acquire(0, P1, "A").wins(), 101));
}

conformance_case taken_over() {
  return on_both(transfer, "after another took over", "false, and the new owner keeps its lease",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(120, P3, "C")
                     .over()
                     .wins()
                     .transfer(130, P1, "A", "B")
                     .no()
                     .get(140, P1)
                     .names("C")
                     .breaks(honest));
}

conformance_case one_before_deadline() {
  return at_instants(transfer, "a millisecond before the deadline", "true",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .transfer(99, P1, "A", "B")
                         .yes()
                         .get(150, P2)
                         .names("B")
                         .breaks(full_ttl));
}

conformance_case at_deadline() {
  return at_instants(transfer, "at the deadline", "as its reading of expiry says",
                     program()
                         .acquire(0, P1, "A")
                         .wins()
                         .transfer(100, P1, "A", "B")
                         .when(under::two_step_handoff)
                         .yes()
                         .when(under::reads_at)
                         .no()
                         .when(under::reads_after)
                         .yes());
}

conformance_case to_oneself() {
  return on_both(transfer, "to oneself", "true: it is a renewal",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(60, P1, "A", "A")
                     .yes()
                     .get(130, P2)
                     .names("A")
                     .breaks(full_ttl));
}

conformance_case to_holder_of_another_key() {
  return on_both(transfer, "to one who holds another key", "true, and both are its own",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .acquire(1, P2, "B")
                     .on("L")
                     .wins()
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .get(20, P1)
                     .names("B")
                     .breaks(honest)
                     .get(21, P1)
                     .on("L")
                     .names("B")
                     .breaks("key.isolation"));
}

conformance_case chain() {
  return on_both(transfer, "from hand to hand and back", "true each time",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(10, P1, "A", "B")
                     .yes()
                     .transfer(20, P2, "B", "C")
                     .yes()
                     .transfer(30, P3, "C", "A")
                     .yes()
                     .get(40, P2)
                     .names("A")
                     .breaks(honest));
}

conformance_case largest_ttl() {
  return on_both(transfer, "ttl 2^53 - 1 ms", "true, no sum wraps",
                 program()
                     .acquire(0, P1, "A")
                     .wins()
                     .transfer(20, P1, "A", "B", max_ttl_ms)
                     .exact_ttl()
                     .yes()
                     .get(130, P2)
                     .names("B")
                     .breaks(full_ttl)
                     .release(140, P2, "B")
                     .done());
}

}  // namespace

case_list transfer_cases() {
  return {by_owner(),
          ends_in_time(),
          giver_has_nothing_left(),
          taker_can_renew(),
          by_stranger(),
          by_stranger_to_owner(),
          free_key(),
          expired(),
          taken_over(),
          one_before_deadline(),
          at_deadline(),
          one_after_deadline(),
          to_oneself(),
          to_holder_of_another_key(),
          chain(),
          largest_ttl()};
}

}  // namespace leaselab::properties::conformance
