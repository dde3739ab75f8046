// The Redis commands that the model knows, each a function over a keyspace at one instant.
// Replies and error texts are those of redis-server 7.0.15.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "providers/command.hpp"
#include "sim/redis/keyspace.hpp"

namespace leaselab::sim::redis {

struct command_spec;

// One command at work.
struct invocation {
  keyspace& keys;
  std::int64_t now_unix_ms;
  std::span<const std::string_view> words;  // the command's name first
  const command_spec& spec;
  reply& out;
  std::uint64_t& writes;  // effective writes so far: what a replica would receive

  std::string_view key() const { return words[1]; }
  entry* find(std::string_view key) { return keys.find(key, now_unix_ms); }
};

struct command_spec {
  std::string_view name;  // lower case; errors call the command by it
  int arity;              // as Redis counts: with the name; negative: at least
  bool writes;
  bool in_scripts;
  void (*run)(invocation&);  // null: the engine's own (EVAL and the like)
};

// By the name, in any case, and for SCRIPT by the subcommand too. Null: unknown, or left out here.
const command_spec* find_command(std::span<const std::string_view> words);
bool arity_fits(const command_spec& spec, std::size_t words);

// Answers. Each sets the whole of `out`, whatever stood there before. In errors and statuses line
// ends become spaces, as on the wire.
void answer_nil(reply& out);
void answer_integer(reply& out, std::int64_t value);
void answer_text(reply& out, std::string_view text);
void answer_status(reply& out, std::string_view text);
// "ERR " goes in front.
void answer_error(reply& out, std::string_view text);
// With its own code in front.
void answer_coded_error(reply& out, std::string_view text);
void answer_wrong_type(reply& out);
void answer_syntax_error(reply& out);
void answer_wrong_arity(reply& out, const command_spec& spec);
void answer_unknown_command(reply& out, std::span<const std::string_view> words);
void answer_not_an_integer(reply& out);
void answer_bad_expire(invocation& call);

bool equals_ignoring_case(std::string_view text, std::string_view lower_case);

// Groups of handlers, one file each.
void run_get(invocation&), run_set(invocation&), run_setnx(invocation&), run_setex(invocation&);
void run_psetex(invocation&), run_getset(invocation&), run_getdel(invocation&);
void run_getex(invocation&), run_append(invocation&), run_strlen(invocation&);
void run_incr(invocation&), run_decr(invocation&), run_incrby(invocation&), run_decrby(invocation&);

void run_del(invocation&), run_exists(invocation&), run_type(invocation&), run_persist(invocation&);
void run_expire(invocation&), run_pexpire(invocation&), run_expireat(invocation&);
void run_pexpireat(invocation&), run_ttl(invocation&), run_pttl(invocation&);
void run_expiretime(invocation&), run_pexpiretime(invocation&);

void run_hset(invocation&), run_hsetnx(invocation&), run_hget(invocation&), run_hdel(invocation&);
void run_hincrby(invocation&), run_hexists(invocation&), run_hgetall(invocation&);
void run_hlen(invocation&);

void run_lpush(invocation&), run_rpush(invocation&), run_lpushx(invocation&);
void run_rpushx(invocation&), run_lpop(invocation&), run_rpop(invocation&), run_lmove(invocation&);
void run_rpoplpush(invocation&), run_llen(invocation&), run_lindex(invocation&);
void run_lrange(invocation&), run_ltrim(invocation&), run_lrem(invocation&);
void run_blpop(invocation&), run_brpop(invocation&), run_blmove(invocation&);
void run_brpoplpush(invocation&), run_wait(invocation&);

void run_ping(invocation&), run_echo(invocation&), run_time(invocation&), run_flush(invocation&);
void run_publish(invocation&);

}  // namespace leaselab::sim::redis
