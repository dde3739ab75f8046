// A Redis that executes one command atomically at one virtual instant. Two twins implement it:
// `model_engine` in process, `server_engine` around a real redis-server under the virtual clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "providers/command.hpp"

namespace leaselab::sim::redis {

// The server clock's epoch in every world: 2020-01-01T00:00:00Z in ms. Virtual instants are
// milliseconds since then, never negative.
inline constexpr std::int64_t epoch_unix_ms = 1'577'836'800'000;

struct stored {
  std::string value;
  std::int64_t deadline_ms = 0;  // since the epoch; INT64_MAX: the key never expires
  bool operator==(const stored&) const = default;
};

class engine {
 public:
  virtual ~engine() = default;

  // A new world: no keys, the clock at `now_ms`, these scripts loaded.
  virtual void reset(std::int64_t now_ms) = 0;
  // Loads a script, as SCRIPT LOAD does. Idempotent.
  virtual void load(const script& lua) = 0;
  // Executes one command with the server's clock at `now_ms`. Errors are replies.
  virtual reply execute(const command& request, std::int64_t now_ms) = 0;
  // What is stored under `key`, expired or not as far as the engine still has it; no effect.
  virtual std::optional<stored> peek(std::string_view key, std::int64_t now_ms) = 0;

  // Environment faults.
  virtual void flush_scripts() = 0;
  virtual void erase(std::string_view key) = 0;                              // eviction
  virtual void overwrite(std::string_view key, std::string_view value) = 0;  // keeps the deadline
};

}  // namespace leaselab::sim::redis
