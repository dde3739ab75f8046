// The live link against what is no Redis, no longer one, or not yet: one clear line, no hang.
#include <gtest/gtest.h>

#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <stdexcept>

#include "providers/environment_asio.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/redis_url.hpp"
#include "providers/testing/contract_checks.hpp"
#include "providers/testing/live_run.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab::testing {
namespace {

using tcp = asio::ip::tcp;

// Answers what it is sent, once for each packet, with the next of `answers`; then is silent.
class odd_server {
 public:
  odd_server(live_run& run, std::deque<std::string> answers)
      : answers_(std::move(answers)),
        acceptor_(run.context, {asio::ip::make_address("127.0.0.1"), 0}) {
    asio::co_spawn(run.context, serve(), asio::detached);
  }
  ~odd_server() { acceptor_.close(); }

  std::string url() const {
    return "redis://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }

 private:
  // Ends by an exception when the peer or the test goes, which `detached` swallows.
  awaitable<void> serve() {
    tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
    std::string part(4096, '\0');
    for (;;) {
      co_await socket.async_read_some(asio::buffer(part), asio::use_awaitable);
      if (answers_.empty()) continue;
      const std::string answer = std::move(answers_.front());
      answers_.pop_front();
      co_await asio::async_write(socket, asio::buffer(answer), asio::use_awaitable);
    }
  }

  std::deque<std::string> answers_;
  tcp::acceptor acceptor_;
};

struct outcome_of_get {
  outcome kind;
  errc code;
  std::string text;
};

outcome_of_get get_from(live_run& run, const std::string& url) {
  environment_asio environment(run.executor(), {.redis = url, .connect_limit = milliseconds(200)});
  redis_provider provider(environment);
  const auto answer = run(provider.get_lease_owner("k", {.limit = milliseconds(1000)}));
  if (answer) return {outcome::ok, errc::protocol, answer->value_or("(none)")};
  return {answer.error().kind, answer.error().code, answer.error().text};
}

outcome_of_get get_after(std::deque<std::string> answers) {
  live_run run;
  odd_server server(run, std::move(answers));
  return get_from(run, server.url());
}

void expect(const outcome_of_get& got, outcome kind, errc code, const std::string& part) {
  EXPECT_EQ(to_string(got.kind), to_string(kind)) << got.text;
  EXPECT_EQ(to_string(got.code), to_string(code)) << got.text;
  EXPECT_NE(got.text.find(part), std::string::npos) << got.text;
  EXPECT_EQ(got.text.find('\n'), std::string::npos) << got.text;
}

TEST(odd_servers, nothing_on_the_port) {
  live_run run;
  const auto url = "redis://127.0.0.1:" + std::to_string(free_port());
  expect(get_from(run, url), outcome::fail, errc::connection_refused, "Connection refused");
  expect(get_from(run, "unix:///nowhere/at/all"), outcome::fail, errc::connection_refused,
         "No such file");
  expect(get_from(run, ""), outcome::fail, errc::connection_refused, "no Redis address");
}

TEST(odd_servers, calls_that_wait_for_one_attempt_fail_with_it) {
  live_run run;
  environment_asio environment(run.executor(),
                               {.redis = "redis://127.0.0.1:" + std::to_string(free_port())});
  redis_provider provider(environment);
  std::vector<std::shared_ptr<started<result<bool>>>> calls;
  for (int i = 0; i < 10; ++i) {
    calls.push_back(run.start(provider.renew_lease("k", "a", milliseconds(60000))));
  }
  for (const auto& call : calls) {
    expect_ends(run.finish(call), outcome::fail, errc::connection_refused);
  }
  EXPECT_EQ(environment.connection_attempts(), 1);
}

TEST(odd_servers, garbage_instead_of_a_login) {
  const auto fail = outcome::fail;
  const auto code = errc::connection_refused;
  expect(get_after({"HTTP/1.1 400 Bad Request\r\n\r\n"}), fail, code, "Protocol error");
  expect(get_after({":1\r\n"}), fail, code, "not as Redis does");
  expect(get_after({"*2000000000\r\n"}), fail, code, "no answer within 200 ms");
  expect(get_after({}), fail, code, "no answer within 200 ms");
  expect(get_after({"$9999999999999999999999\r\n"}), fail, code, "");
  expect(get_after({"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n"}), fail, code,
         "");
}

TEST(odd_servers, garbage_instead_of_an_answer) {
  const std::string ok = "+OK\r\n";
  expect(get_after({ok, "garbage\r\n"}), outcome::info, errc::connection_lost, "Protocol error");
  expect(get_after({ok, ":7\r\n"}), outcome::info, errc::protocol, "an integer 7");
  expect(get_after({ok, "*2\r\n:1\r\n*1\r\n$1\r\na\r\n"}), outcome::info, errc::protocol,
         "an array");
}

// hiredis 0.14 aborts the program on these, left to itself.
TEST(odd_servers, replies_that_nobody_asked_for) {
  const auto one_too_many = get_after({"+OK\r\n", "$1\r\na\r\n$1\r\nb\r\n"});
  EXPECT_EQ(one_too_many.kind, outcome::ok);
  EXPECT_EQ(one_too_many.text, "a");
  const auto with_the_login = get_after({"+OK\r\n:1\r\n*1\r\n:2\r\n"});
  EXPECT_NE(with_the_login.kind, outcome::ok) << with_the_login.text;
}

TEST(odd_servers, refusals_have_their_codes) {
  const std::string ok = "+OK\r\n";
  const auto fail = outcome::fail;
  expect(get_after({ok, "-LOADING it loads\r\n"}), fail, errc::loading, "it loads");
  expect(get_after({ok, "-READONLY a replica\r\n"}), fail, errc::read_only, "a replica");
  expect(get_after({ok, "-BUSY a script\r\n"}), fail, errc::busy, "a script");
  expect(get_after({ok, "-OOM full\r\n"}), fail, errc::out_of_memory, "full");
  expect(get_after({ok, "-MOVED 1 other:1\r\n"}), fail, errc::redirected, "other");
  expect(get_after({"-LOADING it loads\r\n"}), fail, errc::connection_refused, "it loads");
}

TEST(odd_servers, addresses_that_cannot_be_one) {
  live_run run;
  const std::string too_long = "unix:///" + std::string(107, 'p');
  for (const std::string& url :
       {too_long, std::string("localhost:6379"), std::string("redis://"),
        std::string("redis://h:0"), std::string("redis://h:65536"), std::string("redis://h/x"),
        std::string("redis://user@h"), std::string("redis://:%zz@h"), std::string("redis://[::1"),
        std::string("unix://"), std::string("unix://p?db=-1")}) {
    EXPECT_THROW(environment_asio(run.executor(), {.redis = url}), std::invalid_argument) << url;
    EXPECT_EQ(parse_redis_url(url).error().code, errc::invalid_argument) << url;
  }
  EXPECT_NE(parse_redis_url(too_long).error().text.find("107 are possible"), std::string::npos);
}

TEST(odd_servers, addresses_are_read_in_full) {
  const auto tcp_url = parse_redis_url("redis://al%69ce:p%40ss@[::1]:7000/12").value();
  EXPECT_EQ(tcp_url.host, "::1");
  EXPECT_EQ(tcp_url.port, 7000);
  EXPECT_EQ(tcp_url.user, "alice");
  EXPECT_EQ(tcp_url.password, "p@ss");
  EXPECT_EQ(tcp_url.database, 12);
  EXPECT_EQ(tcp_url.name(), "[::1]:7000");
  const auto unix_url = parse_redis_url("unix://:pw@/run/a@b?db=3").value();
  EXPECT_TRUE(unix_url.is_unix());
  EXPECT_EQ(unix_url.path, "/run/a@b");
  EXPECT_EQ(unix_url.password, "pw");
  EXPECT_EQ(unix_url.database, 3);
  EXPECT_EQ(parse_redis_url("redis://h").value().port, 6379);
}

// A process whose clock runs a thousand times too fast.
class wrong_clock final : public process_clock {
 public:
  explicit wrong_clock(int rate) : rate_(rate) {}
  monotonic_time now() const override {
    return monotonic_time((machine_clock()->now() - start_) * rate_);
  }
  wall_time wall_now() const override { return wall_time(now().time_since_epoch()); }
  nanoseconds real_wait(monotonic_time) const override { return milliseconds(1); }

 private:
  const monotonic_time start_ = machine_clock()->now();
  const int rate_;
};

TEST(odd_servers, deadlines_and_sleeps_are_the_process_clocks) {
  live_run run;
  odd_server server(run, {"+OK\r\n"});
  const auto clock = std::make_shared<wrong_clock>(1000);
  environment_asio environment(run.executor(), {.redis = server.url(), .clock = clock});
  redis_provider provider(environment);
  run(environment.sleep_until(environment.now() + std::chrono::seconds(20)));
  expect_ends(run(provider.get_lease_owner("k", {.limit = std::chrono::seconds(100)})),
              outcome::info, errc::timed_out);
}

}  // namespace
}  // namespace leaselab::testing
