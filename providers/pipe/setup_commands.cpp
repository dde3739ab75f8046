#include "providers/pipe/setup_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace leaselab::pipe {
namespace {

reply text(std::string value) { return {reply_kind::text, 0, std::move(value), {}}; }
reply status(std::string value) { return {reply_kind::status, 0, std::move(value), {}}; }
reply error(std::string value) { return {reply_kind::error, 0, std::move(value), {}}; }
reply number(std::int64_t value) { return {reply_kind::integer, value, {}, {}}; }
reply list(std::vector<reply> items) { return {reply_kind::array, 0, {}, std::move(items)}; }

constexpr const char* version = "7.0.15";

std::string word(const request& asked, std::size_t index) {
  return index < asked.size() ? in_capitals(asked[index]) : std::string();
}

reply hello(const request& asked) {
  if (asked.size() > 1 && asked[1] != "2") return error("NOPROTO unsupported protocol version");
  return list({text("server"), text("redis"), text("version"), text(version), text("proto"),
               number(2), text("id"), number(1), text("mode"), text("standalone"), text("role"),
               text("master"), text("modules"), list({})});
}

reply info() {
  return text(
      fmt::format("# Server\r\nredis_version:{}\r\nredis_mode:standalone\r\n"
                  "# Persistence\r\nloading:0\r\n# Replication\r\nrole:master\r\n"
                  "connected_slaves:0\r\n# Cluster\r\ncluster_enabled:0\r\n",
                  version));
}

reply client(const request& asked) {
  const auto what = word(asked, 1);
  if (what == "ID") return number(1);
  if (what == "GETNAME") return text("");
  if (what == "INFO" || what == "LIST") return text("id=1 name= db=0\n");
  if (what == "TRACKING" || what == "REPLY" || what == "PAUSE" || what == "KILL")
    throw std::runtime_error(fmt::format("CLIENT {} is not carried", what));
  return status("OK");
}

reply select(const request& asked) {
  if (asked.size() == 2 && asked[1] == "0") return status("OK");
  return error("ERR DB index is out of range");
}

reply command_table(const request& asked) {
  if (word(asked, 1) == "COUNT") return number(0);
  return list({});
}

reply config(const request& asked) {
  if (word(asked, 1) == "GET") return list({});
  throw std::runtime_error("CONFIG " + word(asked, 1) + " is not carried");
}

// They wait, answer more than once, look at what others do between, or end the world.
constexpr std::array<std::string_view, 28> refused = {
    "SUBSCRIBE",  "UNSUBSCRIBE", "PSUBSCRIBE", "PUNSUBSCRIBE", "SSUBSCRIBE", "SUNSUBSCRIBE",
    "MONITOR",    "SYNC",        "PSYNC",      "BLPOP",        "BRPOP",      "BRPOPLPUSH",
    "BLMOVE",     "BLMPOP",      "BZPOPMIN",   "BZPOPMAX",     "BZMPOP",     "XREAD",
    "XREADGROUP", "WAIT",        "WAITAOF",    "WATCH",        "UNWATCH",    "SHUTDOWN",
    "DEBUG",      "FAILOVER",    "RESET",      "REPLICAOF"};

}  // namespace

std::optional<reply> setup_answer(const request& asked) {
  const auto name = word(asked, 0);
  if (name == "HELLO") return hello(asked);
  if (name == "CLIENT") return client(asked);
  if (name == "AUTH" || name == "READONLY" || name == "READWRITE" || name == "QUIT")
    return status("OK");
  if (name == "SELECT") return select(asked);
  if (name == "INFO") return info();
  if (name == "PING") return asked.size() > 1 ? text(asked[1]) : status("PONG");
  if (name == "COMMAND") return command_table(asked);
  if (name == "CONFIG") return config(asked);
  if (std::ranges::find(refused, name) != refused.end())
    throw std::runtime_error(name + " is not carried");
  return std::nullopt;
}

}  // namespace leaselab::pipe
