#include "sim/redis/lua_sandbox.hpp"

#include <string>

#include "sim/redis/lua_convert.hpp"

namespace leaselab::sim::redis {
namespace {

// The key that marks the metatable of a read-only table; its address is its value.
const char read_only_mark = 0;

int refuse_write(lua_State* lua) { return luaL_error(lua, "Attempt to modify a readonly table"); }

int refuse_unknown_global(lua_State* lua) {
  const char* name = lua_tostring(lua, 2);
  return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                    name == nullptr ? "?" : name);
}

int refuse_unmodelled(lua_State* lua) {
  return luaL_error(lua, "leaselab's model engine leaves out %s",
                    lua_tostring(lua, lua_upvalueindex(1)));
}

int answer_zero(lua_State* lua) {
  lua_pushnumber(lua, 0);
  return 1;
}

// rawset would go around the protection.
int guarded_rawset(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  luaL_checkany(lua, 3);
  lua_settop(lua, 3);
  if (lua_getmetatable(lua, 1)) {
    lua_pushlightuserdata(lua, const_cast<char*>(&read_only_mark));
    lua_rawget(lua, -2);
    if (!lua_isnil(lua, -1)) {
      lua_pushliteral(lua, "Attempt to modify a readonly table");
      return lua_error(lua);
    }
    lua_settop(lua, 3);
  }
  lua_rawset(lua, 1);
  return 1;
}

// Redis 7 raises tables; its pcall gives scripts the text in them, as older versions did.
int pcall_with_text(lua_State* lua) {
  luaL_checkany(lua, 1);
  const bool ok = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0) == 0;
  if (!ok && lua_istable(lua, -1)) {
    lua_getfield(lua, -1, "err");
    lua_isstring(lua, -1) ? lua_replace(lua, -2) : lua_pop(lua, 1);
  }
  lua_pushboolean(lua, ok);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

int redis_error_reply(lua_State* lua) {
  if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
    push_error(lua, "wrong number or type of arguments");
    return 1;
  }
  const char* text = lua_tostring(lua, 1);
  if (text[0] != '-') {
    lua_pushliteral(lua, "-");
    lua_insert(lua, 1);
    lua_concat(lua, 2);
  }
  push_error(lua, lua_tostring(lua, 1));
  return 1;
}

int redis_status_reply(lua_State* lua) {
  if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
    push_error(lua, "wrong number or type of arguments");
    return 1;
  }
  lua_createtable(lua, 0, 1);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "ok");
  return 1;
}

void push_sha1(lua_State* lua) {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, 1, &size);
  const std::string sha1 =
      sha1_hex(text == nullptr ? std::string_view() : std::string_view{text, size});
  lua_pushlstring(lua, sha1.data(), sha1.size());
}

int redis_sha1hex(lua_State* lua) {
  if (lua_gettop(lua) == 1) return push_sha1(lua), 1;
  push_error(lua, "wrong number of arguments");
  return lua_error(lua);
}

int redis_log(lua_State* lua) {
  const int count = lua_gettop(lua);
  const char* problem = nullptr;
  if (count < 2) {
    problem = "redis.log() requires two arguments or more.";
  } else if (!lua_isnumber(lua, 1)) {
    problem = "First argument must be a number (log level).";
  } else if (lua_tonumber(lua, 1) < 0 || lua_tonumber(lua, 1) > 3) {
    problem = "Invalid debug level.";
  }
  if (problem == nullptr) return 0;
  push_error(lua, problem);
  return lua_error(lua);
}

int answer_true(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

int answer_nothing(lua_State*) { return 0; }

void open_library(lua_State* lua, const char* name, lua_CFunction open) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 0);
}

void set_unmodelled(lua_State* lua, int table, const char* field, const char* name) {
  lua_pushstring(lua, name);
  lua_pushcclosure(lua, refuse_unmodelled, 1);
  lua_setfield(lua, table, field);
}

void set_constant(lua_State* lua, const char* name, int value) {
  lua_pushnumber(lua, value);
  lua_setfield(lua, -2, name);
}

void set_hook(lua_State* lua, const char* name, lua_CFunction function, void* context) {
  lua_pushlightuserdata(lua, context);
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
}

