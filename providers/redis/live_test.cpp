// The live link against real servers that are killed, stopped, paused and flushed.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/strand.hpp>
#include <thread>

#include "providers/environment_asio.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/testing/contract_checks.hpp"
#include "providers/testing/live_run.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab::testing {
namespace {

using std::chrono::seconds;

const milliseconds ttl(60000);

struct caller {
  environment_asio environment;
  redis_provider provider;

  caller(live_run& run, environment_asio_options options)
      : environment(run.executor(), std::move(options)), provider(environment) {}
  caller(live_run& run, const std::string& url)
      : caller(run, environment_asio_options{.redis = url}) {}
};

std::string owner_of(result<std::optional<std::string>> answer) {
  if (!answer) return "(" + std::string(to_string(answer.error().code)) + ")";
  return answer->value_or("(none)");
}

std::string owner_now(live_run& run, caller& by) {
  return owner_of(run(by.provider.get_lease_owner("k")));
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

bool granted(const result<acquire_answer>& answer) { return answer && answer->acquired; }

// From now on commands that write are held by the server, so that they are under way.
void hold_writes(const redis_server& server) {
  EXPECT_EQ(server.ask({"CLIENT", "PAUSE", "600000", "WRITE"}).text, "OK");
}
void let_writes_go(const redis_server& server) { server.ask({"CLIENT", "UNPAUSE"}); }

// Calls until one gets through: after a restart the first ones may meet the old connection.
void until_it_answers(live_run& run, caller& by) {
  while (!run(by.provider.get_lease_owner("k"))) continue;
}

void expect_the_five_operations(const std::string& url) {
  live_run run;
  caller a(run, url);
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  const auto denied = run(a.provider.acquire_lease("k", "b", ttl));
  ASSERT_TRUE(denied);
  EXPECT_FALSE(denied->acquired);
  EXPECT_EQ(denied->owner, "a");
  EXPECT_TRUE(*run(a.provider.renew_lease("k", "a", ttl)));
  EXPECT_FALSE(*run(a.provider.renew_lease("k", "b", ttl)));
  EXPECT_TRUE(run(a.provider.transfer_lease("k", "a", "b", ttl))->moved);
  EXPECT_EQ(owner_now(run, a), "b");
  EXPECT_TRUE(run(a.provider.release_lease("k", "b")));
  EXPECT_EQ(owner_now(run, a), "(none)");
  EXPECT_EQ(a.environment.connection_attempts(), 1);
}

TEST(live, does_the_five_operations_over_both_sockets) {
  const redis_server server;
  expect_the_five_operations(server.unix_url());
  expect_the_five_operations(server.tcp_url());
  expect_the_five_operations("redis://localhost:" + std::to_string(server.port()) + "/3");
}

TEST(live, concurrent_first_calls_make_one_connection) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  std::vector<std::shared_ptr<started<result<acquire_answer>>>> calls;
  for (int i = 0; i < 50; ++i) {
    calls.push_back(run.start(a.provider.acquire_lease("k" + std::to_string(i), "a", ttl)));
  }
  for (const auto& call : calls) EXPECT_TRUE(granted(run.finish(call)));
  EXPECT_EQ(a.environment.connection_attempts(), 1);
}

TEST(live, a_flushed_script_cache_is_filled_again) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  server.ask({"SCRIPT", "FLUSH"});
  EXPECT_TRUE(*run(a.provider.renew_lease("k", "a", ttl)));
}

TEST(live, killed_in_mid_call_without_persistence) {
  redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  hold_writes(server);
  const auto call = run.start(a.provider.renew_lease("k", "a", ttl));
  run.settle();
  server.kill_hard();
  expect_ends(run.finish(call), outcome::info, errc::connection_lost);
  expect_ends(run(a.provider.renew_lease("k", "a", ttl)), outcome::fail, errc::connection_refused);
  server.start();
  until_it_answers(run, a);
  EXPECT_EQ(owner_now(run, a), "(none)");
  EXPECT_FALSE(*run(a.provider.renew_lease("k", "a", ttl)));
}

