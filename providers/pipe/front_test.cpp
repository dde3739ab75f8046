// A child's own Redis client: the wire, and the second conversation of protocol.md from both sides.
#include "providers/pipe/front.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <fstream>
#include <stdexcept>

#include "providers/pipe/pipe_provider.hpp"
#include "providers/pipe/setup_commands.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::pipe {
namespace {

using testing::scripted_environment;

const std::string folder = LEASELAB_PIPE_FOLDER;
constexpr std::chrono::milliseconds patience(10'000);

front::deadline soon() { return std::chrono::steady_clock::now() + patience; }

TEST(front, takes_requests_off_a_stream_whatever_its_pieces) {
  const std::string all =
      "*2\r\n$3\r\nGET\r\n$2\r\n\r\n\r\nPING  hello\r\n*0\r\n*1\r\n$4\r\nQUIT\r\n";
  std::string bytes;
  std::vector<request> got;
  for (const char each : all) {
    bytes += each;
    while (auto next = take_request(bytes)) got.push_back(*next);
  }
  const std::vector<request> wanted{{"GET", "\r\n"}, {"PING", "hello"}, {"QUIT"}};
  EXPECT_EQ(got, wanted);
  EXPECT_TRUE(bytes.empty());
  for (std::string wrong : {"*x\r\n", "*1\r\nGET\r\n", "*1\r\n$-1\r\n", "*99999999999\r\n"}) {
    EXPECT_THROW(take_request(wrong), std::runtime_error) << wrong;
  }
}

TEST(front, writes_every_kind_of_reply) {
  reply all{reply_kind::array,
            0,
            {},
            {testing::nil(), testing::integer(-3), testing::text("a\r\n"), testing::status("OK"),
             testing::error("ERR no")}};
  std::string bytes;
  append_reply(all, bytes);
  EXPECT_EQ(bytes, "*5\r\n$-1\r\n:-3\r\n$3\r\na\r\n\r\n+OK\r\n-ERR no\r\n");
}

TEST(front, answers_what_sets_a_connection_up_and_refuses_what_it_cannot_carry) {
  EXPECT_EQ(setup_answer({"ping"})->text, "PONG");
  EXPECT_EQ(setup_answer({"HELLO", "2"})->kind, reply_kind::array);
  EXPECT_TRUE(setup_answer({"HELLO", "3"})->is_error("NOPROTO"));
  EXPECT_TRUE(setup_answer({"SELECT", "3"})->is_error("ERR"));
  EXPECT_FALSE(setup_answer({"SET", "k", "v"}));
  EXPECT_FALSE(setup_answer({"SCRIPT", "LOAD", "return 1"}));
  EXPECT_FALSE(setup_answer({"blpop", "k", "0"}));
  const std::vector<request> refused{{"subscribe", "k"},
                                     {"WATCH", "k"},
                                     {"MONITOR"},
                                     {"CLIENT", "tracking", "ON"},
                                     {"DEBUG", "x"}};
  for (const auto& each : refused) {
    try {
      setup_answer(each);
      FAIL() << each[0];
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(in_capitals(each[0]))) << what;
      EXPECT_NE(what.find(" is not carried: "), std::string::npos) << what;
    }
  }
}

TEST(front, nil_is_no_list_where_a_list_is_expected) {
  const auto asked = [](std::vector<std::string> words) {
    command out;
    out.words.assign(words.begin(), words.end());
    return out;
  };
  EXPECT_TRUE(expects_list(asked({"blpop", "q", "0"})));
  EXPECT_TRUE(expects_list(asked({"XREAD", "STREAMS", "s", "$"})));
  EXPECT_TRUE(expects_list(asked({"LPOP", "q", "2"})));
  EXPECT_FALSE(expects_list(asked({"LPOP", "q"})));
  EXPECT_FALSE(expects_list(asked({"BLMOVE", "q", "p", "LEFT", "LEFT", "0"})));
}

// ---- the conversation

struct said {
  char by;  // > < ~ =
  std::string text;
};

std::vector<said> conversation() {
  std::vector<said> out;
  std::ifstream file(folder + "/protocol.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("    | ")) out.push_back({line[6], line.substr(8)});
  }
  return out;
}

std::string with_port(std::string text, std::uint16_t port) {
  const std::string_view mark = "<port>";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
    text.replace(at, mark.size(), std::to_string(port));
  }
  return text;
}

// A reply as the page shows it: a space stands for a line's end.
std::string on_the_wire(std::string text) {
  for (auto at = text.find(' '); at != std::string::npos; at = text.find(' ')) {
    text.replace(at, 1, "\r\n");
  }
  return text + "\r\n";
}

