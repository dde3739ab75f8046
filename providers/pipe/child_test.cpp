// Children that break the protocol, die, hang or leave others behind: one line each, and nothing
// that they started goes on.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "providers/pipe/pipe_provider.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::pipe {
namespace {

namespace fs = std::filesystem;
using testing::scripted_environment;

// So long that no machine is too slow, and so short that a test can wait for it.
constexpr std::chrono::milliseconds patience(60'000);
constexpr std::chrono::milliseconds impatience(400);

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const host_failed& error) {
    return error.what();
  }
  return "nothing failed";
}

// Whether a process of that group still runs; one that only waits to be reaped does not.
bool runs_in_group(const fs::path& process, pid_t group) {
  std::ifstream file(process / "stat");
  std::stringstream text;
  text << file.rdbuf();
  const auto name_ends = text.str().rfind(") ");
  if (name_ends == std::string::npos) return false;
  std::istringstream fields(text.str().substr(name_ends + 2));
  char state = 0;
  pid_t parent = 0, own_group = 0;
  fields >> state >> parent >> own_group;
  return own_group == group && state != 'Z' && state != 'X';
}

bool any_in_group(pid_t group) {
  std::error_code error;
  for (fs::directory_iterator each("/proc", error), end; !error && each != end;
       each.increment(error)) {
    const auto name = each->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) && runs_in_group(each->path(), group))
      return true;
  }
  return false;
}