void open_redis_table(lua_State* lua, const sandbox_hooks& hooks) {
  static const luaL_Reg functions[] = {
      {"error_reply", redis_error_reply},  {"status_reply", redis_status_reply},
      {"sha1hex", redis_sha1hex},          {"log", redis_log},
      {"replicate_commands", answer_true}, {"set_repl", answer_nothing},
      {"debug", answer_nothing},           {nullptr, nullptr}};
  lua_newtable(lua);
  luaL_register(lua, nullptr, functions);
  set_hook(lua, "call", hooks.call, hooks.context);
  set_hook(lua, "pcall", hooks.pcall, hooks.context);
  set_constant(lua, "LOG_DEBUG", 0);
  set_constant(lua, "LOG_VERBOSE", 1);
  set_constant(lua, "LOG_NOTICE", 2);
  set_constant(lua, "LOG_WARNING", 3);
  set_constant(lua, "REPL_NONE", 0);
  set_constant(lua, "REPL_AOF", 1);
  set_constant(lua, "REPL_SLAVE", 2);
  set_constant(lua, "REPL_REPLICA", 2);
  set_constant(lua, "REPL_ALL", 3);
  set_constant(lua, "REDIS_VERSION_NUM", 0x0007000f);
  lua_pushliteral(lua, "7.0.15");
  lua_setfield(lua, -2, "REDIS_VERSION");
  lua_setglobal(lua, "redis");
}

// Replaces the table on top by one that shows its contents and refuses writes. Stock Lua cannot
// lock a table as Redis' own copy can, so scripts only ever hold such a front.
void wrap_read_only(lua_State* lua) {
  lua_newtable(lua);
  lua_createtable(lua, 0, 4);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
  lua_pushlightuserdata(lua, const_cast<char*>(&read_only_mark));
  lua_pushboolean(lua, 1);
  lua_rawset(lua, -3);
  lua_setmetatable(lua, -2);
  lua_replace(lua, -2);
}

void replace_functions(lua_State* lua) {
  for (const char* name : {"dofile", "loadfile", "print"}) {
    lua_pushnil(lua);
    lua_setglobal(lua, name);
  }
  lua_register(lua, "pcall", pcall_with_text);
  lua_register(lua, "rawset", guarded_rawset);
  lua_register(lua, "collectgarbage", answer_zero);
  lua_register(lua, "gcinfo", answer_zero);
  set_unmodelled(lua, LUA_GLOBALSINDEX, "setfenv", "setfenv");
  set_unmodelled(lua, LUA_GLOBALSINDEX, "newproxy", "newproxy");
  lua_getglobal(lua, "math");
  set_unmodelled(lua, lua_gettop(lua), "random", "math.random");
  set_unmodelled(lua, lua_gettop(lua), "randomseed", "math.randomseed");
  lua_pop(lua, 1);
}

void protect_libraries(lua_State* lua) {
  for (const char* name : {"string", "table", "math", "coroutine", "redis"}) {
    lua_getglobal(lua, name);
    wrap_read_only(lua);
    lua_setglobal(lua, name);
  }
  // ("x"):upper() goes through the metatable of strings, which scripts could reach.
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_getglobal(lua, "string");
  lua_setfield(lua, -2, "__index");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 2);
}

}  // namespace

void open_sandbox(lua_State* lua, const sandbox_hooks& hooks) {
  open_library(lua, "", luaopen_base);
  open_library(lua, LUA_TABLIBNAME, luaopen_table);
  open_library(lua, LUA_STRLIBNAME, luaopen_string);
  open_library(lua, LUA_MATHLIBNAME, luaopen_math);
  replace_functions(lua);
  open_redis_table(lua, hooks);
  protect_libraries(lua);

  lua_pushvalue(lua, LUA_GLOBALSINDEX);
  lua_createtable(lua, 0, 1);
  lua_pushcfunction(lua, refuse_unknown_global);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_pushvalue(lua, -1);
  wrap_read_only(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "_G");
  lua_replace(lua, LUA_GLOBALSINDEX);
}

script_position find_position(lua_State* lua, int level, lua_Debug& info) {
  if (!lua_getstack(lua, level, &info)) return {};
  lua_getinfo(lua, "nSl", &info);
  if (std::string_view(info.what) == "C") {
    if (!lua_getstack(lua, level + 1, &info)) return {};
    lua_getinfo(lua, "nSl", &info);
  }
  return {info.source, info.currentline};
}

int note_error_position(lua_State* lua) {
  lua_Debug info;
  const script_position position = find_position(lua, 1, info);
  if (!lua_istable(lua, 1)) {
    lua_newtable(lua);
    lua_pushliteral(lua, "ERR ");
    const char* text = lua_tostring(lua, 1);
    lua_pushstring(lua, text == nullptr ? luaL_typename(lua, 1) : text);
    lua_concat(lua, 2);
    lua_setfield(lua, -2, "err");
    lua_replace(lua, 1);
  }
  lua_settop(lua, 1);
  if (position.source == nullptr) return 1;
  lua_pushstring(lua, position.source);
  lua_setfield(lua, 1, "source");
  lua_pushinteger(lua, position.line);
  lua_setfield(lua, 1, "line");
  return 1;
}

}  // namespace leaselab::sim::redis
