// One process of a world: its clocks, its provider, its open trips and what its client believes.
// A crash ends an incarnation; the slot lives on and the next incarnation starts in it.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/clock.hpp"
#include "sim/deployment.hpp"
#include "sim/environment_sim.hpp"
#include "sim/executor.hpp"
#include "sim/history.hpp"

namespace leaselab::sim {

template <class... Signature>
using suspended = std::optional<
    typename asio::async_result<asio::use_awaitable_t<>, void(Signature...)>::handler_type>;

// Runs calls one after another for its process. Idle between them.
struct worker {
  suspended<> idle;
  call_index call = no_call;
};

// What the strict client keeps of one token.
struct held_token {
  key_id key = 0;
  owner_id owner = nobody;
  std::int64_t deadline = 0;  // reading of the monotonic clock, ns
  std::int64_t asked = 0;     // reading before the request that was answered last
  std::uint64_t fence = 0;
  bool believed = false;
  bool dead = false;  // lapsed, denied, released or handed over: nothing revives it
};

struct process_slot {
  process_id id = 0;
  std::uint8_t incarnation = 0;
  bool up = false;
  bool closed = false;   // its provider
  bool closing = false;  // its runtime takes nothing more and closes the provider when it is done
  std::uint32_t calls_made = 0;
  int pauses = 0;  // pauses in force
  clock_line wall;
  std::int64_t rate_ppb = rate_one;  // of the monotonic clock when it is not made to stand
  int standing = 0;                  // faults that make the clocks stand
  true_duration late_by = 0;         // timers fire later
  true_time connected_at = 0;        // the first connection is there

  lane where;
  std::unique_ptr<environment_sim> environment;
  deployed runtime;
  std::vector<std::unique_ptr<worker>> workers;
  std::vector<held_token> tokens;
  std::vector<std::uint32_t> interrupted;  // call specs to arm again at a restart

  // There is one of each; it is mostly the latest that is asked for.
  held_token* find(key_id key, owner_id owner) {
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
      if (token->key == key && token->owner == owner) return &*token;
    return nullptr;
  }
};

}  // namespace leaselab::sim
