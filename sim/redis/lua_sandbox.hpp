// The world that a script sees: the globals of Redis 7.0, none of them writable.
#pragma once

#include <lua.hpp>
#include <string_view>

namespace leaselab::sim::redis {

// What the sandbox hands to scripts as redis.call and redis.pcall: C functions, given `context`
// as a light userdata in their first upvalue.
struct sandbox_hooks {
  lua_CFunction call;
  lua_CFunction pcall;
  void* context;
};

// Opens the libraries and leaves on the stack the table that holds the globals, where KEYS and
// ARGV may be set; scripts see it only through a table that cannot be written.
//
// Left out, because they would carry chance, time or memory from one script to the next:
// math.random, setfenv, newproxy (errors), collectgarbage and gcinfo (answer 0). Not there:
// cjson, cmsgpack, struct, bit, redis.setresp, redis.acl_check_cmd. pairs(redis) sees nothing.
void open_sandbox(lua_State* lua, const sandbox_hooks& hooks);

// The message handler of every script run: turns any error value into a table and notes the line.
int note_error_position(lua_State* lua);

struct script_position {
  const char* source = nullptr;  // null: unknown
  int line = 0;
};
// The place of the innermost Lua function at or above `level`, as Redis looks for it.
script_position find_position(lua_State* lua, int level, lua_Debug& info);

}  // namespace leaselab::sim::redis
