// The engine in process: a keyspace, the commands, and real Lua 5.1 for the very script text that
// a live provider sends. Replies and error texts are byte-equal to redis-server 7.0.15; where it
// stops is said in commands.cpp (the commands it knows) and lua_sandbox.hpp.
#pragma once

#include <vector>

#include "sim/redis/commands.hpp"
#include "sim/redis/engine.hpp"
#include "sim/redis/keyspace.hpp"
#include "sim/redis/lua_runtime.hpp"
#include "sim/redis/numbers.hpp"
#include "sim/redis/script_cache.hpp"

namespace leaselab::sim::redis {

// The keys at one instant: what a restart, a replica or a second primary may have of them.
struct store_snapshot {
  std::vector<entry> entries;
  std::uint64_t writes = 0;  // of the engine when it was saved
};

class model_engine final : public engine, private script_host {
 public:
  model_engine();

  void reset(std::int64_t now_ms) override;
  void load(const script& lua) override;
  reply execute(const command& request, std::int64_t now_ms) override;
  std::optional<stored> peek(std::string_view key, std::int64_t now_ms) override;
  reply execute_and_peek(const command& request, std::span<const std::string_view> keys,
                         std::int64_t now_ms, std::vector<std::optional<stored>>& after) override;
  void flush_scripts() override;
  void erase(std::string_view key) override;
  void overwrite(std::string_view key, std::string_view value) override;

  // Only the model: data for failover "n writes behind", restarts and two primaries. Scripts are
  // untouched; a restart forgets them through flush_scripts.
  store_snapshot save() const;
  void restore(const store_snapshot& snapshot);
  // Effective writes since the last reset: what a replica would have received. Keys that expire
  // are none.
  std::uint64_t writes() const { return writes_; }

 private:
  friend class split_run;

  void set_now(std::int64_t now_ms) { now_unix_ms_ = wrapping_add(epoch_unix_ms, now_ms); }
  void run_script(const command& request, reply& out);
  // The compiled script of an EVALSHA or EVAL. Null: the error is answered.
  compiled_script* prepare(const command& request, reply& out);
  void run_words(std::span<const std::string> words, reply& out);
  void run_transaction(const command& request, reply& out);
  void run_eval(std::span<const std::string> words, bool by_sha1, reply& out);
  void run_script_command(const command_spec& spec, reply& out);
  void call_from_script(std::span<const std::string_view> words, reply& out) override;

  keyspace keys_;
  std::int64_t now_unix_ms_ = epoch_unix_ms;
  std::uint64_t writes_ = 0;
  lua_runtime runtime_;
  script_cache scripts_;
  std::vector<std::string_view> words_;  // reused by every command
};

}  // namespace leaselab::sim::redis
