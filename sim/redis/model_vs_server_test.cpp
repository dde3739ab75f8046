// Explicit cases on both engines: the facts that the contract builds on, every sample script over
// several states, and each difference that the random search has found.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>

#include "sim/redis/differential.hpp"
#include "sim/redis/sample_scripts.hpp"

namespace leaselab::sim::redis {
namespace {

struct instant {
  std::int64_t now_ms;
  std::vector<std::string> words;
};

struct sequence {
  const char* about;
  std::vector<instant> commands;
};

const std::vector<sequence> cases = {
    {"alive at the deadline, gone in the next",
     {{0, {"SET", "k", "a", "PX", "100"}},
      {100, {"PTTL", "k"}},
      {100, {"GET", "k"}},
      {101, {"GET", "k"}}}},
    {"a look deletes, a clock set back revives only the unseen",
     {{0, {"SET", "k", "a", "PX", "100"}},
      {0, {"SET", "b", "a", "PX", "100"}},
      {101, {"EXISTS", "k"}},
      {50, {"EXISTS", "k", "b"}}}},
    {"the ends of the ttl",
     {{0, {"SET", "k", "a", "PX", "9007199254740991"}},
      {0, {"PTTL", "k"}},
      {0, {"SET", "k", "a", "PX", "9223372036854775807"}},
      {0, {"PEXPIRE", "k", "0"}},
      {0, {"SET", "k", "a", "PX", "0"}},
      {0, {"SET", "k", "a", "EX", "9223372036854775"}},
      {0, {"SET", "k", "a", "EX", "9223372036854776"}}}},
    {"a negative clock",
     {{-epoch_unix_ms - 100, {"SET", "k", "a", "PX", "100"}},
      {-epoch_unix_ms - 100, {"SET", "k", "a", "PX", "101"}},
      {-epoch_unix_ms - 100, {"PTTL", "k"}},
      {-epoch_unix_ms - 1, {"TIME"}},
      {-epoch_unix_ms + 1, {"GET", "k"}},
      {-epoch_unix_ms + 2, {"GET", "k"}}}},
    {"found: EXPIRETIME rounds the last deadlines of the range up, without wrapping",
     {{0, {"SET", "k", "a"}},
      {0, {"PEXPIREAT", "k", "9223372036854775807"}},
      {0, {"EXPIRETIME", "k"}},
      {0, {"TTL", "k"}}}},
    {"found: a deadline before 1970 never comes and is told as 0",
     {{-epoch_unix_ms - 2000, {"SET", "k", "a"}},
      {-epoch_unix_ms - 2000, {"EXPIREAT", "k", "-1"}},
      {-epoch_unix_ms - 2000, {"PEXPIRETIME", "k"}},
      {-epoch_unix_ms - 2000, {"PTTL", "k"}},
      {0, {"GET", "k"}}}},
    {"found: a deadline of -1 is told as none and persisted all the same",
     {{-epoch_unix_ms - 50, {"SET", "k", "a"}},
      {-epoch_unix_ms - 50, {"PEXPIREAT", "k", "-1"}},
      {-epoch_unix_ms - 50, {"PTTL", "k"}},
      {-epoch_unix_ms - 50, {"PEXPIREAT", "k", "-2", "XX"}},
      {-epoch_unix_ms - 50, {"PERSIST", "k"}},
      {-epoch_unix_ms - 50, {"PERSIST", "k"}}}},
    {"errors quote what was sent",
     {{0, {"NOSUCH", "a\r\nb", std::string(200, 'x'), "c"}},
      {0, {std::string(200, 'n')}},
      {0, {"GET"}},
      {0, {"SCRIPT"}},
      {0, {"SCRIPT", "nosuch"}},
      {0, {"SCRIPT", "LOAD"}},
      {0, {"PEXPIRE", "k", "1", "zz"}},
      {0, {"PEXPIRE", "k", "1", "NX", "GT"}},
      {0, {"PEXPIRE", "k", "1", "LT", "GT"}}}},
    {"a flush of the keys keeps the scripts, a flush of the scripts the keys",
     {{0, {"SET", "k", "a"}},
      {0, {"EVAL", "return 1", "0"}},
      {0, {"FLUSHALL"}},
      {0, {"EVALSHA", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "0"}},
      {0, {"SET", "k", "a"}},
      {0, {"SCRIPT", "FLUSH"}},
      {0, {"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}},
      {0, {"GET", "k"}}}},
    {"numbers of keys",
     {{0, {"EVAL", "return KEYS", "2", "a"}},
      {0, {"EVAL", "return KEYS", "-1", "a"}},
      {0, {"EVAL", "return KEYS", "x", "a"}},
      {0, {"EVAL", "return {KEYS, ARGV}", "2", "a", "b", "c"}},
      {0, {"EVALSHA", "short", "x"}}}},
};

const std::vector<std::string_view> looked_at = {"k", "b", "h"};

TEST(model_vs_server_table, agrees_case_by_case) {
  twin_engines engines;
  for (const sequence& one : cases) {
    engines.reset(0);
    for (const instant& at : one.commands) {
      command request;
      request.words.assign(at.words.begin(), at.words.end());
      EXPECT_EQ(engines.compare(request, at.now_ms), "") << one.about;
    }
    EXPECT_EQ(engines.compare({.words = {"PING"}}, one.commands.back().now_ms, looked_at), "")
        << one.about;
  }
}

TEST(model_vs_server_table, agrees_on_every_sample_script) {
  twin_engines engines;
  const std::vector<std::vector<std::string>> calls = {
      {"k", "x", "100"}, {"k", "", "0"},  {"k", "5", "-1"},    {"k"},
      {"b", "x", "100"}, {"k", "a\nb"},   {"k", "-CODE text"}, {"h", "owner-1", "abc", "7"},
      {"n", "x", "100"}, {"k", "a\r\n "}, {"k", "{}"},         {"n", "9223372036854775807"}};
  for (const script& lua : sample_scripts()) {
    for (const auto& words : calls) {
      engines.reset(0);
      engines.compare({.words = {"HSET", "h", "f", "v"}}, 0);
      engines.compare({.words = {"SET", "k", "x", "PX", "50"}}, 0);
      engines.compare({.words = {"SET", "n", "5"}}, 0);
      command request;
      request.words.assign(words.begin(), words.end());
      request.lua = &lua;
      request.by_text = true;
      EXPECT_EQ(engines.compare(request, 10, looked_at), "") << lua.text;
    }
  }
}

// The world's faults leave the same store.
TEST(model_vs_server_table, agrees_on_faults_and_scripts_of_a_world) {
  twin_engines engines;
  const script& acquire = sample_scripts()[0];
  command request;
  request.lua = &acquire;
  request.words = {"k", "a", "100"};
  for (const bool loaded : {false, true, false, true}) {
    engines.reset(0);
    if (loaded) engines.load(acquire);
    EXPECT_EQ(engines.compare(request, 0, looked_at), "");
    engines.compare({.words = {"SET", "k", "a", "PX", "100"}}, 0);
    for (engine* one :
         {static_cast<engine*>(&engines.model), static_cast<engine*>(&engines.server)}) {
      one->overwrite("k", "foreign");
      one->overwrite("b", "foreign");
      one->erase("h");
      one->flush_scripts();
    }
    EXPECT_EQ(engines.compare(request, 1, looked_at), "");
    engines.load(acquire);
    EXPECT_EQ(engines.compare(request, 1, looked_at), "");
    engines.compare({.words = {"SCRIPT", "FLUSH"}}, 1);
    EXPECT_EQ(engines.compare(request, 1), "");
  }
}

TEST(server_engine, leaves_nothing_behind) {
  std::filesystem::path directory;
  pid_t process = 0;
  {
    server_engine server;
    directory = std::filesystem::path(server.socket_path()).parent_path();
    process = server.process_id();
    EXPECT_TRUE(std::filesystem::exists(directory));
  }
  EXPECT_FALSE(std::filesystem::exists(directory));
  EXPECT_EQ(::kill(process, 0), -1);
}

TEST(server_engine, says_why_it_cannot_start) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  try {
    server_engine server;
    ADD_FAILURE() << "started";
  } catch (const server_failed& failure) {
    EXPECT_NE(std::string(failure.what()).find("no redis-server in PATH"), std::string::npos);
  }
  ::setenv("PATH", path.c_str(), 1);
}

TEST(server_engine, says_that_its_server_is_gone) {
  server_engine server;
  server.reset(0);
  // Gone for certain before the next write, which meets a closed socket: that is SIGPIPE's case.
  ::kill(server.process_id(), SIGKILL);
  siginfo_t ended;
  ::waitid(P_PID, static_cast<id_t>(server.process_id()), &ended, WEXITED | WNOWAIT);
  try {
    server.execute({.words = {"PING"}}, 0);
    ADD_FAILURE() << "answered";
  } catch (const server_failed& failure) {
    EXPECT_NE(std::string(failure.what()).find("its log"), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace leaselab::sim::redis
