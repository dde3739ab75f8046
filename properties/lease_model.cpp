#include "properties/lease_model.hpp"

#include <algorithm>

namespace leaselab::properties {
namespace {

std::int64_t deadline_after(std::int64_t granule, std::int64_t ttl) {
  return ttl >= no_expiry ? no_expiry : std::min(no_expiry, granule + ttl);
}

}  // namespace

bool live(std::int64_t deadline, std::int64_t granule, expiry_reading reading) {
  if (deadline >= no_expiry) return true;
  return reading == expiry_reading::at ? granule < deadline : granule <= deadline;
}

lease_step apply(const lease_state& state, const lease_call& call, std::int64_t granule,
                 expiry_reading reading) {
  lease_step step;
  step.next = state;
  if (state.owner != 0 && !live(state.deadline, granule, reading)) step.next.owner = 0;
  const lease_owner holder = step.next.owner;
  step.holder_before = holder;

  lease_owner owner = call.owner;  // of the record after a yes
  switch (call.op) {
    case lease_op::get:
      return step;
    case lease_op::acquire:
      step.yes = holder == 0 || holder == call.owner;
      break;
    case lease_op::renew:
      step.yes = holder != 0 && holder == call.owner;
      break;
    case lease_op::release:
      step.yes = holder != 0 && holder == call.owner;
      owner = 0;
      break;
    case lease_op::transfer:
      step.yes = holder != 0 && holder == call.owner;
      owner = call.to;
      break;
  }
  if (!step.yes) return step;
  step.next.owner = owner;
  if (owner == 0) return step;
  step.next.deadline = deadline_after(granule, call.ttl);
  if (owner != holder) ++step.next.token;
  return step;
}

}  // namespace leaselab::properties
