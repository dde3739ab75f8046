// The scripts of one engine. Compiled once for the life of the interpreter; known to the server
// only from loading to the next flush or world.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "providers/command.hpp"
#include "sim/redis/lua_runtime.hpp"

namespace leaselab::sim::redis {

class script_cache {
 public:
  explicit script_cache(lua_runtime& runtime) : runtime_(runtime) {}

  void flush() { ++generation_; }
  // Null: not known. `sha1` in lower case.
  compiled_script* find(std::string_view sha1);
  compiled_script* find(const script& lua);
  // Compiles where needed and makes known. Null: the error is answered.
  compiled_script* load(const script& lua, reply& out);
  compiled_script* load(std::string_view sha1, std::string_view text, reply& out);

 private:
  // Whether known or not.
  compiled_script* find_compiled(std::string_view sha1);
  compiled_script* find_compiled(const script& lua);
  compiled_script* known(compiled_script* script) const {
    return script != nullptr && script->known_in == generation_ ? script : nullptr;
  }

  struct shortcut {
    const script* lua = nullptr;
    compiled_script* compiled = nullptr;
  };

  lua_runtime& runtime_;
  std::uint64_t generation_ = 1;
  std::map<std::string, compiled_script, std::less<>> by_sha1_;
  // By the address of the script: commands name theirs by pointer, always the same few.
  std::array<shortcut, 64> shortcuts_;
};

}  // namespace leaselab::sim::redis
