#include "sim/plan_json.hpp"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <limits>
#include <stdexcept>

#include "sim/json_text.hpp"

namespace leaselab::sim {
namespace {

// Every member holds something other than its default, the extremes included.
plan full_plan() {
  plan value;
  value.workload = workload_kind::handoff;
  value.profile = "chaos";
  value.seed = std::numeric_limits<std::uint64_t>::max();
  value.ttl_ms = 15'000;
  value.margin_ppm = 50'000;
  value.backend_phase = 999'999;
  value.resource = resource_kind::fenced;
  value.decorators = 3;
  value.lacking = 16;
  value.one_at_a_time = true;
  value.bounds = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  value.processes = {{"P1", -180'000'000'000, 1'010'000'000, true}, {"P2"}};
  value.keys = {"K", std::string("\xff\x00\x80", 3)};
  value.owners = {"", "A \"quoted\"\n\u2603", std::string("nul\0", 4)};
  call_spec call;
  call.id = 7;
  call.name = "first";
  call.what = verb::transfer;
  call.process = call.key = 1;
  call.owner = 1;
  call.to = 2;
  call.ttl_ms = std::numeric_limits<std::int64_t>::min();
  call.limit = never;
  call.at = 10;
  call.after = 3;
  call.wait = 1;
  call.at_expiry = true;
  call.every = 5;
  call.until = 6;
  call.if_held = true;
  call.lasts = 8;
  call.pace = 9;
  call.guarded = false;
  value.calls = {call, {}};
  value.calls[1].id = 3;
  fault_spec fault;
  fault.id = 4;
  fault.kind = fault_kind::hold;
  fault.process = 1;
  fault.at = 11;
  fault.at_latest = 12;
  fault.point = code_point{7, 2, true};
  fault.lasts = never;
  fault.by = std::numeric_limits<std::int64_t>::max();
  fault.to_ppb = 13;
  fault.period = 14;
  fault.clock = which_clock::both;
  fault.clock_stands = true;
  fault.call = 7;
  fault.trip = last_trip;
  fault.command = "EVALSHA:refresh";
  fault.leg = leg::reply;
  fault.until = 15;
  fault.until_call = 8;
  fault.cut_requests = fault.cut_replies = false;
  fault.new_identity = true;
  fault.state_lost = false;
  fault.reply = "LOADING";
  fault.data = data_kept::appendonly;
  fault.behind = 16;
  fault.replica = 17;
  fault.key = 1;
  fault.value = "X";
  value.faults = {fault, {}};
  value.faults[1].process = 0;
  value.decisions = {{{event_label::request, 1, 2, 3, 7}, 99}, {{event_label::quiet}, never}};
  return value;
}

std::string error_of(const std::string& text) {
  try {
    plan_from_json(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// The text of the full plan with one part of it replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = to_json(full_plan());
  const auto where = text.find(from);
  EXPECT_NE(where, std::string::npos) << from;
  return text.replace(where, from.size(), to);
}

TEST(plan_json, a_plan_survives_the_round_trip) {
  for (const plan& value : {full_plan(), plan{}}) {
    const std::string text = to_json(value);
    EXPECT_EQ(to_json(plan_from_json(text)), text);
  }
}

TEST(plan_json, numbers_and_bytes_come_back_exactly) {
  const plan back = plan_from_json(to_json(full_plan()));
  EXPECT_EQ(back.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(back.calls[0].ttl_ms, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(back.calls[0].limit, never);
  EXPECT_EQ(back.calls[1].after, no_spec);
  EXPECT_EQ(back.faults[0].lasts, never);
  EXPECT_EQ(back.faults[0].by, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(back.keys, full_plan().keys);
  EXPECT_EQ(back.owners, full_plan().owners);
  EXPECT_EQ(back.decisions, full_plan().decisions);
}

TEST(plan_json, defaults_are_written_out) {
  const std::string text = to_json(plan{});
  for (const char* member : {"\"bounds\":{", "\"call_limit_ns\":5000000000", "\"decisions\":[]",
                             "\"margin_ppm\":100000", "\"owners\":[\"\"]"}) {
    EXPECT_NE(text.find(member), std::string::npos) << member;
  }
}

TEST(plan_json, refusals_name_the_member) {
  EXPECT_EQ(error_of("{}"), "plan.workload: is missing");
  EXPECT_EQ(error_of("[]"), "plan: must be an object");
  EXPECT_EQ(error_of("{\"a\":1").rfind("plan: no JSON: ", 0), 0u);
  EXPECT_EQ(
      error_of(changed("\"do\":\"transfer\"", "\"do\":\"steal\"")),
      "plan.calls[0].do: must be one of acquire, get, release, renew, transfer, write, close");
  EXPECT_EQ(error_of(changed("\"process\":1", "\"process\":256")),
            "plan.calls[0].process: must be a whole number from 0 to 255");
  EXPECT_EQ(error_of(changed("\"process\":1", "\"process\":2")), "plan.calls[0].process: 2 of 2");
  EXPECT_EQ(error_of(changed("\"if_held\":true", "\"if_held\":1")),
            "plan.calls[0].if_held: must be true or false");
  EXPECT_EQ(error_of(changed("\"by_ns\":9223372036854775807", "\"by_ns\":9223372036854775808")),
            "plan.faults[0].by_ns: must be a whole number from -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(error_of(changed("\"seed\":\"18446744073709551615\"", "\"seed\":\"0x1\"")),
            "plan.seed: must be a string of decimal digits, below 2^64");
  EXPECT_EQ(error_of(changed("\"profile\"", "\"profil\":1,\"profile\"")),
            "plan.profil: is not known");
  EXPECT_EQ(error_of(changed("{\"hex\":\"ff0080\"}", "{\"hex\":\"ff008\"}")),
            "plan.keys[1]: must be a string");
}

TEST(plan_json, what_no_world_could_run_is_refused) {
  EXPECT_EQ(error_of(changed("\"lateness_ns\":3", "\"lateness_ns\":-3")),
            "plan.bounds.lateness_ns: must not be negative");
  EXPECT_EQ(error_of(changed("\"calls\":[{\"id\":7", "\"calls\":[{\"id\":3")),
            "plan.calls[1].id: there are two of 3");
  EXPECT_EQ(error_of(changed("\"calls\":[{\"id\":7", "\"calls\":[{\"id\":4294967295")),
            "plan.calls[0].id: must be below 2147483648");
  EXPECT_EQ(
      error_of(changed("\"kind\":\"pause\",\"process\":0", "\"kind\":\"pause\",\"process\":null")),
      "plan.faults[1].process: 255 of 2");
}

TEST(plan_json, text_that_is_not_unicode_becomes_hex) {
  EXPECT_EQ(boost::json::serialize(json_text("\u00e9")), "\"\u00e9\"");
  for (const std::string bad :
       {"\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(bad));
    EXPECT_EQ(text_of(json_text(bad)), bad);
  }
  EXPECT_EQ(text_of(boost::json::parse("{\"hex\":\"FF\"}")), std::nullopt);
  EXPECT_EQ(text_of(boost::json::parse("3")), std::nullopt);
}

}  // namespace
}  // namespace leaselab::sim
