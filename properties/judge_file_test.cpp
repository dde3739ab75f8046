#include "properties/judge_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace leaselab::properties {
namespace {

constexpr auto header = "{\"history\":1,\"unit\":\"ms\",\"ttl\":100,\"reading\":\"at\"}\n";

std::string line(const std::string& members) {
  return "{\"id\":1,\"process\":\"p\",\"key\":\"k\",\"call\":0,\"return\":5,\"outcome\":\"ok\"," +
         members + "}\n";
}

std::string error_of(const std::string& text) {
  try {
    parse_history(text, "h.jsonl");
  } catch (const history_error& error) {
    return error.what();
  }
  return "";
}

struct recorded {
  const char* name;
  verdict expected;
};

class recorded_files : public ::testing::TestWithParam<recorded> {};

TEST_P(recorded_files, get_their_verdict) {
  const auto history = read_history(std::string("properties/testdata/") + GetParam().name);
  EXPECT_EQ(judge(history).value, GetParam().expected);
}

// Fields left out claim nothing: what held still holds.
TEST_P(recorded_files, get_it_without_tokens_and_most_holders) {
  auto history = read_history(std::string("properties/testdata/") + GetParam().name);
  for (auto& key : history.keys) {
    for (auto& operation : key.operations) {
      operation.claims_token = false;
      const bool names =
          operation.call.op == lease_op::get ||
          (operation.call.op == lease_op::acquire && operation.answer == claim_of::no);
      if (!names) operation.claims_holder = false;
    }
  }
  const auto bare = judge(history).value;
  EXPECT_NE(bare, verdict::unknown);
  if (GetParam().expected == verdict::holds) {
    EXPECT_EQ(bare, verdict::holds);
  }
}

INSTANTIATE_TEST_SUITE_P(
    judge_file, recorded_files,
    ::testing::Values(recorded{"lease-n1000-c10.jsonl.gz", verdict::holds},
                      recorded{"lease-n10000-c10.jsonl.gz", verdict::holds},
                      recorded{"lease-unk5pct-n10000-c10.jsonl.gz", verdict::holds},
                      recorded{"lock-n10000-c10.jsonl.gz", verdict::holds},
                      recorded{"lease-bad-n1000-c10.jsonl.gz", verdict::violated},
                      recorded{"lock-bad-n1000-c5.jsonl.gz", verdict::violated}),
    [](const auto& info) {
      std::string name = info.param.name;
      name.resize(name.find('.'));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(judge_file, reads_what_is_there_and_nothing_else) {
  const auto history =
      parse_history(header + line("\"op\":\"acquire\",\"owner\":\"a\\u00e9\\n\",\"answer\":true") +
                        line("\"op\":\"get\",\"holder\":null,\"extra\":{\"x\":[1.5,\"}\"]}"),
                    "h");
  ASSERT_EQ(history.keys.size(), 1u);
  ASSERT_EQ(history.operations, 2u);
  const auto& first = history.keys[0].operations[0];
  EXPECT_EQ(history.owners[first.call.owner], "a\xc3\xa9\n");
  EXPECT_EQ(first.answer, claim_of::yes);
  EXPECT_FALSE(first.claims_holder);
  EXPECT_FALSE(first.claims_token);
  EXPECT_EQ(first.call.ttl, 100);
  const auto& second = history.keys[0].operations[1];
  EXPECT_TRUE(second.claims_holder);
  EXPECT_EQ(second.holder, 0u);
}

TEST(judge_file, keys_are_judged_apart) {
  const auto grant = [](const std::string& key, const std::string& owner, int id) {
    return "{\"id\":" + std::to_string(id) + ",\"op\":\"acquire\",\"key\":\"" + key +
           "\",\"owner\":\"" + owner +
           "\",\"call\":1,\"return\":2,\"outcome\":\"ok\",\"answer\":true}\n";
  };
  EXPECT_EQ(judge(parse_history(header + grant("x", "a", 1) + grant("y", "b", 2), "h")).value,
            verdict::holds);
  const auto bad = judge(
      parse_history(header + grant("x", "a", 1) + grant("y", "b", 2) + grant("y", "c", 3), "h"));
  EXPECT_EQ(bad.value, verdict::violated);
  EXPECT_EQ(bad.key, "y");
  EXPECT_EQ(bad.prefix, 2u);
  EXPECT_EQ(bad.last_id, 3u);
}

TEST(judge_file, units_granule_phase_and_clock_error_become_granules) {
  const auto history = parse_history(
      "{\"history\":1,\"unit\":\"us\",\"ttl\":100000,\"granule\":1000,\"phase\":300,"
      "\"clock_error\":10}\n"
      "{\"op\":\"renew\",\"owner\":\"a\",\"call\":-700,\"return\":1690,\"outcome\":\"ok\"}\n",
      "h");
  const auto& operation = history.keys[0].operations[0];
  EXPECT_EQ(operation.call.ttl, 100);
  EXPECT_EQ(operation.called, -710);
  EXPECT_EQ(operation.called_granule, -1);
  EXPECT_EQ(operation.returned, 1700);
  EXPECT_EQ(operation.returned_granule, 2);
}

TEST(judge_file, the_command_line_comes_before_the_header) {
  const auto history = parse_history(header + line("\"op\":\"get\""), "h", {reading_of::after, 10});
  EXPECT_EQ(history.header.reading, reading_of::after);
  EXPECT_EQ(history.header.granule, 10);
}

TEST(judge_file, a_null_ttl_is_a_lock) {
  const auto history =
      parse_history("{\"history\":1,\"ttl\":null}\n" + line("\"op\":\"acquire\",\"owner\":\"a\"") +
                        line("\"op\":\"acquire\",\"owner\":\"a\",\"ttl\":7"),
                    "h");
  EXPECT_EQ(history.keys[0].operations[0].call.ttl, no_expiry);
  EXPECT_EQ(history.keys[0].operations[1].call.ttl, 7);
}

TEST(judge_file, errors_name_file_and_line) {
  EXPECT_EQ(error_of(""), "h.jsonl:1: the file is empty: a header is missing");
  EXPECT_EQ(error_of("{}\n"), "h.jsonl:1: the first line must be a header with \"history\": 1");
  EXPECT_EQ(error_of(header + std::string("{\"op\":\"get\"")),
            "h.jsonl:2: expected ',' where the line ends");
  EXPECT_EQ(error_of(header + line("\"op\":\"get\"") + line("\"op\":\"steal\"")),
            "h.jsonl:3: \"op\" is steal, and must be acquire, renew, release, get or transfer");
  EXPECT_EQ(error_of(header + line("\"op\":\"renew\"")), "h.jsonl:2: \"owner\" is missing");
  EXPECT_EQ(error_of("{\"history\":1}\n" + line("\"op\":\"renew\",\"owner\":\"a\"")),
            "h.jsonl:2: \"ttl\" is missing, here and in the header");
  EXPECT_EQ(error_of(header + line("\"op\":\"get\",\"call\":9")),
            "h.jsonl:2: \"return\" is 5, and must be at least \"call\", 9");
  EXPECT_EQ(error_of(header + line("\"op\":\"get\",\"call\":1.5")),
            "h.jsonl:2: \"call\" is a fraction, a list or an object, and must be a whole number");
  EXPECT_THROW(read_history("properties/testdata/none.jsonl"), history_error);
}

}  // namespace
}  // namespace leaselab::properties
