#include "cli/report/judge_report.hpp"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace leaselab::cli {
namespace {

using properties::verdict;

constexpr auto header = "{\"history\":1,\"ttl\":100,\"reading\":\"at\",\"clock_error\":2}\n";

std::string acquire(int id, const std::string& key, const std::string& owner, int called) {
  return "{\"id\":" + std::to_string(id) + ",\"process\":\"p" + owner +
         "\",\"op\":\"acquire\",\"key\":\"" + key + "\",\"owner\":\"" + owner +
         "\",\"call\":" + std::to_string(called) + ",\"return\":" + std::to_string(called + 5) +
         ",\"outcome\":\"ok\",\"answer\":true,\"token\":1}\n";
}

judged_history judged(const std::string& lines, std::uint64_t budget = 1000) {
  const auto history = properties::parse_history(header + lines, "h");
  return describe_judged("h", history, properties::judge(history, budget), 0.5);
}

TEST(judge_report, names_the_end_of_the_prefix_that_nothing_explains) {
  const auto got = judged(acquire(1, "x", "a", 0) + acquire(2, "y", "a", 0) +
                          acquire(3, "y", "b", 40) + acquire(4, "x", "b", 20));
  EXPECT_EQ(got.result.value, verdict::violated);
  EXPECT_EQ(got.result.key, "x") << "its prefix ends first";
  EXPECT_EQ(got.why,
            "nothing explains the first 2 answers on key `x`; without the last of them, something "
            "does; 2 keys are like it");
  ASSERT_EQ(got.ending.size(), 2u);
  EXPECT_EQ(got.ending[0], "[0, 5] id 1: pa acquire as a: yes, token 1");
  EXPECT_EQ(got.ending[1], "[20, 25] id 4: pb acquire as b: yes, token 1");
  EXPECT_NE(judge_text(got, false).find("  > [20, 25] id 4"), std::string::npos);
}

TEST(judge_report, machines_get_the_worst_and_each) {
  const std::vector<judged_history> all{judged(acquire(1, "x", "a", 0)),
                                        judged(acquire(1, "x", "a", 0) + acquire(2, "x", "b", 20))};
  const auto got = judge_json(all);
  EXPECT_EQ(got.at("verdict").as_string(), "violated");
  EXPECT_EQ(got.at("operations").as_uint64(), 3u);
  EXPECT_DOUBLE_EQ(got.at("check_seconds").as_double(), 1.0);
  EXPECT_DOUBLE_EQ(got.at("operations_per_second").as_double(), 3.0);
  EXPECT_EQ(got.at("prefix").at("key").as_string(), "x");
  EXPECT_EQ(got.at("prefix").at("answers").as_uint64(), 2u);
  EXPECT_EQ(got.at("prefix").at("last_id").as_uint64(), 2u);
  ASSERT_EQ(got.at("histories").as_array().size(), 2u);
  EXPECT_TRUE(got.at("histories").at(0).at("prefix").is_null());
  EXPECT_EQ(got.at("histories").at(0).at("verdict").as_string(), "holds");
}

TEST(judge_report, unknown_says_why) {
  EXPECT_EQ(judged("").why, "no operations: nothing was judged");
  EXPECT_EQ(judged("").result.value, verdict::unknown);
  EXPECT_EQ(judged(acquire(1, "x", "a", 0) + acquire(2, "x", "a", 9), 1).why,
            "the budget was spent on 1 key");
  std::string crowd;
  for (int i = 0; i < 1025; ++i) crowd += acquire(i, "x", "a", 0);
  EXPECT_EQ(judged(crowd).why, "more than 1,024 calls are open at one instant");
  EXPECT_EQ(verdict_of({judged("")}), verdict::unknown);
}

}  // namespace
}  // namespace leaselab::cli
