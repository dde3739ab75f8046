// Values between Lua and Redis, by the rules of redis-server 7.0 (RESP2).
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

#include "providers/command.hpp"

namespace leaselab::sim::redis {

// Pushes what redis.call gives for `answer`: nil becomes false, a status {ok = ...}, an error
// {err = ...}.
void push_reply(lua_State* lua, const reply& answer);

// Pushes {err = ...} as redis.pcall gives it: "-CODE text" keeps its code, anything else gets ERR.
void push_error(lua_State* lua, std::string_view text);
// The text in that table.
std::string error_text(std::string_view text);

// Pops the value on top and answers it: numbers lose their fraction, false is nil, arrays end at
// their first nil. Tables are read raw, their metatables do not count.
void pop_reply(lua_State* lua, reply& out);

// A number as redis.call sends it, "%.17g", written to number_text_size bytes at `buffer`.
inline constexpr std::size_t number_text_size = 32;
std::string_view number_text(double number, char* buffer);

}  // namespace leaselab::sim::redis
