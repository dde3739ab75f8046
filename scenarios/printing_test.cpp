// What is printed or written loads to the same scenario, and so does every file of the tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenarios/scenario.hpp"
#include "scenarios/testing.hpp"

namespace leaselab::scenarios {
namespace {

using namespace testing;
using sim::ns_per_ms;

// One of everything.
const std::string everything = R"(
story = """A line,
and "another"."""
origin = "nowhere"
ttl = "2s"
call_limit = "3s"
providers = ["memory", "redis"]
[expect]
redis = "violates:renew.honest"
"mutant:M10" = "clean"
[workload]
kind = "runtime"
margin = "0.25ttl"
client = { base = "published", renew_false = "stop" }
resource = "fenced"
decorators = [1, 3]
[nemesis]
profile = { pause = 0.02, drop = 0.05, budget = 7 }
[explore]
strategy = "pct:3"
seed = "0xfedcba9876543210"
aim = "deadline"
[phase]
quiet = "3ttl"
[[property]]
id = "run.covered"
[[sometimes]]
reach = "a denial"
[[process]]
name = "P2"
clock = { offset = "-180s", rate = 1.01, stands_in_pause = true }
[[call]]
name = "first"
at = "0.7ms"
process = "P1"
do = "acquire"
owner = "A\\\"\u0001"
limit = "20ms"
every = "5ms"
until = "1ttl"
expect = { acquired = true, owner = "none", redis.outcome = "info", "mutant:M10".owner = "B" }
[[call]]
after = "first"
process = "P2"
do = "write"
owner = ""
key = ""
for = "40ms"
guarded = false
if_held = true
[[call]]
process = "P1"
do = "close"
providers = ["redis"]
[[signal]]
process = "P3"
id = "s1"
run = "3ttl"
plain = true
suspend_at = "1ttl"
resume_at = "5ttl"
resume_in = "P2"
)";

const std::string every_fault = R"(
[[fault]]
kind = "offset"
process = "P1"
at = "1ms"
by = "-5s"
[[fault]]
kind = "step"
process = "backend"
by = "1h"
clock = "both"
[[fault]]
kind = "rate"
process = "P1"
to = 1.05
for = "1s"
[[fault]]
kind = "strobe"
process = "P1"
delta = "-1ms"
period = "2ms"
for = "10ms"
[[fault]]
kind = "freeze"
process = "backend"
at = "5ms"
[[fault]]
kind = "pause"
process = "P1"
at = "5ms"
for = "1ttl"
clock = "stands"
[[fault]]
kind = "pause"
point = "P1:first:trip12:before"
for = "1ttl"
[[fault]]
kind = "crash"
process = "P1"
at = "3ms"
restart_at = "9ms"
identity = "new"
state = "kept"
[[fault]]
kind = "crash"
point = "P1:first:triplast:after"
restart_at = "9ms"
[[fault]]
kind = "drop"
call = "first"
trip = "last"
leg = "reply"
[[fault]]
kind = "delay"
call = "first"
trip = "EVALSHA:refresh"
by = "3ms"
[[fault]]
kind = "hold"
call = "first"
trip = 3
until = "102ms"
[[fault]]
kind = "hold"
call = "first"
after = "second"
[[fault]]
kind = "duplicate"
call = "first"
by = "0ms"
[[fault]]
kind = "partition"
from = "backend"
to = "P1"
one_way = true
at = "5ms"
for = "10ms"
[[fault]]
kind = "error_reply"
call = "first"
reply = "OOM"
[[fault]]
kind = "flush_scripts"
at = "4ms"
[[fault]]
kind = "late_timer"
process = "P1"
by = "4ms"
[[fault]]
kind = "connect"
process = "P1"
takes = "4ms"
[[fault]]
kind = "backend_down"
at = "4ms"
for = "5ms"
data = "appendonly"
[[fault]]
kind = "failover"
at = "4ms"
behind = 2
replica = 1
[[fault]]
kind = "two_primaries"
at = "4ms"
until = "9ms"
[[fault]]
kind = "replica_read"
lag = "9ms"
[[fault]]
kind = "evict"
at = "9ms"
[[fault]]
kind = "overwrite"
at = "9ms"
value = "Z"
providers = ["redis"]
[[fault]]
kind = "redirect"
call = "first"
reply = "ASK"
[[fault]]
kind = "reap_late"
by = "9ms"
)";

TEST(scenario, what_is_printed_loads_to_the_same_scenario) {
  const std::string second = "[[call]]\nname = \"second\"\nprocess = \"P1\"\ndo = \"get\"\n";
  for (const std::string& body : {everything, acquire + second + every_fault, acquire}) {
    const scenario one = read(body);
    const std::string text = print(one);
    const std::vector<scenario> again = parse(text, "printed.toml", names());
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(print(again.front()), text);
    EXPECT_EQ(again.front().workload, one.workload);
    EXPECT_EQ(again.front().nemesis, one.nemesis);
    EXPECT_EQ(again.front().explore, one.explore);
    EXPECT_EQ(again.front().signals, one.signals);
    EXPECT_EQ(again.front().story, one.story);
    EXPECT_EQ(again.front().plan.owners, one.plan.owners);
    EXPECT_EQ(again.front().plan.keys, one.plan.keys);
    EXPECT_EQ(again.front().plan.faults.size(), one.plan.faults.size());
  }
}

