// Files in, scenarios out, and what is said of files that are wrong.
#include "scenarios/scenario.hpp"

#include <gtest/gtest.h>

#include "scenarios/duration.hpp"
#include "scenarios/testing.hpp"

namespace leaselab::scenarios {
namespace {

using namespace testing;
using sim::ns_per_ms;

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

}  // namespace
}  // namespace leaselab::scenarios