std::string joined(const request& words) {
  std::string out;
  for (const auto& each : words) out += (out.empty() ? "" : " ") + each;
  return out;
}

// The harness's part, by the page.
void expect_conversation(const std::string& command) {
  front at;
  child program(command, patience, {"REDIS_URL=" + at.url()});
  std::shared_ptr<connection> on;
  std::vector<request> sent;
  std::string answer;
  ASSERT_GE(conversation().size(), 14u);
  for (const auto& [by, text] : conversation()) {
    const std::uint16_t port = on ? on->port : 0;
    if (by == '>') {
      if (text.find("reset") != std::string::npos) at.forget();
      answer = program.exchange(with_port(text, port));
      if (text.find("hello") != std::string::npos) continue;
      const auto turn = parse_turn(answer);
      for (auto& each : at.take(turn.sockets, soon())) {
        on = each.on;
        sent = each.requests;
      }
    } else if (by == '<') {
      EXPECT_EQ(boost::json::parse(answer), boost::json::parse(with_port(text, on ? on->port : 0)));
    } else if (by == '~') {
      ASSERT_EQ(sent.size(), 1u);
      EXPECT_EQ(joined(sent.front()), text);
    } else {
      at.write(*on, on_the_wire(text));
    }
  }
}

TEST(front, the_python_preload_speaks_the_protocol) {
  expect_conversation(folder + "/python/samples/socket_lease.py");
}

TEST(front, the_python_preload_speaks_it_by_asyncio) {
  expect_conversation(folder + "/python/samples/stream_lease.py");
}

#ifdef LEASELAB_NODE
TEST(front, the_node_preload_speaks_the_protocol) {
  expect_conversation(LEASELAB_NODE " " + folder + "/node/samples/socket_lease.js");
}
#endif

// The child's part, by the page.
std::string player() {
  return "python3 -c '\n"
         "import json, os, socket, sys\n"
         "at = (\"127.0.0.1\", int(os.environ[\"REDIS_URL\"].rsplit(\":\", 1)[1]))\n"
         "calls = socket.create_connection(at)\n"
         "port = str(calls.getsockname()[1])\n"
         "for line in open(\"" +
         folder +
         "/protocol.md\"):\n"
         "    if not line.startswith(\"    | \"): continue\n"
         "    by, text = line[6], line[8:].strip().replace(\"<port>\", port)\n"
         "    if by == \">\":\n"
         "        got = sys.stdin.readline()\n"
         "        if json.loads(got) != json.loads(text): sys.exit(\"unexpected: \" + got)\n"
         "    elif by == \"<\": print(text, flush=True)\n"
         "    elif by == \"~\":\n"
         "        words = text.split(\" \")\n"
         "        all = \"\".join(f\"${len(w)}\\r\\n{w}\\r\\n\" for w in words)\n"
         "        calls.sendall(f\"*{len(words)}\\r\\n{all}\".encode())\n"
         "    else:\n"
         "        want = (text.replace(\" \", \"\\r\\n\") + \"\\r\\n\").encode()\n"
         "        got = calls.recv(len(want), socket.MSG_WAITALL)\n"
         "        if got != want: sys.exit(\"unexpected: \" + repr(got))\n"
         "sys.stdin.read()'";
}