TEST(live, killed_in_mid_call_with_persistence) {
  redis_server server({.append_only = true});
  live_run run;
  caller a(run, server.tcp_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  hold_writes(server);
  const auto call = run.start(a.provider.transfer_lease("k", "a", "b", ttl));
  run.settle();
  server.kill_hard();
  expect_ends(run.finish(call), outcome::info, errc::connection_lost);
  server.start();
  until_it_answers(run, a);
  EXPECT_EQ(owner_now(run, a), "a");
  EXPECT_TRUE(*run(a.provider.renew_lease("k", "a", ttl)));
}

TEST(live, a_killed_client_connects_again) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  hold_writes(server);
  const auto call = run.start(a.provider.renew_lease("k", "a", ttl));
  run.settle();
  server.ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  expect_ends(run.finish(call), outcome::info, errc::connection_lost);
  let_writes_go(server);
  EXPECT_TRUE(*run(a.provider.renew_lease("k", "a", ttl)));
  EXPECT_EQ(a.environment.connection_attempts(), 2);
}

// The call's place stays on the connection: what comes later lands later, and its late reply is
// nobody else's.
TEST(live, what_follows_a_call_that_timed_out_lands_after_it) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_EQ(owner_now(run, a), "(none)");
  hold_writes(server);
  const call_options short_limit{.limit = milliseconds(50)};
  expect_ends(run(a.provider.acquire_lease("k", "a", ttl, short_limit)), outcome::info,
              errc::timed_out);
  const auto later = run.start(a.provider.acquire_lease("k", "b", ttl));
  const auto last = run.start(a.provider.get_lease_owner("k"));
  run.settle();
  let_writes_go(server);
  // NOSCRIPT answers nothing for sure about the first: it was EVALSHA of an unknown script.
  EXPECT_TRUE(granted(run.finish(later)));
  EXPECT_EQ(owner_of(run.finish(last)), "(none)") << "sent before the text that followed NOSCRIPT";
  EXPECT_EQ(owner_now(run, a), "b");
  EXPECT_EQ(a.environment.connection_attempts(), 1);
}

TEST(live, a_timed_out_acquire_may_still_land) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("other", "a", ttl))));
  hold_writes(server);
  const call_options short_limit{.limit = milliseconds(50)};
  expect_ends(run(a.provider.acquire_lease("k", "a", ttl, short_limit)), outcome::info,
              errc::timed_out);
  const auto later = run.start(a.provider.acquire_lease("k", "b", ttl));
  run.settle();
  let_writes_go(server);
  const auto denied = run.finish(later);
  ASSERT_TRUE(denied);
  EXPECT_FALSE(denied->acquired);
  EXPECT_EQ(denied->owner, "a");
}

TEST(live, an_evicted_lease_is_lost_and_a_full_server_refuses) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  server.ask({"CONFIG", "SET", "maxmemory", "1"});
  expect_ends(run(a.provider.acquire_lease("other", "a", ttl)), outcome::fail, errc::out_of_memory);
  EXPECT_EQ(owner_now(run, a), "a");
  server.ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-random"});
  EXPECT_EQ(owner_now(run, a), "(none)");
  server.ask({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_FALSE(*run(a.provider.renew_lease("k", "a", ttl)));
}

TEST(live, a_hung_server_holds_no_call_beyond_its_deadline) {
  redis_server server;
  live_run run;
  caller a(run, {.redis = server.unix_url(),
                 .connect_limit = milliseconds(100),
                 .silence_limit = milliseconds(150)});
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  server.stop();
  const call_options limit{.limit = milliseconds(100)};
  std::vector<std::shared_ptr<started<result<bool>>>> calls;
  for (int i = 0; i < 20; ++i)
    calls.push_back(run.start(a.provider.renew_lease("k", "a", ttl, limit)));
  for (const auto& call : calls) {
    expect_ends(run.finish(call), outcome::info, errc::timed_out);
  }
  // Silent for so long, the connection is given up; the next one comes about but never answers.
  for (auto ended = run(a.provider.renew_lease("k", "a", ttl, limit));;
       ended = run(a.provider.renew_lease("k", "a", ttl, limit))) {
    ASSERT_FALSE(ended);
    if (ended.error().kind == outcome::fail) break;
  }
  server.go_on();
  until_it_answers(run, a);
  EXPECT_EQ(owner_now(run, a), "a");
}

TEST(live, passwords_and_users) {
  const redis_server server(
      {.arguments = {"--requirepass", "se/cr@t", "--user", "alice", "on", ">pw", "~*", "+@all"}});
  const auto ended_with = [&](const std::string& login) {
    live_run run;
    caller a(run, "redis://" + login + "127.0.0.1:" + std::to_string(server.port()));
    const auto answer = run(a.provider.get_lease_owner("k"));
    if (answer) return std::string("ok");
    EXPECT_EQ(answer.error().kind, outcome::fail);
    return answer.error().text;
  };
  EXPECT_EQ(ended_with(":se%2Fcr%40t@"), "ok");
  EXPECT_EQ(ended_with("alice:pw@"), "ok");
  expect_contains(ended_with(":wrong@"), "WRONGPASS");
  expect_contains(ended_with("alice:wrong@"), "WRONGPASS");
  expect_contains(ended_with(""), "NOAUTH");
}

TEST(live, a_full_server_says_so) {
  const redis_server server({.arguments = {"--maxclients", "1"}});
  live_run run;
  caller a(run, server.unix_url());
  until_it_answers(run, a);
  caller b(run, server.unix_url());
  const auto refused = run(b.provider.get_lease_owner("k"));
  expect_ends(refused, outcome::fail, errc::connection_refused);
  expect_contains(refused.error().text, "max number of clients");
}

TEST(live, a_key_of_another_type_is_an_error) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  server.ask({"LPUSH", lease_key(provider_options{}.prefix, "k"), "x"});
  const auto ended = run(a.provider.acquire_lease("k", "a", ttl));
  expect_ends(ended, outcome::fail, errc::backend_error);
  expect_contains(ended.error().text, "WRONGTYPE");
}

