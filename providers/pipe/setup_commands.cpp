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

[[noreturn]] void refuse(std::string_view name, std::string_view advice) {
  throw std::runtime_error(fmt::format("{} is not carried: {}", name, advice));
}

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
  if (what == "TRACKING" || what == "CACHING" || what == "TRACKINGINFO" || what == "GETREDIR")
    refuse("CLIENT " + what, "nothing is said here before it is asked for: no client-side caching");
  if (what == "REPLY" || what == "PAUSE" || what == "UNPAUSE" || what == "KILL")
    refuse("CLIENT " + what, "faults are the harness's, and each command has its reply");
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
  refuse("CONFIG " + word(asked, 1), "how the server is set up is the harness's");
}

constexpr std::string_view no_messages =
    "what is published reaches nobody here; have the client wait by BLPOP, or ask again";
constexpr std::string_view no_watching = "say it in one script (EVAL), or from MULTI to EXEC alone";
constexpr std::string_view no_running =
    "it is for whoever runs the server, and that is the harness";

struct refused_command {
  std::string_view name, advice;
};
constexpr auto refused = std::to_array<refused_command>({
    {"SUBSCRIBE", no_messages},
    {"UNSUBSCRIBE", no_messages},
    {"PSUBSCRIBE", no_messages},
    {"SSUBSCRIBE", no_messages},
    {"PUNSUBSCRIBE", no_messages},
    {"SUNSUBSCRIBE", no_messages},
    {"WATCH", no_watching},
    {"UNWATCH", no_watching},
    {"MONITOR", no_running},
    {"SYNC", no_running},
    {"PSYNC", no_running},
    {"SHUTDOWN", no_running},
    {"DEBUG", no_running},
    {"FAILOVER", no_running},
    {"RESET", no_running},
    {"REPLICAOF", no_running},
    {"SLAVEOF", no_running},
    {"WAITAOF", no_running},
});

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
  const auto known = std::ranges::find(refused, name, &refused_command::name);
  if (known != refused.end()) refuse(name, known->advice);
  return std::nullopt;
}

}  // namespace leaselab::pipe
