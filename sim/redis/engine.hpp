// A Redis that executes one command atomically at one virtual instant. Two twins implement it:
// `model_engine` in process, `server_engine` around a real redis-server under the virtual clock.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/command.hpp"

namespace leaselab::sim::redis {

// The server clock's epoch in every world: 2020-01-01T00:00:00Z in ms. Virtual instants are
// milliseconds since then. Worlds never go below zero; the engines themselves accept it.
inline constexpr std::int64_t epoch_unix_ms = 1'577'836'800'000;

struct stored {
  std::string value;  // empty where the value is no string
  std::int64_t deadline_ms = std::numeric_limits<std::int64_t>::max();  // since the epoch
  bool never_expires() const { return deadline_ms == std::numeric_limits<std::int64_t>::max(); }
  bool operator==(const stored&) const = default;
};

class engine {
 public:
  virtual ~engine() = default;

  // A new world: no keys, no scripts but those given to `load` from here on, the clock at `now_ms`.
  virtual void reset(std::int64_t now_ms) = 0;
  // Loads a script, as SCRIPT LOAD does. Idempotent.
  virtual void load(const script& lua) = 0;
  // Executes one command with the server's clock at `now_ms`. Errors are replies. It never waits:
  // what would (BLPOP and the like) finds something at once, or nothing.
  virtual reply execute(const command& request, std::int64_t now_ms) = 0;
  // What a client would find under `key` at `now_ms`; none if the key is free or expired.
  // It is a look, and like every look in Redis it deletes an expired key: without it that key
  // would live again if the clock were then set back. Both engines do this alike, so look at the
  // same keys at the same instants in every mode of recording.
  virtual std::optional<stored> peek(std::string_view key, std::int64_t now_ms) = 0;
  // `execute`, then `peek` at each of `keys` at the same instant; `after` gets one item a key.
  // One round trip on the server engine.
  virtual reply execute_and_peek(const command& request, std::span<const std::string_view> keys,
                                 std::int64_t now_ms,
                                 std::vector<std::optional<stored>>& after) = 0;

  // Environment faults. They act at the instant of the last command.
  virtual void flush_scripts() = 0;
  virtual void erase(std::string_view key) = 0;  // eviction
  // A foreign write: replaces the value of an existing key and keeps its deadline.
  virtual void overwrite(std::string_view key, std::string_view value) = 0;
};

}  // namespace leaselab::sim::redis