TEST(live, close_lets_earlier_calls_end) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  EXPECT_TRUE(granted(run(a.provider.acquire_lease("k", "a", ttl))));
  EXPECT_TRUE(*run(a.provider.renew_lease("k", "a", ttl)));
  hold_writes(server);
  const auto earlier = run.start(a.provider.renew_lease("k", "a", ttl));
  run.settle();
  const auto closing = run.start(live_run::ends(a.environment.close()));
  run.settle();
  EXPECT_FALSE(closing->ended());
  expect_ends(run(a.provider.get_lease_owner("k")), outcome::fail, errc::closed);
  let_writes_go(server);
  EXPECT_TRUE(*run.finish(earlier));
  run.finish(closing);
  run.context.run();  // nothing is left, so it returns
}

TEST(live, what_is_under_way_when_the_environment_goes_is_told_so) {
  const redis_server server;
  live_run run;
  auto a = std::make_unique<environment_asio>(run.executor(),
                                              environment_asio_options{.redis = server.unix_url()});
  const auto soon = a->now() + seconds(60);
  EXPECT_TRUE(run(a->send({.words = {"PING"}}, soon)));
  const auto sent = run.start(a->send({.words = {"BLPOP", "nothing", "0"}}, soon));
  run.settle();
  a.reset();
  expect_ends(run.finish(sent), outcome::info, errc::connection_lost);
  run.context.run();
}

TEST(live, commands_that_claim_a_connection_are_refused) {
  const redis_server server;
  live_run run;
  caller a(run, server.unix_url());
  const auto soon = a.environment.now() + seconds(60);
  for (const char* name : {"SUBSCRIBE", "monitor", "MULTI"}) {
    expect_ends(run(a.environment.send({.words = {name, "x"}}, soon)), outcome::fail,
                errc::invalid_argument);
  }
  expect_ends(run(a.environment.send({.words = {"PING"}}, a.environment.now())), outcome::fail,
              errc::timed_out);
}

awaitable<int> renewals(redis_provider& provider, std::string key, int count) {
  int renewed = 0;
  if (!granted(co_await provider.acquire_lease(key, key, ttl))) co_return -1;
  for (int i = 0; i < count; ++i) {
    const auto answer = co_await provider.renew_lease(key, key, ttl);
    renewed += answer && *answer;
  }
  co_return renewed;
}

TEST(live, several_threads_share_a_few_connections) {
  const redis_server server;
  asio::io_context context;
  environment_asio environment(context.get_executor(),
                               {.redis = server.unix_url(), .connections = 3});
  redis_provider provider(environment);
  std::atomic<int> renewed = 0;
  std::atomic<int> open = 16;
  for (int i = 0; i < 16; ++i) {
    asio::co_spawn(asio::make_strand(context), renewals(provider, std::to_string(i), 200),
                   [&](std::exception_ptr, int count) {
                     renewed += count;
                     if (--open == 0) asio::co_spawn(context, environment.close(), asio::detached);
                   });
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { context.run(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(renewed, 16 * 200);
  EXPECT_EQ(environment.connection_attempts(), 3);
}

}  // namespace
}  // namespace leaselab::testing
