// One Lua interpreter: compiles scripts and runs them, whole or one redis.call at a time.
#pragma once

#include <lua.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/command.hpp"
#include "sim/redis/lua_heap.hpp"

namespace leaselab::sim::redis {

// What executes the commands of a script.
class script_host {
 public:
  virtual ~script_host() = default;
  // Answers what redis.call gets; what the server would refuse inside a script is an error, too.
  virtual void call_from_script(std::span<const std::string_view> words, reply& out) = 0;
};

struct compiled_script {
  std::string sha1;
  int function = 0;            // reference in the interpreter
  std::uint64_t known_in = 0;  // the engine's script generation that knows it
};

// KEYS and ARGV: the first `key_count` words are keys.
struct script_words {
  std::span<const std::string> words;
  std::size_t key_count = 0;
};

// A script between two redis.calls.
struct suspended_script {
  const compiled_script* script = nullptr;
  lua_State* thread = nullptr;
  int thread_reference = LUA_NOREF;
  int keys_reference = LUA_NOREF;
  int arguments_reference = LUA_NOREF;
  bool raises = false;  // the pending call is redis.call, not redis.pcall
  bool done = false;
  reply result;
};

class lua_runtime {
 public:
  explicit lua_runtime(script_host& host);
  lua_runtime(const lua_runtime&) = delete;
  lua_runtime& operator=(const lua_runtime&) = delete;

  // Fills script.function. False: it does not compile, `error` says why, in Lua's words.
  bool compile(std::string_view text, compiled_script& script, std::string& error);
  // From start to end at one instant.
  void run(const compiled_script& script, const script_words& words, reply& out);

  // Runs up to the first redis.call, which is then pending, or to the end. A call inside a Lua
  // pcall, a callback of the string and table libraries or a coroutine of the script's own is no
  // boundary: stock Lua cannot be left there.
  void start(const compiled_script& script, const script_words& words, suspended_script& run);
  // The words of the pending call as Lua holds them, for labels; valid until `advance`.
  std::span<const std::string_view> pending_words(suspended_script& run);
  // Executes the pending call and runs on to the next, or to the end.
  void advance(suspended_script& run);
  void discard(suspended_script& run);

 private:
  static int redis_call(lua_State* lua);
  static int redis_pcall(lua_State* lua);
  int call(lua_State* lua, bool raises);
  // The words of a call from the stack of `lua`. Null, or what is wrong with them.
  const char* collect_words(lua_State* lua);
  bool may_suspend(lua_State* lua) const;
  void push_strings(std::span<const std::string> words);
  void set_globals_from_stack();
  void resume(suspended_script& run, int arguments);
  void answer_failure(lua_State* lua, const compiled_script& script, reply& out);

  struct closer {
    void operator()(lua_State* lua) const { lua_close(lua); }
  };

  script_host& host_;
  lua_heap heap_;
  std::unique_ptr<lua_State, closer> state_;
  suspended_script* splitting_ = nullptr;  // the run whose calls suspend it
  // Reused by every call. Nothing here may live on the stack of a function that Lua leaves by
  // longjmp.
  std::vector<std::string_view> words_;
  std::vector<std::unique_ptr<char[]>> number_texts_;
  reply answer_;
};

}  // namespace leaselab::sim::redis
