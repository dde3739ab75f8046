#include "sim/redis/script_cache.hpp"

#include "sim/redis/commands.hpp"

namespace leaselab::sim::redis {

compiled_script* script_cache::find_compiled(std::string_view sha1) {
  const auto at = by_sha1_.find(sha1);
  return at == by_sha1_.end() ? nullptr : &at->second;
}

compiled_script* script_cache::find_compiled(const script& lua) {
  shortcut& slot = shortcuts_[(reinterpret_cast<std::uintptr_t>(&lua) / 32) % shortcuts_.size()];
  // The SHA-1 is compared too: another script may live where an earlier one did.
  if (slot.lua == &lua && slot.compiled->sha1 == lua.sha1) return slot.compiled;
  compiled_script* compiled = find_compiled(lua.sha1);
  if (compiled != nullptr) slot = {&lua, compiled};
  return compiled;
}

compiled_script* script_cache::find(std::string_view sha1) { return known(find_compiled(sha1)); }

compiled_script* script_cache::find(const script& lua) { return known(find_compiled(lua)); }

compiled_script* script_cache::load(const script& lua, reply& out) {
  if (compiled_script* compiled = find_compiled(lua)) {
    compiled->known_in = generation_;
    return compiled;
  }
  return load(lua.sha1, lua.text, out);
}

compiled_script* script_cache::load(std::string_view sha1, std::string_view text, reply& out) {
  compiled_script* compiled = find_compiled(sha1);
  if (compiled == nullptr) {
    compiled_script fresh;
    std::string error;
    if (!runtime_.compile(text, fresh, error)) {
      answer_error(out, "Error compiling script (new function): " + error);
      return nullptr;
    }
    fresh.sha1 = sha1;
    compiled = &by_sha1_.emplace(sha1, std::move(fresh)).first->second;
  }
  compiled->known_in = generation_;
  return compiled;
}

}  // namespace leaselab::sim::redis
