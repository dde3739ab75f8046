// For tests: scripts as lease and lock clients send them, and scripts at the edges of what Redis
// converts and refuses. Each takes one key and some arguments.
#pragma once

#include <vector>

#include "providers/command.hpp"

namespace leaselab::sim::redis {

inline const std::vector<script>& sample_scripts() {
  static const std::vector<script> scripts = {
      {"acquire",
       "local owner = redis.call('GET', KEYS[1])\n"
       "if not owner or owner == ARGV[1] then\n"
       "  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\n"
       "  return {1, ARGV[1]}\n"
       "end\n"
       "return {0, owner}\n"},
      {"renew",
       "if redis.call('GET', KEYS[1]) == ARGV[1] then\n"
       "  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\n"
       "end\n"
       "return 0\n"},
      {"release",
       "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) "
       "else return 0 end"},
      {"transfer",
       "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
       "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3] or 100)\n"
       "return 1\n"},
      {"fenced",
       "local owner = redis.call('GET', KEYS[1])\n"
       "local fence = '{' .. KEYS[1] .. '}:fence'\n"
       "if owner and owner ~= ARGV[1] then return {0, owner, false} end\n"
       "local token = owner and redis.call('GET', fence) or redis.call('INCR', fence)\n"
       "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\n"
       "return {1, ARGV[1], tonumber(token)}\n"},
      {"redisson",
       "if (redis.call('exists', KEYS[1]) == 0) or "
       "(redis.call('hexists', KEYS[1], ARGV[1]) == 1) then\n"
       "  redis.call('hincrby', KEYS[1], ARGV[1], 1);\n"
       "  redis.call('pexpire', KEYS[1], ARGV[2]);\n"
       "  return nil;\n"
       "end;\n"
       "return redis.call('pttl', KEYS[1]);"},
      {"set_then_look",
       "redis.call('SET', KEYS[1], 'x', 'PX', 1)\n"
       "return {redis.call('PTTL', KEYS[1]), redis.call('TIME'), redis.call('TTL', KEYS[1])}"},
      {"numbers",
       "return {1, 2.999, -2.999, 0/0, 1e300, -1e300, 2^53, 2^63, -0.0, tonumber(ARGV[1]) or 'nan',"
       " 0.1}"},
      {"sends_numbers",
       "redis.call('SET', KEYS[1], 0.1) local a = redis.call('GET', KEYS[1])\n"
       "redis.call('SET', KEYS[1], 2^53) local b = redis.call('GET', KEYS[1])\n"
       "redis.call('SET', KEYS[1], 1e17, 'PX', 10) local c = redis.call('GET', KEYS[1])\n"
       "redis.call('SET', KEYS[1], -0.0) local d = redis.call('GET', KEYS[1])\n"
       "redis.call('SET', KEYS[1], 1/0) return {a, b, c, d, redis.call('GET', KEYS[1])}"},
      {"booleans", "return {true, false, 'after'}"},
      {"stops_at_nil", "return {1, nil, 3}"},
      {"nothing", "local x = 1"},
      {"several", "return 1, 2, 3"},
      {"status", "return redis.status_reply('FINE')"},
      {"status_table", "return {ok = ARGV[1]}"},
      {"double_table", "return {double = 3.25}"},
      {"nested", "return {{ok = 'a'}, {err = 'B c'}, {1, {2, {}}}, {err = 'nocode'}}"},
      {"error_reply", "return redis.error_reply(ARGV[1])"},
      {"error_reply_coded", "return redis.error_reply('MYERR some text')"},
      {"error_reply_dash", "return redis.error_reply('-DASH some text')"},
      {"error_reply_bad", "return redis.error_reply(1)"},
      {"status_reply_bad", "return redis.status_reply()"},
      {"error_table", "return {err = ARGV[1]}"},
      {"error_lines", "return {err = '\\r\\nA\\nb\\r\\n'}"},
      {"raises_text", "error('went wrong')"},
      {"raises_text_level_2", "local function f() error('deep', 2) end\n\nf()"},
      {"raises_table", "error({err = 'CODE text'})"},
      {"raises_argument", "error(ARGV[1])"},
      {"raises_number", "error(42)"},
      {"raises_lines", "error('a\\nb')"},
      {"raises_in_function",
       "local function f()\n  return redis.call('INCR', KEYS[1])\nend\n\nreturn f()"},
      {"arithmetic_on_nil", "\n\nreturn nil + 1"},
      {"calls_nil", "return undefined_function()"},
      {"reads_global", "return undefined_global"},
      {"writes_global", "leak = 1 return leak"},
      {"writes_keys", "KEYS = {} return 1"},
      {"writes_redis", "redis.call = nil return 1"},
      {"writes_string", "string.rep = nil return 1"},
      {"rawset_global", "rawset(_G, 'leak', 1) return 1"},
      {"changes_words", "KEYS[1] = 'b' ARGV[5] = 'five' return {KEYS[1], ARGV[5], #KEYS, #ARGV}"},
      {"incr", "return redis.call('INCR', KEYS[1])"},
      {"pcall_incr",
       "local r = redis.pcall('INCR', KEYS[1])\nif type(r) == 'table' then "
       "return {r.err, tostring(r.ignore_error_stats_update)} end return r"},
      {"pcall_returned", "return redis.pcall('INCR', KEYS[1])"},
      {"lua_pcall", "local ok, e = pcall(redis.call, 'INCR', KEYS[1])\nreturn {tostring(ok), e}"},
      {"lua_pcall_text", "local ok, e = pcall(error, 'plain') return {tostring(ok), e}"},
      {"lua_pcall_table", "local ok, e = pcall(error, {1}) return {tostring(ok), type(e)}"},
      {"lua_xpcall",
       "return {tostring(xpcall(function() redis.call('INCR', KEYS[1]) end, "
       "function(e) return e.err end))}"},
      {"rethrows", "local ok, e = pcall(redis.call, 'INCR', KEYS[1])\nif not ok then error(e) end"},
      {"no_words", "return redis.call()"},
      {"pcall_no_words", "return redis.pcall()"},
      {"table_word", "return redis.call('SET', KEYS[1], {})"},
      {"pcall_table_word", "return redis.pcall('SET', KEYS[1], nil)"},
      {"boolean_word", "return redis.call('SET', KEYS[1], true)"},
      {"unknown_command", "return redis.call('NOSUCH', 1)"},
      {"pcall_unknown_command", "return redis.pcall('NOSUCH', 1)"},
      {"wrong_arity", "return redis.call('GET')"},
      {"not_allowed", "return redis.call('EVAL', 'return 1', 0)"},
      {"not_allowed_script", "return redis.call('SCRIPT', 'FLUSH')"},
      {"unknown_subcommand", "return redis.call('SCRIPT', 'NOSUCH')"},
      {"bad_expire", "return redis.call('SET', KEYS[1], 'v', 'PX', ARGV[2])"},
      {"flush_inside", "redis.call('FLUSHALL') return redis.call('EXISTS', KEYS[1])"},
      {"all_of_hash", "return redis.call('HGETALL', KEYS[1])"},
      {"status_inside", "local s = redis.call('SET', KEYS[1], 'v') return {s.ok, s}"},
      {"type_inside", "return redis.call('TYPE', KEYS[1])['ok']"},
      {"sha1", "return redis.sha1hex(ARGV[1])"},
      {"sha1_bad", "return redis.sha1hex()"},
      {"library",
       "return {string.format('%q', ARGV[1]), #ARGV[1], ARGV[1]:upper(), "
       "table.concat(ARGV, ','), tostring(math.floor(2.5)), select('#', unpack(ARGV))}"},
      {"versions",
       "return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM, redis.LOG_WARNING, "
       "_VERSION, tostring(redis.replicate_commands())}"},
      {"log_bad", "return redis.log('x')"},
      {"log_level_bad", "return redis.log(17, 'x')"},
      {"loadstring", "return loadstring('return KEYS[1]')()"},
      {"coroutine",
       "local c = coroutine.wrap(function() coroutine.yield(redis.call('GET', KEYS[1])) end)\n"
       "return c()"},
      {"sort_callback",
       "local t = {3, 1, 2}\ntable.sort(t, function(x, y) redis.call('PING') return x < y end)\n"
       "return t"},
      {"types",
       "return {type(KEYS), type(redis.call('GET', KEYS[1])), tostring(nil), "
       "tostring(redis.call('PTTL', KEYS[1]))}"},
      {"broken", "this does not compile"},
  };
  return scripts;
}

}  // namespace leaselab::sim::redis
