#include "sim/redis/lua_runtime.hpp"

#include <boost/assert.hpp>

#include "sim/redis/commands.hpp"
#include "sim/redis/lua_convert.hpp"
#include "sim/redis/lua_sandbox.hpp"

namespace leaselab::sim::redis {
namespace {

// The bottom of the main stack, there for good.
constexpr int handler_index = 1;
constexpr int keys_name_index = 2;
constexpr int arguments_name_index = 3;
constexpr int globals_index = 4;

// A server would call such a script busy and let an operator kill it.
constexpr int instruction_limit = 100'000'000;

void stop_runaway(lua_State* lua, lua_Debug*) { luaL_error(lua, "script ran too long"); }

lua_runtime* runtime_of(lua_State* lua) {
  return static_cast<lua_runtime*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

}  // namespace

lua_runtime::lua_runtime(script_host& host)
    : host_(host), state_(lua_newstate(lua_heap::reallocate, &heap_)) {
  BOOST_ASSERT(state_ != nullptr);
  lua_State* lua = state_.get();
  lua_pushcfunction(lua, note_error_position);
  lua_pushliteral(lua, "KEYS");
  lua_pushliteral(lua, "ARGV");
  open_sandbox(lua, {redis_call, redis_pcall, this});
  BOOST_ASSERT(lua_gettop(lua) == globals_index);
  // The live heap is small and constant: collecting at four times of it costs little memory and
  // a tenth of the time.
  lua_gc(lua, LUA_GCCOLLECT, 0);
  lua_gc(lua, LUA_GCSETPAUSE, 1000);
}

bool lua_runtime::compile(std::string_view text, compiled_script& script, std::string& error) {
  lua_State* lua = state_.get();
  if (luaL_loadbuffer(lua, text.data(), text.size(), "@user_script") != 0) {
    error = lua_tostring(lua, -1);
    lua_pop(lua, 1);
    return false;
  }
  script.function = luaL_ref(lua, LUA_REGISTRYINDEX);
  return true;
}

void lua_runtime::push_strings(std::span<const std::string> words) {
  lua_State* lua = state_.get();
  lua_createtable(lua, static_cast<int>(words.size()), 0);
  int index = 0;
  for (const std::string& word : words) {
    lua_pushlstring(lua, word.data(), word.size());
    lua_rawseti(lua, -2, ++index);
  }
}

// Pops ARGV and KEYS.
void lua_runtime::set_globals_from_stack() {
  lua_State* lua = state_.get();
  lua_pushvalue(lua, arguments_name_index);
  lua_insert(lua, -2);
  lua_rawset(lua, globals_index);
  lua_pushvalue(lua, keys_name_index);
  lua_insert(lua, -2);
  lua_rawset(lua, globals_index);
}

void lua_runtime::run(const compiled_script& script, const script_words& words, reply& out) {
  lua_State* lua = state_.get();
  push_strings(words.words.first(words.key_count));
  push_strings(words.words.subspan(words.key_count));
  set_globals_from_stack();
  lua_sethook(lua, stop_runaway, LUA_MASKCOUNT, instruction_limit);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.function);
  if (lua_pcall(lua, 0, 1, handler_index) == 0) {
    pop_reply(lua, out);
  } else {
    answer_failure(lua, script, out);
  }
  lua_settop(lua, globals_index);
}

// Of the error value on top of `lua`.
void lua_runtime::answer_failure(lua_State* lua, const compiled_script& script, reply& out) {
  if (!lua_istable(lua, -1)) {
    const char* text = lua_tostring(lua, -1);
    return answer_error(out, "Error running script " + script.sha1 + ", " +
                                 (text == nullptr ? "execution failure" : text));
  }
  const auto field = [&](const char* name) {
    lua_getfield(lua, -1, name);
    const char* text = lua_isstring(lua, -1) ? lua_tostring(lua, -1) : nullptr;
    std::string copy = text == nullptr ? "" : text;
    lua_pop(lua, 1);
    return copy;
  };
  std::string whole = field("err");
  if (whole.empty()) whole = "ERR unknown error";
  const std::string line = field("line");
  const std::string source = field("source");
  if (!line.empty() && !source.empty()) {
    whole += " script: " + script.sha1 + ", on " + source + ":" + line + ".";
  }
  answer_coded_error(out, whole);
}

int lua_runtime::redis_call(lua_State* lua) { return runtime_of(lua)->call(lua, true); }

int lua_runtime::redis_pcall(lua_State* lua) { return runtime_of(lua)->call(lua, false); }

int lua_runtime::call(lua_State* lua, bool raises) {
  if (splitting_ != nullptr && may_suspend(lua)) {
    splitting_->raises = raises;
    return lua_yield(lua, lua_gettop(lua));
  }
  if (const char* problem = collect_words(lua)) {
    push_error(lua, problem);
    return raises ? lua_error(lua) : 1;
  }
  host_.call_from_script(words_, answer_);
  push_reply(lua, answer_);
  return raises && answer_.kind == reply_kind::error ? lua_error(lua) : 1;
}

const char* lua_runtime::collect_words(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count == 0) return "Please specify at least one argument for this redis lib call";
  words_.clear();
  for (int i = 1; i <= count; ++i) {
    if (lua_type(lua, i) == LUA_TNUMBER) {
      // Not lua_tolstring: it keeps only 14 digits, and replaces the script's value.
      const auto slot = static_cast<std::size_t>(i - 1);
      while (number_texts_.size() <= slot) {
        number_texts_.push_back(std::make_unique<char[]>(number_text_size));
      }
      words_.push_back(number_text(lua_tonumber(lua, i), number_texts_[slot].get()));
    } else if (lua_type(lua, i) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, i, &size);
      words_.emplace_back(text, size);
    } else {
      return "Lua redis lib command arguments must be strings or integers";
    }
  }
  return nullptr;
}