TEST(front, the_host_speaks_the_protocol) {
  scripted_environment environment;
  environment.clock = environment.at(nanoseconds(0));
  front at;
  child program(player(), patience, {"REDIS_URL=" + at.url()});
  traffic commands(at);
  EXPECT_TRUE(parse_hello(program.exchange(hello_line("leaselab"))).in_step);
  const clocks start{monotonic_time{}, wall_time{}};
  const auto begun = parse_turn(program.exchange(reset_line(7, start)));
  EXPECT_TRUE(commands.take(begun.sockets, soon(), nullptr, {}));
  EXPECT_TRUE(
      parse_turn(program.exchange(with_news(go_on_line(start), commands.news()))).acts.empty());

  environment.clock = environment.at(std::chrono::microseconds(1500));
  environment.replies = {testing::text("b")};
  environment.meanwhile = [&] { environment.clock = environment.at(milliseconds(2)); };
  pipe_provider provider(environment, program, {}, {&commands, pace::in_step});
  const call_options limit{milliseconds(50)};
  EXPECT_EQ(testing::run(provider.get_lease_owner("k", limit)).value(), "b");
  ASSERT_EQ(environment.trips.size(), 1u);
  EXPECT_EQ(environment.trips[0].request.label(), "GET");
  EXPECT_EQ(environment.trips[0].deadline, environment.at(std::chrono::microseconds(51'500)));
}

// ---- a client that says nothing of itself

TEST(front, a_child_that_calls_without_being_in_step_is_told_so) {
  scripted_environment environment;
  front at;
  child program(
      "python3 -c '\n"
      "import os, socket\n"
      "at = (\"127.0.0.1\", int(os.environ[\"REDIS_URL\"].rsplit(\":\", 1)[1]))\n"
      "input(); calls = socket.create_connection(at)\n"
      "print(\"{\\\"do\\\":[]}\", flush=True); input()'",
      patience, {"REDIS_URL=" + at.url()});
  traffic commands(at);
  pipe_provider provider(environment, program, {}, {&commands, pace::none});
  try {
    static_cast<void>(testing::run(provider.get_lease_owner("k", {})));
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("--best-effort"), std::string::npos) << error.what();
  }
}

// One line says what was wrong; without it all calls would just fail.
TEST(front, a_client_that_hangs_up_without_resp3_is_told_what_to_do) {
  front at;
  traffic commands(at);
  const std::string hang_up =
      "python3 -c '\n"
      "import os, socket\n"
      "at = (\"127.0.0.1\", int(os.environ[\"REDIS_URL\"].rsplit(\":\", 1)[1]))\n"
      "calls = socket.create_connection(at)\n"
      "calls.sendall(b\"HELLO 3\\r\\nCLIENT SETNAME x\\r\\n\")\n"
      "got = calls.recv(44, socket.MSG_WAITALL)\n"
      "TRIPcalls.close()\n"
      "print(got.decode().replace(\"\\r\\n\", \" \"), flush=True); input()'";
  const auto told = [&](const std::string& trip) {
    std::string command = hang_up;
    command.replace(command.find("TRIP"), 4, trip);
    child program(command, patience, {"REDIS_URL=" + at.url()});
    const auto until = soon();
    std::shared_ptr<channel> waiting;
    // Until it has hung up.
    while (!waiting || !*waiting->on->hung_up) {
      if (std::chrono::steady_clock::now() > until) return std::string("nothing");
      try {
        commands.take_any(until, std::make_shared<errand>(), {});
      } catch (const std::runtime_error& error) {
        return std::string(error.what());
      }
      for (const auto& each : commands.to_carry()) waiting = each;
    }
    return std::string();
  };
  EXPECT_NE(told("").find("RESP2"), std::string::npos);
  commands.reset();
  EXPECT_EQ(told("calls.sendall(b\"GET k\\r\\n\"); "), "");
}

// What comes is taken as it comes: a transaction in two pieces, on a connection that stays.
TEST(front, a_transaction_is_one_trip) {
  front at;
  traffic commands(at);
  child program(
      "python3 -c '\n"
      "import os, socket\n"
      "at = (\"127.0.0.1\", int(os.environ[\"REDIS_URL\"].rsplit(\":\", 1)[1]))\n"
      "calls = socket.create_connection(at)\n"
      "calls.sendall(b\"MULTI\\r\\nSET k a\\r\\nGET k\\r\\nEXEC\\r\\n\")\n"
      "got = calls.recv(5 + 9 + 9 + 16, socket.MSG_WAITALL)\n"
      "input(); print(got.decode().replace(\"\\r\\n\", \" \"), flush=True); input()'",
      patience, {"REDIS_URL=" + at.url()});
  const auto by = std::make_shared<errand>();
  const auto until = soon();
  std::vector<std::shared_ptr<channel>> waiting;
  while (waiting.empty() && std::chrono::steady_clock::now() < until) {
    commands.take_any(until, by, {});
    waiting = commands.to_carry();
    if (!waiting.empty() && waiting.front()->queue.front().request.words.size() < 4) break;
  }
  ASSERT_EQ(waiting.size(), 1u);
  const auto& words = waiting.front()->queue.front().request.words;
  const std::vector<std::string> sent(words.begin(), words.end());
  const std::vector<std::string> wanted{"EXEC", "3", "SET", "k", "a", "2", "GET", "k"};
  EXPECT_EQ(sent, wanted);
  commands.answer(*waiting.front(),
                  {reply_kind::array, 0, {}, {testing::status("OK"), testing::text("a")}});
  EXPECT_EQ(program.exchange("go"), "+OK +QUEUED +QUEUED *2 +OK $1 a ");
}

}  // namespace
}  // namespace leaselab::pipe