TEST(scenario, every_fault_kind_is_read) {
  const std::string second = "[[call]]\nname = \"second\"\nprocess = \"P1\"\ndo = \"get\"\n";
  const scenario one = read(acquire + second + every_fault);
  const std::vector<sim::fault_spec>& faults = one.plan.faults;
  ASSERT_EQ(faults.size(), 27u);
  EXPECT_EQ(faults[1].process, sim::backend_process);
  EXPECT_EQ(faults[2].to_ppb, 1'050'000'000);
  EXPECT_EQ(faults[4].lasts, sim::never);
  EXPECT_TRUE(faults[5].clock_stands);
  EXPECT_EQ(faults[6].point->trip, 12);
  EXPECT_EQ(faults[6].process, 0);
  EXPECT_EQ(faults[7].lasts, 6 * ns_per_ms);
  EXPECT_EQ(faults[8].until, 9 * ns_per_ms);
  EXPECT_EQ(faults[9].trip, sim::last_trip);
  EXPECT_EQ(faults[10].command, "EVALSHA:refresh");
  EXPECT_EQ(faults[12].until_call, 1u);
  EXPECT_FALSE(faults[14].cut_requests);
  EXPECT_TRUE(faults[14].cut_replies);
}

// The plan without what has no form in a file.
sim::plan small_plan() {
  sim::plan plan;
  plan.ttl_ms = 50;
  plan.one_at_a_time = true;
  plan.processes = {{"P1"}, {"P2", -5, 1'010'000'000, true}};
  plan.keys = {"K"};
  plan.owners = {"", "A", "B"};
  plan.bounds.call_limit = 7 * ns_per_ms;
  sim::call_spec call;
  call.id = 4;
  call.owner = 1;
  call.ttl_ms = 50;
  call.at = 3;
  plan.calls.push_back(call);
  call = {};
  call.id = 9;
  call.what = sim::verb::transfer;
  call.process = 1;
  call.owner = 1;
  call.to = 2;
  call.after = 4;
  call.wait = 11;
  plan.calls.push_back(call);
  sim::fault_spec fault;
  fault.id = 7;
  fault.kind = sim::fault_kind::delay;
  fault.call = 9;
  fault.by = 1'234;
  plan.faults.push_back(fault);
  return plan;
}

TEST(scenario, a_plan_is_written_as_a_file_that_loads_to_it) {
  const std::string text =
      to_toml(small_plan(), {"t", "s", "o", "redis", {"handoff.honest", "renew.honest"}});
  const scenario one = parse(text, "witness.toml", names()).front();
  EXPECT_EQ(to_string(expectation_of(one, "redis")), "violates:handoff.honest,renew.honest");
  EXPECT_EQ(one.providers, std::vector<std::string>{"redis"});
  const sim::plan& plan = one.plan;
  EXPECT_EQ(plan.ttl_ms, 50);
  EXPECT_EQ(plan.bounds.call_limit, 7 * ns_per_ms);
  EXPECT_EQ(plan.owners, small_plan().owners);
  EXPECT_EQ(plan.processes[1].wall_offset, -5);
  EXPECT_EQ(plan.processes[1].rate_ppb, 1'010'000'000);
  EXPECT_TRUE(plan.processes[1].clock_stands_in_pause);
  ASSERT_EQ(plan.calls.size(), 2u);
  EXPECT_EQ(plan.calls[0].at, 3);
  EXPECT_EQ(plan.calls[1].after, 0u);
  EXPECT_EQ(plan.calls[1].wait, 11);
  EXPECT_EQ(plan.calls[1].to, 2);
  EXPECT_EQ(plan.calls[1].ttl_ms, 0);
  ASSERT_EQ(plan.faults.size(), 1u);
  EXPECT_EQ(plan.faults[0].call, 1u);
  EXPECT_EQ(plan.faults[0].by, 1'234);
  EXPECT_EQ(to_toml(plan, {"t", "s", "o", "redis", {"handoff.honest", "renew.honest"}}), text);
}

class folder {
 public:
  folder() {
    path =
        std::filesystem::temp_directory_path() /
        ("leaselab-scenarios-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         "-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(path);
  }
  ~folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

TEST(scenario, folders_are_suites) {
  folder here;
  EXPECT_THROW(collect({here.path}), scenario_error);
  EXPECT_THROW(collect({here.path / "absent.toml"}), scenario_error);
  EXPECT_THROW(load(here.path / "absent.toml", names()), scenario_error);
  EXPECT_THROW(load(here.path, names()), scenario_error);
  std::filesystem::create_directories(here.path / "live");
  for (const char* name : {"b.toml", "a.toml", "live/c.toml", "notes.txt"})
    std::ofstream(here.path / name) << "schema = 1\n";
  const std::vector<found_file> found = collect({here.path});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path.filename(), "a.toml");
  EXPECT_EQ(found[2].suite, "live");
  EXPECT_TRUE(found[2].needs_server);
  EXPECT_FALSE(found[0].needs_server);
}

TEST(scenario, every_file_of_the_tree_loads_and_prints) {
  std::size_t count = 0;
  for (const found_file& file : collect({"scenarios"}))
    for (const scenario& one : load(file.path, names())) {
      EXPECT_FALSE(one.story.empty()) << file.path;
      const std::string text = print(one);
      EXPECT_EQ(print(parse(text, "printed.toml", names()).front()), text) << file.path;
      ++count;
    }
  EXPECT_GE(count, 40u);
}

}  // namespace
}  // namespace leaselab::scenarios