// A kill takes effect presently; one that never does hangs the test.
void expect_gone(pid_t group) {
  while (any_in_group(group)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// In Python; `ask()` reads a line, `say(text)` writes one, CALL answers the first call.
std::string python(const std::string& program) {
  return "python3 -c '\n"
         "import os, signal, subprocess, sys, time\n"
         "ask = sys.stdin.readline\n"
         "def say(text, end=\"\\n\"):\n"
         "    sys.stdout.write(text + end)\n"
         "    sys.stdout.flush()\n"
         "CALL = \"\"\"{\"call\":1,\"answer\":{\"acquired\":true}}\"\"\"\n" +
         program + "\n'";
}

struct bad_child {
  const char* name;
  std::string command;
  const char* complaint;
  std::chrono::milliseconds patience = pipe::patience;  // less where it is silent
};

std::vector<bad_child> bad_children() {
  return {
      {"there is none", "/nowhere/adapter", "ended with status 127; it said: sh"},
      {"it ends at once", python("sys.exit(\"oh dear\")"), "ended with status 1; it said: oh dear"},
      {"it ends when asked", python("ask(); sys.exit(7)"), "it ended with status 7"},
      {"it raises", python("ask(); {}[\"k\"]"), "it said: KeyError"},
      {"it raises in Node",
       python("ask(); sys.exit(\"at 1\\nTypeError: oh dear\\n  at 2\\n\\nNode.js v20\")"),
       "it said: TypeError: oh dear"},
      {"kill -9", python("ask(); os.kill(os.getpid(), signal.SIGKILL)"), "ended by signal 9"},
      {"garbage", python("ask(); say(\"garbage\"); ask()"), "no JSON: garbage"},
      {"bytes that are no text", python("ask(); os.write(1, bytes([255, 0, 10])); ask()"),
       "no JSON"},
      {"an empty line", python("ask(); say(\"\"); ask()"), "no JSON: "},
      {"no object", python("ask(); say(\"[]\"); ask()"), "no JSON object: []"},
      {"half a line, then nothing", "sh -c 'read a; printf \"{\\\"do\\\":\"; read b'",
       "no answer within 5000 ms; half a line: {\"do\":", std::chrono::seconds(5)},
      {"half a line, then the end", python("ask(); say(\"{\\\"do\\\":\", \"\")"),
       "ended with status 0; half a line: {\"do\":"},
      {"never an answer", python("ask(); time.sleep(1000)"), "no answer within 400 ms", impatience},
      {"100 MB in a line", python("ask(); say(\"x\" * 100_000_000); ask()"), "longer than 16 MB"},
      {"nothing done", python("ask(); say(\"{\\\"do\\\":[]}\"); ask()"),
       "neither answers nor asks"},
      {"two lines", python("ask(); say(\"{\\\"do\\\":[]}\\n{\\\"do\\\":[]}\"); ask()"),
       "more than one line"},
      {"an unknown call",
       python("ask(); say(\"{\\\"do\\\":[%s]}\" % CALL.replace(\"1\", \"9\", 1)); ask()"),
       "there was no call 9"},
      {"two answers", python("ask(); say(\"{\\\"do\\\":[%s,%s]}\" % (CALL, CALL)); ask()"),
       "answered call 1 before"},
      {"an answer of another kind",
       python("ask(); say(\"{\\\"do\\\":[{\\\"call\\\":1,\\\"answer\\\":true}]}\"); ask()"),
       "no answer to acquire_lease: true"},
      {"an unknown error",
       python("ask(); say(\"{\\\"do\\\":[{\\\"call\\\":1,\\\"fail\\\":\\\"oops\\\"}]}\"); ask()"),
       "no error `oops`; allowed: invalid_argument"},
      {"an empty request",
       python("ask(); say(\"{\\\"do\\\":[{\\\"call\\\":1,\\\"ask\\\":1}]}\"); ask()"),
       "one of answer, fail"},
      {"one number for two requests",
       python("ask(); one = \"{\\\"call\\\":1,\\\"ask\\\":1,\\\"sleep\\\":1}\"\n"
              "say(\"{\\\"do\\\":[%s,%s]}\" % (one, one)); ask()"),
       "it asks under 1 twice"},
      {"output closed", "sh -c 'read a; exec <&- >&-; exec sleep 1000'", "it closed its output",
       std::chrono::seconds(5)},
      {"it dies and its own child keeps the pipe",
       python("ask(); subprocess.Popen([\"sleep\", \"1000\"]); os._exit(5)"),
       "it ended with status 5"},
      {"its own child is silent with it",
       python("ask(); subprocess.Popen([\"sleep\", \"1000\"]); time.sleep(1000)"),
       "no answer within 400 ms", impatience},
      {"it is stopped", python("ask(); os.kill(os.getpid(), signal.SIGSTOP)"),
       "no answer within 400 ms", impatience},
      {"it ignores signals",
       python("for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(s, "
              "signal.SIG_IGN)\nask(); say(\"garbage\"); time.sleep(1000)"),
       "no JSON: garbage"},
  };
}

class bad : public ::testing::TestWithParam<bad_child> {};

// Each is asked to acquire once.
TEST_P(bad, is_told_of_in_one_line_and_ended_with_all_that_it_started) {
  const auto& [name, command, complaint, patience] = GetParam();
  scripted_environment environment;
  child program(command, patience);
  const pid_t id = program.id();
  pipe_provider provider(environment, program, {});
  const auto text = failure_of([&] {
    static_cast<void>(testing::run(provider.acquire_lease("k", "a", milliseconds(10), {})));
  });
  const auto told = text.substr(std::min(text.size(), command.size()));
  EXPECT_NE(told.find(complaint), std::string::npos) << told;
  EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  EXPECT_LT(told.size(), 1000u);
  EXPECT_TRUE(::kill(id, 0) != 0 && errno == ESRCH);
  expect_gone(id);
}

INSTANTIATE_TEST_SUITE_P(child, bad, ::testing::ValuesIn(bad_children()), [](const auto& one) {
  std::string name = one.param.name;
  for (char& each : name)
    if (!std::isalnum(static_cast<unsigned char>(each))) each = '_';
  return name;
});

// What is wrong is seen in the turn in which it comes, also when that is a later one.
TEST(child, an_answer_to_a_call_that_has_ended_is_told) {
  scripted_environment environment;
  child program(
      python("one = \"{\\\"do\\\":[%s]}\" % CALL\nask(); say(one); ask(); say(one); ask()"),
      patience);
  pipe_provider provider(environment, program, {});
  EXPECT_TRUE(
      testing::run(provider.acquire_lease("k", "a", milliseconds(10), {})).value().acquired);
  const auto text = failure_of([&] {
    static_cast<void>(testing::run(provider.acquire_lease("k", "a", milliseconds(10), {})));
  });
  EXPECT_NE(text.find("it answered call 1 before"), std::string::npos) << text;
}

TEST(child, standard_error_is_its_own_and_does_not_pile_up) {
  child program(python("while ask():\n"
                       "    sys.stderr.write((\"x\" * 1000 + \"\\n\") * 2000)\n"
                       "    sys.stderr.flush()\n"
                       "    say(\"ok\")"),
                patience);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(program.exchange("go on"), "ok");
}

TEST(child, an_orderly_end_leaves_nothing_either) {
  pid_t id = 0;
  {
    child program(
        python("subprocess.Popen([\"sleep\", \"1000\"]); say(\"\" if not ask() else \"ok\"); "
               "time.sleep(1000)"),
        patience);
    id = program.id();
    EXPECT_EQ(program.exchange("hello"), "ok");
    EXPECT_TRUE(any_in_group(id));
  }
  expect_gone(id);
}

TEST(child, is_started_as_a_shell_would) {
  child compound("cd /usr && read a && pwd", patience);
  EXPECT_EQ(compound.exchange("where"), "/usr");
  child piped("read a; echo there | cat", patience);
  EXPECT_EQ(piped.exchange("where"), "there");
  child assigning("A=b sh -c 'read a; echo $A'", patience);
  EXPECT_EQ(assigning.exchange("what"), "b");
}

}  // namespace
}  // namespace leaselab::pipe
