// What a Python program meets under preload.py, line by line: clocks, timers, chance, tasks,
// threads and sockets (python/testdata/odd_lease.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "providers/error.hpp"
#include "providers/pipe/child.hpp"
#include "providers/pipe/front.hpp"
#include "providers/pipe/messages.hpp"

namespace leaselab::pipe {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

// The harness's side of one program.
class odd {
 public:
  explicit odd(const std::string& more = "", milliseconds patience = milliseconds(60'000))
      : program_("python3 " LEASELAB_PIPE_FOLDER "/python/testdata/odd_lease.py " + more, patience,
                 {"REDIS_URL=" + redis.url()}) {
    say(R"({"hello":1,"prefix":"leaselab"})");
    begin();
  }

  // A new world.
  void begin(std::uint64_t seed = 1) {
    redis.forget();
    EXPECT_EQ(say(fmt::format(R"({{"reset":true,"seed":{},"now":0.0,"wall":0.0}})", seed)),
              R"({"do": []})");
    redis.bury();
    calls_ = 0;
  }

  std::string call(const std::string& what, double now = 0) {
    return say(fmt::format(R"({{"call":{},"op":"get_lease_owner","args":{{"key":"{}"}},)"
                           R"("limit":50.0,"now":{},"wall":{}}})",
                           ++calls_, what, now, now));
  }
  std::string go_on(double now, const std::string& more = "") {
    return say(fmt::format(R"({{"now":{},"wall":{}{}}})", now, now, more));
  }
  // The answer of a call that is over at once.
  std::string answer(const std::string& what, double now = 0) { return answer_in(call(what, now)); }
  static std::string answer_in(const std::string& line) {
    const auto said = json::parse(line).as_object();
    const auto& acts = said.at("do").as_array();
    if (acts.size() != 1 || !acts[0].as_object().contains("answer")) return line;
    return std::string(acts[0].as_object().at("answer").as_string());
  }

  // What the program has sent, by what it says of it.
  std::vector<front::arrival> sent(const std::string& line) {
    return redis.take(parse_turn(line).sockets,
                      std::chrono::steady_clock::now() + std::chrono::seconds(60));
  }
  std::string news() {
    const clocks any{};
    const std::string line = with_news(go_on_line(any), redis.news());
    return "," + line.substr(line.find("\"sockets\""), line.rfind('}') - line.find("\"sockets\""));
  }

  front redis;

 private:
  std::string say(const std::string& line) { return program_.exchange(line); }

  child program_;
  int calls_ = 0;
};

std::string end_of(odd& program, const std::string& call) {
  try {
    return "it said " + program.call(call);
  } catch (const host_failed& error) {
    return error.what();
  }
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(preload, sleeps_and_limits_of_time_are_on_the_harness_s_clock) {
  odd program;
  EXPECT_EQ(program.call("sleep", 1.5), R"({"do": [], "timer": 4.0})");
  EXPECT_EQ(program.go_on(3.75), R"({"do": [], "timer": 4.0})");
  EXPECT_EQ(program.go_on(4), R"({"do": [{"call": 1, "answer": "4"}]})");
  program.call("limit", 10);
  EXPECT_EQ(odd::answer_in(program.go_on(15)), "late at 15");
}

// 1000.1 + 0.2 is no number of the machine: a tick at its next one would be too early for ever.
TEST(preload, a_timer_is_due_at_its_tick) {
  odd program;
  EXPECT_EQ(program.call("block", 1000.1), R"({"do": [], "timer": 1000.3})");
  EXPECT_EQ(odd::answer_in(program.go_on(1000.3)), "1000.3");
  for (int i = 1; i <= 200; ++i) {
    const double start = 2000 + i * 17.000001;
    const auto due = parse_turn(program.call("sleep", start)).timer;
    ASSERT_TRUE(due);
    const auto said = program.go_on(static_cast<double>(due->time_since_epoch().count()) / 1e6);
    EXPECT_EQ(said.find("timer"), std::string::npos) << start << " " << said;
  }
}

TEST(preload, calls_run_beside_each_other) {
  odd program;
  program.call("sleep", 0);
  EXPECT_EQ(program.call("limit", 1), R"({"do": [], "timer": 2.5})");
  EXPECT_EQ(program.call("sleep", 2), R"({"do": [], "timer": 2.5})");
  EXPECT_EQ(program.go_on(2.5), R"({"do": [{"call": 1, "answer": "2.5"}], "timer": 4.5})");
  EXPECT_EQ(program.go_on(4.5), R"({"do": [{"call": 3, "answer": "4.5"}], "timer": 6.0})");
}

// What a program asks the harness for, it may ask for in several tasks, and give up.
TEST(preload, a_call_may_ask_for_several_things_at_once) {
  odd program;
  EXPECT_EQ(
      program.call("ask"),
      R"({"do": [{"call": 1, "ask": 1, "random": true}, {"call": 1, "ask": 2, "sleep": 50}], )"
      R"("timer": 1.0})");
  EXPECT_EQ(program.go_on(0.5, R"(,"resume":1,"value":7)"), R"({"do": [], "timer": 1.0})");
  EXPECT_EQ(odd::answer_in(program.go_on(1)), "7 TimeoutError");
  EXPECT_EQ(program.go_on(50, R"(,"resume":2,"value":null)"), R"({"do": []})");
}

TEST(preload, timers_due_in_between_fire_before_the_next_call) {
  odd program;
  EXPECT_EQ(program.answer("later"), "soon");
  EXPECT_EQ(program.answer("marks", 25), "0.01 0.02");
  EXPECT_EQ(program.answer("marks", 40), "0.01 0.02 0.03");
}

TEST(preload, a_timer_of_the_old_world_is_not_in_the_new_one) {
  odd program;
  program.answer("later");
  program.begin();
  EXPECT_EQ(program.call("marks", 100), R"({"do": [{"call": 1, "answer": ""}]})");
}

TEST(preload, what_waits_in_the_old_world_is_unwound_and_says_nothing) {
  odd program;
  const auto first = program.answer("chance");
  program.call("lingers");
  program.call("clings");
  program.begin();
  EXPECT_EQ(program.answer("chance"), first);
  EXPECT_EQ(program.answer("marks"), "unwound unwound unwound");
}

TEST(preload, what_was_ready_in_the_old_world_does_not_run) {
  odd program;
  program.call("blocks");
  program.begin();
  EXPECT_EQ(program.answer("marks"), "");
}

TEST(preload, dates_are_the_harness_s) {
  odd program;
  EXPECT_EQ(program.answer("dates", 1.5), "2020-01-01T00:00:00.001500 0.0 2020 2020 2020 True");
}

TEST(preload, chance_is_the_seed_s) {
  odd program, other;
  const auto first = program.answer("chance");
  EXPECT_NE(program.answer("chance"), first);
  EXPECT_EQ(other.answer("chance"), first);
  other.begin(2);
  EXPECT_NE(other.answer("chance"), first);
  other.begin(1);
  EXPECT_EQ(other.answer("chance"), first);
}

// Neither by their hashes nor by their addresses, whatever there was before.
TEST(preload, sets_of_texts_and_tasks_have_one_order) {
  odd program, other;
  const auto first = program.answer("order");
  expect_part(first,
              "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(other.answer("order"), first);
    other.begin(i + 2);
  }
}

TEST(preload, what_raises_spins_or_uses_threads_ends_the_run_with_a_line) {
  odd raising, reading, sleeping, connecting;
  expect_part(end_of(raising, "raises"), "ended with status 1; it said: ValueError: oh dear");
  expect_part(end_of(sleeping, "thread_sleeps"), "Error: the thread worker sleeps");
  expect_part(end_of(connecting, "thread_connects"), "Error: the thread worker connects");
  expect_part(end_of(reading, "thread_reads"), "Error: the thread worker uses a socket");
}

TEST(preload, a_task_that_spins_is_ended_by_the_watchdog) {
  try {
    odd spinning("", milliseconds(3000));
    FAIL() << spinning.call("spins");
  } catch (const host_failed& error) {
    expect_part(error.what(), "no answer within 3000 ms");
  }
}

TEST(preload, whoever_waits_before_there_is_a_world_is_told_so) {
  for (const char* when : {"greedy", "early"}) {
    try {
      odd program(when);
      FAIL() << "it went on";
    } catch (const host_failed& error) {
      expect_part(error.what(), std::string(when) == "early" ? "before it calls serve()"
                                                             : "before there is a world");
    }
  }
}

TEST(preload, threads_that_only_count_executors_and_prints_do_no_harm) {
  odd program;
  EXPECT_EQ(program.answer("thread_counts"), "45");
  EXPECT_EQ(program.answer("executor"), "at once");
  EXPECT_EQ(program.answer("prints"), "said");
}

// What is there may be read when a line says so, and not before.
TEST(preload, a_socket_is_read_when_the_harness_says_so) {
  odd program;
  const auto asked = program.sent(program.call("talk", 1));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked.front().call, 1u);
  EXPECT_EQ(asked.front().requests, (std::vector<request>{{"GET", "k"}}));
  program.redis.write(*asked.front().on, "+yes\r\n");
  EXPECT_EQ(program.go_on(2), R"({"do": []})");
  const std::string line = program.go_on(3, program.news());
  EXPECT_EQ(odd::answer_in(line), "+yes");
  ASSERT_EQ(parse_turn(line).sockets.size(), 1u);
  EXPECT_TRUE(parse_turn(line).sockets.front().closed);
}

// And no further than the line says.
TEST(preload, what_stands_behind_waits) {
  odd program;
  const auto asked = program.sent(program.call("talk", 1));
  program.redis.write(*asked.front().on, "+y");
  const std::string first = program.news();
  program.redis.write(*asked.front().on, "es\r\n");
  EXPECT_EQ(program.go_on(2, first), R"({"do": []})");
  EXPECT_EQ(odd::answer_in(program.go_on(3, program.news())), "+yes");
}

TEST(preload, a_lost_connection_is_an_error_of_the_client) {
  odd program;
  const auto asked = program.sent(program.call("talk", 1));
  program.redis.cut(*asked.front().on);
  const std::string line = program.go_on(2, program.news());
  expect_part(line, R"("info": "connection_lost", "text": "ConnectionResetError")");
  EXPECT_TRUE(parse_turn(line).sockets.front().closed);
}

TEST(preload, a_client_may_give_up) {
  odd program;
  EXPECT_EQ(program.sent(program.call("talk_for_a_while", 1)).size(), 1u);
  EXPECT_EQ(odd::answer_in(program.go_on(6)), "late at 6");
}

}  // namespace
}  // namespace leaselab::pipe
