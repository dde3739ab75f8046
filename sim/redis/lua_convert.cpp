#include "sim/redis/lua_convert.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sim/redis/commands.hpp"

namespace leaselab::sim::redis {
namespace {

// What the server's cast gives on x86: the smallest integer for all that does not fit.
std::int64_t truncate(double number) {
  constexpr double limit = 9223372036854775808.0;
  if (!(number >= -limit && number < limit)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

std::string_view top_text(lua_State* lua) {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, -1, &size);
  return {text, size};
}

// Up to the first zero byte: where the server handles a text as a C string.
std::string_view c_text(std::string_view text) { return text.substr(0, text.find('\0')); }

std::string_view trim_line_ends(std::string_view text) {
  const auto first = text.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of("\r\n") - first + 1);
}

void push_field(lua_State* lua, const char* name, std::string_view value) {
  lua_createtable(lua, 0, 1);
  lua_pushlstring(lua, value.data(), value.size());
  lua_setfield(lua, -2, name);
}

// Pushes table[name] of the table on top; true if it is of that type, else pops it again.
bool push_if(lua_State* lua, const char* name, int type) {
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  if (lua_type(lua, -1) == type) return true;
  lua_pop(lua, 1);
  return false;
}

bool table_as_single(lua_State* lua, reply& out) {
  if (push_if(lua, "err", LUA_TSTRING)) {
    // The server trims "-text": line ends in front stay, behind the dash.
    std::string_view text = c_text(top_text(lua));
    text = text.substr(0, text.find_last_not_of("\r\n") + 1);
    answer_coded_error(out, text);
  } else if (push_if(lua, "ok", LUA_TSTRING)) {
    answer_status(out, c_text(top_text(lua)));
  } else if (push_if(lua, "double", LUA_TNUMBER)) {
    char buffer[number_text_size];
    answer_text(out, number_text(lua_tonumber(lua, -1), buffer));
  } else {
    return false;
  }
  lua_pop(lua, 1);
  return true;
}

void table_as_array(lua_State* lua, reply& out) {
  answer_nil(out);
  out.kind = reply_kind::array;
  for (int i = 1;; ++i) {
    lua_rawgeti(lua, -1, i);
    if (lua_isnil(lua, -1)) break;
    pop_reply(lua, out.items.emplace_back());
  }
  lua_pop(lua, 1);
}

}  // namespace

void push_reply(lua_State* lua, const reply& answer) {
  luaL_checkstack(lua, 4, "reply");
  switch (answer.kind) {
    case reply_kind::nil:
      return lua_pushboolean(lua, 0);
    case reply_kind::integer:
      return lua_pushnumber(lua, static_cast<lua_Number>(answer.integer));
    case reply_kind::text:
      return lua_pushlstring(lua, answer.text.data(), answer.text.size());
    case reply_kind::status:
      return push_field(lua, "ok", answer.text);
    case reply_kind::error:
      push_field(lua, "err", answer.text);
      lua_pushboolean(lua, 1);
      return lua_setfield(lua, -2, "ignore_error_stats_update");
    case reply_kind::array:
      lua_createtable(lua, static_cast<int>(answer.items.size()), 0);
      for (std::size_t i = 0; i < answer.items.size(); ++i) {
        push_reply(lua, answer.items[i]);
        lua_rawseti(lua, -2, static_cast<int>(i + 1));
      }
  }
}

std::string error_text(std::string_view text) {
  text = c_text(text);
  std::string_view code = "ERR";
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
    if (const auto space = text.find(' '); space != std::string_view::npos) {
      code = text.substr(0, space);
      text.remove_prefix(space + 1);
    }
  }
  std::string whole(code);
  whole += ' ';
  whole += trim_line_ends(text);
  return whole;
}

void push_error(lua_State* lua, std::string_view text) { push_field(lua, "err", error_text(text)); }

void pop_reply(lua_State* lua, reply& out) {
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING:
      answer_text(out, top_text(lua));
      break;
    case LUA_TBOOLEAN:
      lua_toboolean(lua, -1) ? answer_integer(out, 1) : answer_nil(out);
      break;
    case LUA_TNUMBER:
      answer_integer(out, truncate(lua_tonumber(lua, -1)));
      break;
    case LUA_TTABLE:
      if (!lua_checkstack(lua, 4)) {
        answer_error(out, "reached lua stack limit");
      } else if (!table_as_single(lua, out)) {
        table_as_array(lua, out);
      }
      break;
    default:
      answer_nil(out);
  }
  lua_pop(lua, 1);
}

std::string_view number_text(double number, char* buffer) {
  // Whole numbers below 2^53, all that scripts send in practice, print the same this way, faster.
  const auto whole = truncate(number);
  if (std::abs(number) < 9007199254740992.0 && static_cast<double>(whole) == number &&
      !(whole == 0 && std::signbit(number))) {
    const auto [end, error] = std::to_chars(buffer, buffer + number_text_size, whole);
    return {buffer, static_cast<std::size_t>(end - buffer)};
  }
  const int size = std::snprintf(buffer, number_text_size, "%.17g", number);
  return {buffer, static_cast<std::size_t>(size)};
}

}  // namespace leaselab::sim::redis
