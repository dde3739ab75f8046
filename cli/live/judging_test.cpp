// The oracles of live runs on logs written by hand: what must fire, what must stay silent, and
// what is neither.
#include "cli/live/judging.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace leaselab::cli::live {
namespace {

using properties::verdict;

constexpr std::int64_t ms = 1'000'000;
constexpr judging_options options{.ttl_ms = 100, .clock_error_ns = 2 * ms, .begin = 0};

// In ms. `returned` < 0: no answer came.
std::string call(int id, const char* op, const char* owner, std::int64_t called,
                 std::int64_t returned, const char* rest = "") {
  const auto end = returned < 0 ? std::string("null") : std::to_string(returned * ms);
  return fmt::format(R"({{"id":{},"process":"p","op":"{}","key":"k0","owner":"{}","call":{},)"
                     R"("return":{},"outcome":"{}"{}}})"
                     "\n",
                     id, op, owner, called * ms, end, returned < 0 ? "info" : "ok", rest);
}
constexpr auto yes = R"(,"answer":true)";

live_record calls(const std::string& text) {
  live_record record;
  read_calls(text, record);
  sort_calls(record);
  return record;
}

judged grants(const std::string& text) { return judge_grants(calls(text), options); }

judged history(const std::string& text) {
  return judge_history(merged_history(calls(text), 100, 2 * ms));
}

TEST(grants, of_two_owners_at_once_are_a_violation) {
  const auto text = call(1, "acquire", "w0.0#1", 0, 1, yes) +  //
                    call(2, "acquire", "w1.0#1", 50, 51, yes);
  const auto got = grants(text);
  EXPECT_EQ(got.value, verdict::violated);
  EXPECT_EQ(got.overlaps, 1u);
  EXPECT_EQ(got.longest_ns, (100 - 2 - 51) * ms);
  EXPECT_NE(got.text.find("k0: w0.0#1 and w1.0#1 for 47.0 ms (0.47 ttl)"), std::string::npos)
      << got.text;
  EXPECT_EQ(history(text).value, verdict::violated);
}

TEST(grants, end_with_a_release_or_their_deadline) {
  const auto text = call(1, "acquire", "w0.0#1", 0, 1, yes) +  //
                    call(2, "renew", "w0.0#1", 30, 31, yes) + call(3, "release", "w0.0#1", 60, 61) +
                    call(4, "acquire", "w1.0#1", 62, 63, yes) +
                    call(5, "acquire", "w2.0#1", 170, 171, yes);
  EXPECT_EQ(grants(text).value, verdict::holds);
  EXPECT_EQ(grants(text).looked_at, 3u);
  EXPECT_EQ(grants(text).uncertain, 0u);
  EXPECT_EQ(history(text).value, verdict::holds);
}

TEST(grants, that_may_overlap_are_uncertain) {
  // The release was called before the other was answered, and its own answer never came.
  const auto text = call(1, "acquire", "w0.0#1", 0, 1, yes) +  //
                    call(2, "release", "w0.0#1", 40, -1) +
                    call(3, "acquire", "w1.0#1", 41, 45, yes);
  EXPECT_EQ(grants(text).value, verdict::holds);
  EXPECT_EQ(grants(text).uncertain, 1u);
  EXPECT_EQ(history(text).value, verdict::holds);
}

TEST(grants, nothing_granted_is_nothing_known) {
  EXPECT_EQ(grants(call(1, "acquire", "w0.0#1", 0, -1)).value, verdict::unknown);
  EXPECT_EQ(history("").value, verdict::unknown);
}

TEST(calls, the_last_line_of_an_id_counts_and_a_torn_one_does_not) {
  const auto record = calls(call(1, "acquire", "w0.0#1", 0, -1) +
                            call(1, "acquire", "w0.0#1", 0, 5, yes) + R"({"id":2,"pro)");
  ASSERT_EQ(record.calls.size(), 1u);
  EXPECT_TRUE(record.calls[0].yes);
  EXPECT_EQ(record.calls[0].returned, 5 * ms);
  EXPECT_EQ(record.torn_lines, 1u);
}

std::string belief(const char* owner, std::int64_t at, std::int64_t until) {
  return fmt::format(R"({{"key":"k0","owner":"{}","at":{},"until":{}}})"
                     "\n",
                     owner, at * ms, until * ms);
}
std::string end(const char* owner, std::int64_t at) {
  return fmt::format(R"({{"key":"k0","owner":"{}","at":{},"end":"release"}})"
                     "\n",
                     owner, at * ms);
}

live_record beliefs(const std::string& text) {
  live_record record;
  read_beliefs(text, record);
  for (const char* name : {"w0.0", "w1.0"}) record.processes[name].clock = {{0, 0, 1'000'000}};
  return record;
}

TEST(beliefs, end_where_the_own_clock_reads_the_deadline) {
  auto record = beliefs(belief("w0.0#1", 0, 90) + belief("w1.0#1", 95, 180));
  EXPECT_EQ(judge_beliefs(record, options).value, verdict::holds);
  // The same lines, but the first one's clock stood from 50 to 150.
  record.processes["w0.0"].clock = {
      {0, 0, 1'000'000}, {50 * ms, 50 * ms, 0}, {150 * ms, 50 * ms, 1'000'000}};
  const auto got = judge_beliefs(record, options);
  EXPECT_EQ(got.value, verdict::violated);
  EXPECT_NEAR(static_cast<double>(got.longest_ns), 85.0 * ms, 0.1 * ms);
}

TEST(beliefs, end_with_a_release_and_with_a_kill) {
  const auto released = belief("w0.0#1", 0, 90) + end("w0.0#1", 40) + belief("w1.0#1", 41, 120);
  EXPECT_EQ(judge_beliefs(beliefs(released), options).value, verdict::holds);
  auto record = beliefs(belief("w0.0#1", 0, 90) + belief("w1.0#1", 41, 120));
  EXPECT_EQ(judge_beliefs(record, options).value, verdict::violated);
  record.processes["w0.0"].killed_from = 40 * ms;
  record.processes["w0.0"].killed_by = 42 * ms;
  const auto got = judge_beliefs(record, options);
  EXPECT_EQ(got.value, verdict::holds);
  EXPECT_EQ(got.uncertain, 1u);
}

TEST(beliefs, are_prolonged) {
  const auto text =
      belief("w0.0#1", 0, 90) + belief("w0.0#1", 30, 120) + belief("w1.0#1", 110, 200);
  EXPECT_EQ(judge_beliefs(beliefs(text), options).longest_ns / ms, 10);
}

judged effects(const std::string& text) {
  live_record record;
  read_work(text, "k0", record);
  return judge_effects(record, options);
}

TEST(effects, of_two_incarnations_must_not_mix) {
  EXPECT_EQ(effects("1 w0.0#1\n2 w0.0#1\n3 w1.0#1\n4 w1.0#1\n").value, verdict::holds);
  const auto got = effects("1000000 w0.0#1\n2000000 w1.0#1\n3000000 w0.0#1\n4000000 w1.0#1\n");
  EXPECT_EQ(got.value, verdict::violated);
  EXPECT_EQ(got.longest_ns, 1 * ms);
  EXPECT_EQ(got.looked_at, 2u);
  // A restarted process is another incarnation; two tokens of one are not.
  EXPECT_EQ(effects("1 w0.0#1\n2 w0.1#1\n3 w0.0#1\n").value, verdict::violated);
  EXPECT_EQ(effects("1 w0.0#1\n2 w0.0#2\n3 w0.0#1\n").value, verdict::holds);
}

TEST(effects, a_step_that_landed_late_is_uncertain) {
  // It was taken at 3, in time, and landed after another's first step of 4.
  const auto got = effects("1 w0.0#1\n4 w1.0#1\n3 w0.0#1\n");
  EXPECT_EQ(got.value, verdict::holds);
  EXPECT_EQ(got.uncertain, 1u);
}

TEST(effects, nothing_done_is_nothing_known) { EXPECT_EQ(effects("").value, verdict::unknown); }

}  // namespace
}  // namespace leaselab::cli::live