bool lua_runtime::may_suspend(lua_State* lua) const {
  if (lua != splitting_->thread) return false;
  lua_Debug info;
  for (int level = 1; lua_getstack(lua, level, &info); ++level) {
    lua_getinfo(lua, "S", &info);
    if (std::string_view(info.what) == "C") return false;
  }
  return true;
}

void lua_runtime::start(const compiled_script& script, const script_words& words,
                        suspended_script& run) {
  lua_State* lua = state_.get();
  run.script = &script;
  push_strings(words.words.first(words.key_count));
  run.keys_reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_strings(words.words.subspan(words.key_count));
  run.arguments_reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  run.thread = lua_newthread(lua);
  run.thread_reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_rawgeti(run.thread, LUA_REGISTRYINDEX, script.function);
  resume(run, 0);
}

void lua_runtime::resume(suspended_script& run, int arguments) {
  lua_State* lua = state_.get();
  // Other scripts ran in between and left their own KEYS and ARGV.
  lua_rawgeti(lua, LUA_REGISTRYINDEX, run.keys_reference);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, run.arguments_reference);
  set_globals_from_stack();
  lua_sethook(run.thread, stop_runaway, LUA_MASKCOUNT, instruction_limit);
  splitting_ = &run;
  const int status = lua_resume(run.thread, arguments);
  splitting_ = nullptr;
  if (status == LUA_YIELD) return;
  run.done = true;
  if (status == 0) {
    lua_settop(run.thread, 1);  // the one value that a script returns
    return pop_reply(run.thread, run.result);
  }
  // The stack of a failed thread still stands as it was at the error.
  lua_Debug info;
  const script_position position = find_position(run.thread, 0, info);
  lua_pushcfunction(lua, note_error_position);
  lua_xmove(run.thread, lua, 1);
  lua_call(lua, 1, 1);
  if (position.source != nullptr) {
    lua_pushstring(lua, position.source);
    lua_setfield(lua, -2, "source");
    lua_pushinteger(lua, position.line);
    lua_setfield(lua, -2, "line");
  }
  answer_failure(lua, *run.script, run.result);
  lua_settop(lua, globals_index);
}

std::span<const std::string_view> lua_runtime::pending_words(suspended_script& run) {
  if (run.done || collect_words(run.thread) != nullptr) return {};
  return words_;
}

void lua_runtime::advance(suspended_script& run) {
  BOOST_ASSERT(!run.done);
  if (const char* problem = collect_words(run.thread)) {
    answer_coded_error(answer_, error_text(problem));
  } else {
    host_.call_from_script(words_, answer_);
  }
  if (answer_.kind == reply_kind::error && run.raises) {
    // No pcall stands around a call that suspends, so its error is the script's.
    lua_Debug info;
    const script_position position = find_position(run.thread, 1, info);
    run.done = true;
    return answer_coded_error(run.result, answer_.text + " script: " + run.script->sha1 + ", on " +
                                              position.source + ":" +
                                              std::to_string(position.line) + ".");
  }
  lua_settop(run.thread, 0);
  push_reply(run.thread, answer_);
  resume(run, 1);
}

void lua_runtime::discard(suspended_script& run) {
  for (int* reference : {&run.thread_reference, &run.keys_reference, &run.arguments_reference}) {
    luaL_unref(state_.get(), LUA_REGISTRYINDEX, *reference);
    *reference = LUA_NOREF;
  }
  run.thread = nullptr;
}

}  // namespace leaselab::sim::redis
