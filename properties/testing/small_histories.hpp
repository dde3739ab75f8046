// Small histories for the checker's tests: made by a correct lease, then perhaps damaged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "properties/history_checker.hpp"

namespace leaselab::properties::testing {

// One operation, before it is known what it answers. All values small.
struct sketch {
  int op = 0, owner = 1, to = 1;
  int ttl = 1;                            // 0: never expires
  int called = 0, lasts = 0, effect = 0;  // effect: instants after the call, at most `lasts`
  int fate = 0;                           // 0: info with effect, 1: info without, 2: fail, else ok
  int claims = 7;                         // bits: answer, holder, token
  int damage = 0;  // 1: answer flipped, 2: another holder, 3: another token, else none
};

struct sketched_world {
  std::int64_t granule = 1, phase = 0;
  expiry_reading reading = expiry_reading::at;
  std::vector<sketch> sketches;
};

inline std::int64_t granule_of(const sketched_world& world, std::int64_t t) {
  return (t + world.phase) / world.granule;
}

inline history_operation begin(const sketched_world& world, const sketch& from, std::size_t id) {
  history_operation made;
  made.id = id;
  made.call.op = static_cast<lease_op>(from.op);
  made.call.owner = static_cast<lease_owner>(from.owner);
  made.call.to = static_cast<lease_owner>(from.to);
  made.call.ttl = from.ttl == 0 ? no_expiry : from.ttl;
  made.called = from.called;
  made.called_granule = granule_of(world, made.called);
  made.ended = from.fate < 2 ? outcome::info : from.fate == 2 ? outcome::fail : outcome::ok;
  if (made.ended != outcome::ok) return made;
  made.returned = from.called + from.lasts;
  made.returned_granule = granule_of(world, made.returned);
  return made;
}

inline void answer(const sketch& from, const lease_step& step, history_operation& made) {
  if (made.ended != outcome::ok) return;
  const bool yes = step.yes != (from.damage == 1);
  if ((from.claims & 1) && made.call.op != lease_op::get)
    made.answer = yes ? claim_of::yes : claim_of::no;
  made.claims_holder = (from.claims & 2) != 0;
  made.holder = step.next.owner;
  if (from.damage == 2) made.holder = (made.holder + 1) % 4;
  made.claims_token = (from.claims & 4) != 0;
  made.token = step.next.token;
  if (from.damage == 3) ++made.token;
}

// What a correct lease answers when each operation takes its effect where the sketch says.
inline std::vector<history_operation> make_history(const sketched_world& world) {
  std::vector<std::size_t> order(world.sketches.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto& x = world.sketches[a];
    const auto& y = world.sketches[b];
    return x.called + x.effect < y.called + y.effect;
  });
  std::vector<history_operation> made(world.sketches.size());
  lease_state state;
  for (std::size_t i : order) {
    const auto& from = world.sketches[i];
    made[i] = begin(world, from, i);
    if (from.fate == 1 || from.fate == 2) continue;
    const auto step =
        apply(state, made[i].call, granule_of(world, from.called + from.effect), world.reading);
    state = step.next;
    answer(from, step, made[i]);
  }
  return made;
}

}  // namespace leaselab::properties::testing
