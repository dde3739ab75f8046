// For tests: the same commands on both engines, and what differs.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::sim::redis {

inline void describe(std::ostream& out, const reply& answer) {
  switch (answer.kind) {
    case reply_kind::nil:
      out << "nil";
      return;
    case reply_kind::integer:
      out << answer.integer;
      return;
    case reply_kind::array:
      out << "[";
      for (const reply& item : answer.items) describe(out << " ", item);
      out << " ]";
      return;
    case reply_kind::error:
    case reply_kind::status:
      out << (answer.kind == reply_kind::error ? "-" : "+");
      [[fallthrough]];
    case reply_kind::text:
      out << '"' << answer.text << '"';
  }
}

inline std::string describe(const reply& answer) {
  std::ostringstream out;
  describe(out, answer);
  return out.str();
}

inline std::string describe(const std::optional<stored>& item) {
  return item ? '"' + item->value + "\" until " + std::to_string(item->deadline_ms) : "none";
}

inline std::string describe(const command& request, std::int64_t now_ms) {
  std::string text = "at " + std::to_string(now_ms) + ": " + request.label();
  for (std::size_t i = request.lua == nullptr ? 1 : 0; i < request.words.size(); ++i) {
    text += " \"" + request.words[i] + '"';
  }
  return text;
}

struct twin_engines {
  model_engine model;
  server_engine server;

  void reset(std::int64_t now_ms) {
    model.reset(now_ms);
    server.reset(now_ms);
  }
  void load(const script& lua) {
    model.load(lua);
    server.load(lua);
  }
  // Empty, or what differs in the reply or, looked at afterwards, under `keys`.
  std::string compare(const command& request, std::int64_t now_ms,
                      const std::vector<std::string_view>& keys = {}) {
    const reply expected = server.execute_and_peek(request, keys, now_ms, server_after);
    const reply answer = model.execute_and_peek(request, keys, now_ms, model_after);
    const std::string what = describe(request, now_ms);
    if (answer != expected) {
      return what + "\n  server " + describe(expected) + "\n  model  " + describe(answer);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (model_after[i] == server_after[i]) continue;
      return what + "\n  leaves under " + std::string(keys[i]) + "\n  server " +
             describe(server_after[i]) + "\n  model  " + describe(model_after[i]);
    }
    return {};
  }

  std::vector<std::optional<stored>> model_after, server_after;
};

}  // namespace leaselab::sim::redis
