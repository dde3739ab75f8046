#include "sim/workload/client.hpp"

#include "sim/core.hpp"

namespace leaselab::sim {

// The monotonic reading before the request, plus the ttl less its margin, less one granule.
std::int64_t client::local_deadline(const call_record& call, call_index index) const {
  if (call.by_runtime() && world_.plan->client.local_deadline == local_deadline_policy::none)
    return no_deadline;
  constexpr std::int64_t million = 1'000'000;
  const std::int64_t longest_ms = never / (4 * million);
  const std::int64_t ttl_ns = std::min(call.ttl_ms, longest_ms) * ns_per_ms;
  const std::int64_t margin = ttl_ns / million * margin_ppm();
  return counted_from(index) + ttl_ns - margin - ns_per_ms;
}

std::int64_t client::counted_from(call_index call) const {
  return world_.workload.invoked_reading(call);
}

std::int64_t client::margin_ppm() const { return world_.plan->margin_ppm; }

bool client::reuses_tokens() const {
  const client_policy& policy = world_.plan->client;
  return policy.token == token_policy::run_id || policy.suspend == suspend_policy::keep;
}

held_token& client::token(process_slot& process, key_id key, owner_id owner) {
  if (held_token* known = process.find(key, owner)) return *known;
  held_token& added = process.tokens.emplace_back();
  added.key = key;
  added.owner = owner;
  return added;
}

bool client::lapsed(process_slot& process, held_token& token) {
  if (token.believed && world_.reading(process) >= token.deadline) {
    token.believed = false;
    token.dead = true;
  }
  return token.dead;
}

bool client::holds(process_slot& process, key_id key, owner_id owner) {
  held_token* known = process.find(key, owner);
  return known && !lapsed(process, *known) && known->believed;
}

void client::give_up(process_slot& process, key_id key, owner_id owner) {
  held_token& given = token(process, key, owner);
  if (!lapsed(process, given) && given.believed) {
    event& ended = world_.note(event_kind::disbelieve, &process);
    ended.key = key;
    ended.owner = owner;
  }
  given.believed = false;
  given.dead = true;
}

void client::sending(call_index index) {
  const call_record call = world_.record.run.calls[index];
  if (call.what == verb::transfer && call.owner == call.to) return;  // a renewal
  if (call.what == verb::release || call.what == verb::transfer)
    give_up(*world_.processes[call.process], call.key, call.owner);
  if (call.what == verb::acquire && call.by_runtime() && reuses_tokens())
    forget(*world_.processes[call.process], call.key, call.owner);
}

// A client that reuses a token takes each lease under it for a new one.
void client::forget(process_slot& process, key_id key, owner_id owner) {
  held_token* known = process.find(key, owner);
  if (known && known->dead) *known = {key, owner};
}

void client::answered(call_index index) {
  const call_record call = world_.record.run.calls[index];
  if (call.ended != outcome::ok) return;
  if (call.what != verb::acquire && call.what != verb::renew && call.what != verb::transfer) return;
  process_slot& process = *world_.processes[call.process];
  const owner_id owner = call.what == verb::transfer ? call.to : call.owner;
  if (!call.yes) {
    if (call.what != verb::transfer) give_up(process, call.key, owner);
    return;
  }
  believe(process, call, owner, index);
}

void client::believe(process_slot& process, const call_record& call, owner_id owner,
                     call_index index) {
  const std::int64_t deadline = local_deadline(call, index);
  held_token& held = token(process, call.key, owner);
  if (call.token) held.fence = *call.token;
  if (lapsed(process, held)) return;
  if (world_.reading(process) >= deadline) {
    if (!held.believed) held.dead = true;
    return;
  }
  held.believed = true;
  held.asked = world_.workload.invoked_reading(index);
  held.deadline = deadline;
  event& believed = world_.note(event_kind::believe, &process);
  believed.key = call.key;
  believed.owner = owner;
  believed.value = deadline;
}

}  // namespace leaselab::sim
