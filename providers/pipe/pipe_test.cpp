// The pipe protocol from both sides.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <fstream>
#include <utility>
#include <vector>

#include "providers/pipe/pipe_provider.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::pipe {
namespace {

using testing::scripted_environment;

const std::string folder = LEASELAB_PIPE_FOLDER;
constexpr std::chrono::milliseconds patience(60'000);

// The pairs of protocol.md, what the harness says first.
std::vector<std::pair<std::string, std::string>> conversation() {
  std::vector<std::pair<std::string, std::string>> out;
  std::ifstream file(folder + "/protocol.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("    > ")) out.emplace_back(line.substr(6), "");
    if (line.starts_with("    < ")) out.back().second = line.substr(6);
  }
  return out;
}

void expect_conversation(const std::string& command) {
  child program(command, patience);
  for (const auto& [said, answer] : conversation()) {
    EXPECT_EQ(boost::json::parse(program.exchange(said)), boost::json::parse(answer)) << said;
  }
}

// A child that has the conversation's part by heart, and complains where the harness leaves it.
std::string player() {
  return "python3 -c '\n"
         "import json, sys\n"
         "lines = [l[4:] for l in open(\"" +
         folder +
         "/protocol.md\") if l.startswith((\"    > \", \"    < \"))]\n"
         "for said, answer in zip(lines[::2], lines[1::2]):\n"
         "    got = sys.stdin.readline()\n"
         "    if json.loads(got) != json.loads(said[2:]): sys.exit(\"unexpected: \" + got)\n"
         "    print(answer[2:].strip(), flush=True)\n'";
}

TEST(pipe, the_python_adapter_speaks_the_protocol) {
  ASSERT_GE(conversation().size(), 7u);
  expect_conversation(folder + "/python/samples/script_lease.py");
}

#ifdef LEASELAB_NODE
TEST(pipe, the_node_adapter_speaks_the_protocol) {
  expect_conversation(LEASELAB_NODE " " + folder + "/node/samples/script_lease.js");
}
#endif

TEST(pipe, the_host_speaks_the_protocol) {
  scripted_environment environment;
  environment.clock = environment.at(nanoseconds(0));
  child program(player(), patience);
  const auto said = conversation();
  EXPECT_TRUE(parse_hello(program.exchange(hello_line("leaselab"))).missing.empty());
  EXPECT_TRUE(parse_acts(program.exchange(reset_line())).empty());
  pipe_provider provider(environment, program, {});
  const call_options limit{milliseconds(50)};

  reply owner;
  owner.kind = reply_kind::text;
  owner.text = "b";
  environment.replies = {owner, unknown(errc::timed_out)};
  // The second call begins while the first one's trip is under way.
  std::optional<errc> refused;
  environment.meanwhile = [&] {
    if (refused) return;
    environment.clock = environment.at(std::chrono::microseconds(500));
    const auto ended = testing::run(provider.release_lease("", "a", limit));
    refused = ended.error().code;
    environment.clock = environment.at(milliseconds(1));
  };
  EXPECT_EQ(testing::run(provider.get_lease_owner("k", limit)).value(), "b");
  EXPECT_EQ(refused, errc::invalid_argument);

  environment.clock = environment.at(milliseconds(2));
  environment.meanwhile = [&] { environment.clock = environment.at(milliseconds(52)); };
  const auto lost = testing::run(provider.get_lease_owner("k", limit));
  EXPECT_EQ(lost.error().code, errc::timed_out);
  EXPECT_EQ(lost.error().kind, outcome::info);
}

TEST(pipe, sleep_and_chance_come_from_the_host) {
  scripted_environment environment;
  environment.clock = environment.at(milliseconds(1));
  child program(
      "sh -c 'read a; echo \"{\\\"do\\\":[{\\\"call\\\":1,\\\"ask\\\":1,\\\"sleep\\\":2.5}]}\";"
      "read b; echo \"{\\\"do\\\":[{\\\"call\\\":1,\\\"ask\\\":2,\\\"random\\\":true}]}\";"
      "read c; echo \"$b$c\" >&2; echo \"{\\\"do\\\":[{\\\"call\\\":1,\\\"answer\\\":true}]}\";"
      "read d'",
      patience);
  pipe_provider provider(environment, program, {});
  EXPECT_TRUE(testing::run(provider.renew_lease("k", "a", milliseconds(10), {})).value());
  EXPECT_EQ(environment.clock, environment.at(std::chrono::microseconds(3500)));
}

TEST(pipe, a_hello_says_what_is_there_and_what_is_declared) {
  const auto said = parse_hello(
      R"({"hello":1,"operations":["renew_lease","acquire_lease"],"guarantees":{"scope":"host",)"
      R"("expiry":"at","handoff":"none","not_guaranteed":[{"property":"noop.*"}]}})");
  const std::vector<operation> missing{operation::get, operation::release, operation::transfer};
  EXPECT_EQ(said.missing, missing);
  EXPECT_EQ(said.declared.scope, scope::host);
  EXPECT_EQ(said.declared.reading, expiry_reading::at);
  EXPECT_TRUE(said.declared.excludes("handoff.no_gap", "calm"));
  EXPECT_TRUE(said.declared.excludes("noop.inert", "chaos"));
  EXPECT_FALSE(said.declared.excludes("renew.honest", "chaos"));
  EXPECT_FALSE(said.says_where);
  const auto refusal = [](const char* line) {
    try {
      parse_hello(line);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(R"({"hello":2,"operations":[]})").find("another version"), std::string::npos);
  EXPECT_NE(refusal(R"({"hello":1,"operations":["lock"]})").find("no operation `lock`"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"hello":1,"operations":[],"guarantees":{"scope":"world"}})").find("cluster"),
      std::string::npos);
}

}  // namespace
}  // namespace leaselab::pipe
