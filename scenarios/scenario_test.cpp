#include "scenarios/scenario.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenarios/duration.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::scenarios {
namespace {

using sim::ns_per_ms;

std::map<std::string, std::vector<std::string>> policies() {
  std::map<std::string, std::vector<std::string>> all;
  for (const auto& one : sim::policy_table())
    all.emplace(one.key, std::vector<std::string>(one.values.begin(), one.values.end()));
  return all;
}

const known_names& names() {
  static const known_names all{
      {"memory", "memory-per-process", "redis", "redis-three-step", "redis-fenced",
       "release-then-acquire", "noop"},
      {},
      {"single_owner.grant",  "handoff.no_gap",        "handoff.no_steal",
       "handoff.honest",      "handoff.full_ttl",      "lease.linearizable",
       "acquire.idempotent",  "acquire.honest_denial", "release.owner_only",
       "renew.honest",        "expiry.on_time",        "key.isolation",
       "argument.refused",    "progress.after_crash",  "progress.after_heal",
       "single_owner.belief", "single_owner.effect",   "single_owner.fenced",
       "run.serialized",      "run.covered",           "loss.noticed",
       "signal.once",         "noop.selected",         "noop.always_wins",
       "noop.inert",          "noop.single_process"},
      {"calm", "interleave", "skew", "pause", "drift", "crash", "lossy", "partition", "scripts",
       "chaos", "backend-clock", "backend-restart", "failover", "eviction"},
      {"random", "pct", "pos", "urw", "exhaustive", "portfolio"},
      {"strict", "published"},
      policies()};
  return all;
}

std::vector<scenario> read_all(const std::string& body) {
  return parse("schema = 1\ntitle = \"x\"\n" + body, "some.toml", names());
}

scenario read(const std::string& body) {
  std::vector<scenario> all = read_all(body);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

const std::string acquire =
    "[[call]]\nname = \"first\"\nprocess = \"P1\"\ndo = \"acquire\"\nowner = \"A\"\n";

// What loading `text` says; empty: it loads.
std::string said(const std::string& text) {
  try {
    parse(text, "some.toml", names());
  } catch (const scenario_error& error) {
    return error.what();
  }
  return "";
}

std::string said_of(const std::string& body) { return said("schema = 1\ntitle = \"x\"\n" + body); }

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "\"" << text << "\" lacks " << word;
}

TEST(scenario, durations_are_exact) {
  EXPECT_EQ(parse_duration("250ms", 100), 250 * ns_per_ms);
  EXPECT_EQ(parse_duration("1.5s", 100), 1'500 * ns_per_ms);
  EXPECT_EQ(parse_duration("10us", 100), 10'000);
  EXPECT_EQ(parse_duration("7ns", 100), 7);
  EXPECT_EQ(parse_duration("2m", 100), 120'000 * ns_per_ms);
  EXPECT_EQ(parse_duration("0.7ms", 100), 700'000);
  EXPECT_EQ(parse_duration("0.5ttl", 100), 50 * ns_per_ms);
  EXPECT_EQ(parse_duration("1ttl-1ms", 100), 99 * ns_per_ms);
  EXPECT_EQ(parse_duration("2ttl+1ms-1ns", 100), 201 * ns_per_ms - 1);
  EXPECT_EQ(parse_duration("-180s", 100), -180'000 * ns_per_ms);
  EXPECT_EQ(parse_milliseconds("9007199254740992ms", 100), std::int64_t{1} << 53);
  EXPECT_EQ(parse_milliseconds("1ttl", (std::int64_t{1} << 53) - 1), (std::int64_t{1} << 53) - 1);
}

TEST(scenario, odd_durations_are_refused) {
  for (const char* text : {"", "5", "ms", "5 ms", "5mss", "1.ms", ".5ms", "0.5ns", "1e3ms", "5ms+",
                           "100000000000000000ms", "--5ms", "+5ms", "5ms 5ms"})
    EXPECT_THROW(parse_duration(text, 100), std::invalid_argument) << text;
  EXPECT_THROW(parse_milliseconds("1.5ms", 100), std::invalid_argument);
}

TEST(scenario, durations_are_written_as_they_are_read) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, 250 * ns_per_ms, 700'000L,
                                   1'000 * ns_per_ms, -5 * ns_per_ms, longest})
    EXPECT_EQ(parse_duration(format_duration(value), 100), value);
  EXPECT_EQ(format_duration(250 * ns_per_ms), "250ms");
  EXPECT_EQ(format_duration(60'000 * ns_per_ms), "60s");
}

TEST(scenario, edit_distance_counts_slips) {
  EXPECT_EQ(edit_distance("titel", "title"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("handof.no_gap", "handoff.no_gap"), 1);
}

TEST(scenario, whole_file_errors_name_file_and_line) {
  expect_words(said(""), {"some.toml:1:", "empty"});
  expect_words(said("schema = 1\ntitel = \"x\"\n"), {"some.toml:2:", "titel", "`title`"});
  expect_words(said("schema = 1\ntitle = \"x\"\nttl = \"-5ms\"\n"), {"some.toml:3:", "ttl"});
  expect_words(said("schema = = 1\n"), {"some.toml:1:"});
  expect_words(said("schema = 99\ntitle = \"x\"\n"), {"some.toml:1:", "99"});
  expect_words(said("title = \"x\"\n"), {"schema"});
  expect_words(said("schema = 1\n" + acquire), {"title", "missing"});
  expect_words(said("schema = 1\ntitle = \"x\"\n"), {"nothing to run"});
  expect_words(said(std::string("sch\0ema", 7)), {"some.toml:1:", "no text"});
  expect_words(said("\xff\xfe\x01"), {"some.toml:1:"});
}

TEST(scenario, key_type_and_value_errors_name_the_line) {
  expect_words(said_of("ttl = 1.5\n" + acquire), {"some.toml:3:", "`ttl`", "decimal"});
  expect_words(said_of(acquire + "at = 5\n"), {"some.toml:8:", "`at`", "\"250ms\""});
  expect_words(said_of(acquire + "at = \"-5ms\"\n"), {"some.toml:8:", "negative"});
  expect_words(said_of(acquire + "at = \"5min\"\n"), {"`at`", "min", "ttl"});
  expect_words(said_of(acquire + "ownr = \"A\"\n"), {"some.toml:8:", "ownr", "`owner`"});
  expect_words(said_of(acquire + "from = \"A\"\n"), {"some.toml:8:", "from", "acquire"});
  expect_words(said_of("[[call]]\nprocess = \"P1\"\ndo = \"steal\"\n"),
               {"some.toml:5:", "steal", "acquire", "transfer"});
  expect_words(said_of("[[call]]\ndo = \"get\"\n"), {"some.toml:3:", "`process`", "missing"});
  expect_words(said_of("[call]\ndo = \"get\"\n"), {"some.toml:3:", "[[call]]"});
  expect_words(said_of(acquire + "every = \"5ms\"\n"), {"every", "until"});
  expect_words(said_of(acquire + "expect = { aquired = true }\n"), {"aquired", "`acquired`"});
  expect_words(said_of(acquire + "expect = { ok = true }\n"), {"`ok`", "renew"});
  expect_words(said_of(acquire + "expect = { outcome = \"good\" }\n"), {"good", "not_made"});
}

TEST(scenario, names_that_do_not_exist_are_refused) {
  expect_words(said_of("[[call]]\nafter = \"nobody\"\nprocess = \"P1\"\ndo = \"get\"\n"),
               {"some.toml:4:", "nobody"});
  expect_words(said_of(acquire + "[[call]]\nafter = \"frist\"\nprocess = \"P1\"\ndo = \"get\"\n"),
               {"frist", "`first`"});
  expect_words(said_of("providers = [\"rediss\"]\n" + acquire), {"rediss", "`redis`"});
  expect_words(said_of("[expect]\ndefault = \"violates:handof.no_gap\"\n" + acquire),
               {"some.toml:4:", "handof.no_gap", "`handoff.no_gap`"});
  expect_words(said_of("[expect]\ndefault = \"hold\"\n" + acquire), {"hold", "violates"});
  expect_words(said_of("[expect]\nmemry = \"holds\"\n" + acquire), {"memry", "`memory`"});
  expect_words(said_of("[nemesis]\nprofile = \"caos\"\n" + acquire), {"caos", "`chaos`"});
  expect_words(said_of("[explore]\nstrategy = \"randm\"\n" + acquire), {"randm", "`random`"});
  expect_words(said_of("[[property]]\nid = \"x.y\"\n" + acquire), {"x.y", "allowed"});
  expect_words(said_of(acquire + "[[fault]]\nkind = \"pauze\"\nprocess = \"P1\"\n"),
               {"some.toml:9:", "pauze", "`pause`"});
  expect_words(said_of(acquire + "[[fault]]\nkind = \"crash\"\nprocess = \"P2\"\n"),
               {"some.toml:10:", "P2", "`P1`"});
  expect_words(said_of(acquire + "[[fault]]\nkind = \"evict\"\nkey = \"L\"\n"), {"\"L\""});
  expect_words(said_of(acquire + "[[fault]]\nkind = \"drop\"\ncall = \"second\"\n"), {"second"});
  expect_words(said_of(acquire + acquire), {"some.toml:9:", "two calls"});
}

TEST(scenario, fault_keys_belong_to_their_kind) {
  const auto fault = [](const std::string& keys) {
    return said_of(acquire + "[[fault]]\n" + keys);
  };
  expect_words(fault("kind = \"drop\"\ncall = \"first\"\nby = \"1ms\"\n"), {"`by`", "drop"});
  expect_words(fault("kind = \"hold\"\ncall = \"first\"\n"), {"until", "after"});
  expect_words(fault("kind = \"drop\"\ncall = \"first\"\ntrip = \"set\"\n"), {"set", "last"});
  expect_words(fault("kind = \"drop\"\ncall = \"first\"\ntrip = 0\n"), {"trip", "from 1"});
  expect_words(fault("kind = \"pause\"\nprocess = \"P1\"\n"), {"`for`", "missing"});
  expect_words(fault("kind = \"error_reply\"\ncall = \"first\"\nreply = \"NO\"\n"), {"LOADING"});
  expect_words(fault("kind = \"crash\"\npoint = \"P1:first\"\n"), {"point", "trip<k>"});
  expect_words(fault("kind = \"crash\"\npoint = \"P2:first:trip1:after\"\n"), {"P2", "P1"});
  expect_words(fault("kind = \"partition\"\nfrom = \"P1\"\nto = \"P1\"\n"), {"backend"});
  expect_words(fault("kind = \"pause\"\nprocess = \"backend\"\nfor = \"1ms\"\n"), {"backend"});
}

TEST(scenario, rings_of_waiting_calls_are_refused) {
  const std::string call = "[[call]]\nprocess = \"P1\"\ndo = \"get\"\n";
  expect_words(
      said_of(call + "name = \"a\"\nafter = \"b\"\n" + call + "name = \"b\"\nafter = \"a\"\n"),
      {"ring"});
  expect_words(said_of(call + "name = \"a\"\nafter = \"a\"\n"), {"itself"});
}

TEST(scenario, a_directed_file_is_one_schedule_without_delays) {
  const scenario one = read("ttl = \"200ms\"\n" + acquire +
                            "[[call]]\nafter = \"first+5ms\"\nprocess = \"P2\"\ndo = \"transfer\"\n"
                            "from = \"A\"\nto = \"\"\nkey = \"L\"\nttl = -1\n");
  EXPECT_TRUE(one.plan.one_at_a_time);
  EXPECT_TRUE(one.directed_only());
  EXPECT_EQ(one.plan.bounds.delay_max, 0);
  EXPECT_EQ(one.plan.bounds.lateness, 0);
  EXPECT_EQ(one.plan.bounds.quiet, 0);
  EXPECT_EQ(one.plan.bounds.call_limit, 5'000 * ns_per_ms);
  EXPECT_EQ(one.providers, names().providers);
  ASSERT_EQ(one.plan.calls.size(), 2u);
  EXPECT_EQ(one.plan.calls[0].ttl_ms, 200);
  EXPECT_EQ(one.plan.calls[1].after, 0u);
  EXPECT_EQ(one.plan.calls[1].wait, 5 * ns_per_ms);
  EXPECT_EQ(one.plan.calls[1].ttl_ms, -1);
  EXPECT_EQ(one.plan.calls[1].to, sim::nobody);
  EXPECT_EQ(one.plan.owners, (std::vector<std::string>{"", "A"}));
  EXPECT_EQ(one.plan.keys, (std::vector<std::string>{"K", "L"}));
  EXPECT_EQ(one.plan.processes[1].name, "P2");
}

TEST(scenario, a_generated_file_has_phases_and_a_strategy) {
  const scenario one = read("[workload]\nkind = \"churn\"\nprocesses = 3\nmargin = \"20ms\"\n");
  EXPECT_TRUE(one.workload.generated);
  EXPECT_FALSE(one.plan.one_at_a_time);
  EXPECT_EQ(one.plan.workload, sim::workload_kind::churn);
  EXPECT_EQ(one.workload.processes, (range{3, 3}));
  EXPECT_EQ(one.plan.margin_ppm, 200'000);
  EXPECT_EQ(one.plan.bounds.safety, 2'000 * ns_per_ms);
  EXPECT_EQ(one.plan.bounds.quiet, 600 * ns_per_ms);
  ASSERT_TRUE(one.explore);
  EXPECT_EQ(one.explore->strategy, "portfolio");
}

TEST(scenario, odd_ttls_can_be_stated) {
  for (const auto& [text, ttl_ms] : std::vector<std::pair<std::string, std::int64_t>>{
           {"0", 0}, {"-1", -1}, {"9007199254740992", std::int64_t{1} << 53}, {"\"2ttl\"", 200}})
    EXPECT_EQ(read(acquire + "ttl = " + text + "\n").plan.calls[0].ttl_ms, ttl_ms) << text;
}

TEST(scenario, seeds_are_decimal_or_hexadecimal) {
  for (const auto& [text, seed] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"7", 7}, {"0x1f", 31}, {"\"0xffffffffffffffff\"", ~std::uint64_t{0}}, {"\"12\"", 12}})
    EXPECT_EQ(read(acquire + "[explore]\nseed = " + text + "\n").explore->seed, seed) << text;
  expect_words(said_of(acquire + "[explore]\nseed = -1\n"), {"seed", "0x"});
  expect_words(said_of(acquire + "[explore]\nseed = \"0xg\"\n"), {"seed", "0x"});
}

TEST(scenario, expectations_go_from_the_provider_to_the_default) {
  const scenario one = read(
      "providers = [\"memory\", \"redis\"]\n[expect]\ndefault = \"clean\"\n"
      "redis = \"violates-only:handoff.no_gap,handoff.honest\"\n"
      "memory = \"not_applicable\"\n\"mutant:M10\" = \"violates:acquire.honest_denial\"\n" +
      acquire +
      "expect = { acquired = true, noop.owner = \"B\", redis.acquired = false, "
      "redis.outcome = \"not_made\", \"redis+published\".acquired = true }\n");
  EXPECT_EQ(to_string(expectation_of(one, "redis")), "violates-only:handoff.no_gap,handoff.honest");
  EXPECT_EQ(expectation_of(one, "noop").kind, expected::clean);
  EXPECT_EQ(providers_of(one), (std::vector<std::string>{"redis", "mutant:M10"}));
  EXPECT_EQ(answer_of(one, 0, "memory").acquired, true);
  EXPECT_EQ(answer_of(one, 0, "redis").acquired, false);
  EXPECT_EQ(answer_of(one, 0, "redis").outcome, call_outcome::not_made);
  EXPECT_EQ(answer_of(one, 0, "redis+published").acquired, true);
  EXPECT_EQ(answer_of(one, 0, "redis+strict").acquired, false);
  EXPECT_EQ(answer_of(one, 0, "noop").owner, "B");
  EXPECT_EQ(answer_of(one, 0, "mutant:M10"), answer{});
}

TEST(scenario, a_provider_meets_only_its_calls_and_faults) {
  const scenario one =
      read(acquire + "providers = [\"redis\"]\n" +
           "[[call]]\nname = \"second\"\nafter = \"first\"\nprocess = \"P1\"\ndo = \"get\"\n"
           "[[call]]\nname = \"third\"\nprocess = \"P1\"\ndo = \"get\"\n"
           "[[fault]]\nkind = \"drop\"\ncall = \"second\"\n"
           "[[fault]]\nkind = \"drop\"\ncall = \"third\"\nproviders = [\"memory\"]\n");
  EXPECT_EQ(plan_for(one, "redis").calls.size(), 3u);
  EXPECT_EQ(plan_for(one, "redis").faults.size(), 1u);
  EXPECT_EQ(plan_for(one, "mutant:M10", "redis").calls.size(), 3u);
  const sim::plan memory = plan_for(one, "memory");
  ASSERT_EQ(memory.calls.size(), 1u);
  EXPECT_EQ(memory.calls[0].id, 2u);
  ASSERT_EQ(memory.faults.size(), 1u);
  EXPECT_EQ(memory.faults[0].id, 1u);
}

TEST(scenario, a_matrix_makes_one_scenario_a_combination) {
  const std::vector<scenario> all = read_all(acquire +
                                             "at = \"1ttl\"\n[matrix]\nttl = [\"50ms\", \"15s\"]\n"
                                             "\"workload.margin\" = [\"0.1ttl\", \"0.2ttl\"]\n");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].variation, "ttl=50ms workload.margin=0.2ttl");
  EXPECT_EQ(all[1].plan.margin_ppm, 200'000);
  EXPECT_EQ(all[3].plan.calls[0].at, 15'000 * ns_per_ms);
  expect_words(said_of(acquire + "[matrix]\nttl = \"5ms\"\n"), {"some.toml:9:", "list"});
  expect_words(said_of(acquire + "[matrix]\nttll = [\"5ms\"]\n"), {"some.toml:9:", "`ttl`"});
}

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
