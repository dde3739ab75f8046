#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include "cli/report/html.hpp"
#include "cli/report/json.hpp"
#include "cli/report/junit.hpp"
#include "cli/report/markdown.hpp"
#include "cli/report/statistics_text.hpp"
#include "cli/report/table.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::cell_result;

// Two providers, two properties, two profiles; one cell is broken.
class report : public ::testing::Test {
 protected:
  report() {
    redis_.name = "redis";
    decorated_.name = "release-then-acquire";
    asked_.providers = {&redis_, &decorated_};
    asked_.properties = {"single_owner.grant", "handoff.no_gap"};
    asked_.profiles = {"calm", "chaos"};
    asked_.seed = 42;
    add("redis", "single_owner.grant", "calm", cell_result::holds);
    add("redis", "single_owner.grant", "chaos", cell_result::holds);
    add("redis", "handoff.no_gap", "calm", cell_result::not_applicable);
    add("redis", "handoff.no_gap", "chaos", cell_result::not_applicable);
    add("release-then-acquire", "single_owner.grant", "calm", cell_result::unknown);
    add("release-then-acquire", "single_owner.grant", "chaos", cell_result::broken);
    add("release-then-acquire", "handoff.no_gap", "calm", cell_result::unwitnessed);
    add("release-then-acquire", "handoff.no_gap", "chaos", cell_result::witness);
    result_.cells[5].witness = 1;
    result_.cells[7].witness = 0;
    add_witness("handoff.no_gap", 3, "K is free", 9);
    add_witness("single_owner.grant", 7, "A & B", 12);
    result_.sometimes = {{"a denial", "calm", "redis", 0, true}};
    result_.schedules = 8'000;
    result_.seconds = 2;
    result_.digest = 0xfeed;
  }

  void add(const char* provider, const char* property, const char* profile, cell_result result) {
    properties::cell one;
    one.provider = provider;
    one.property = property;
    one.profile = profile;
    one.result = result;
    one.guaranteed = result == cell_result::holds || result == cell_result::broken;
    one.schedules = 1'000;
    result_.cells.push_back(one);
  }

  void add_witness(const char* property, std::uint64_t index, const char* text,
                   std::uint32_t events) {
    properties::witness one;
    one.provider = "release-then-acquire";
    one.property = property;
    one.profile = "chaos";
    one.index = index;
    one.text = text;
    one.events = events;
    result_.witnesses.push_back(one);
  }

  check_report made() const {
    return {"leaselab 0.1.0  seed 42",
            "model",
            asked_,
            result_,
            matrix(asked_, result_),
            {{"out/gap.jsonl", "out/gap.toml", "<svg>gap</svg>"},
             {"out/two owners.jsonl", "out/two.toml", "<svg>two</svg>"}}};
  }

  sim::variant redis_, decorated_;
  properties::check_options asked_;
  properties::check_result result_;
};

TEST_F(report, the_table_shows_the_worst_with_its_profile) {
  EXPECT_EQ(matrix_table(made().cells, {}),
            "                               release-then-\n"
            "                    redis      acquire\n"
            "single_owner.grant  holds      broken chaos\n"
            "handoff.no_gap      -          witness chaos\n");
}

TEST_F(report, a_narrow_terminal_gets_the_table_in_blocks) {
  EXPECT_EQ(matrix_table(made().cells, {.width = 40}),
            "                    redis\n"
            "single_owner.grant  holds\n"
            "handoff.no_gap      -\n"
            "\n"
            "                    release-then-\n"
            "                    acquire\n"
            "single_owner.grant  broken chaos\n"
            "handoff.no_gap      witness chaos\n");
}

TEST_F(report, colour_changes_no_column) {
  std::string plain = matrix_table(made().cells, {.colour = true});
  EXPECT_NE(plain.find("\x1b[1;31mbroken chaos\x1b[0m"), std::string::npos);
  for (auto at = plain.find('\x1b'); at != std::string::npos; at = plain.find('\x1b')) {
    plain.erase(at, plain.find('m', at) - at + 1);
  }
  EXPECT_EQ(plain, matrix_table(made().cells, {}));
}

TEST_F(report, the_profiles_are_grouped_by_result) {
  const std::string lines = profile_lines(made(), {});
  EXPECT_NE(lines.find("  single_owner.grant  holds: calm chaos\n"), std::string::npos);
  EXPECT_NE(lines.find("  single_owner.grant  broken: chaos  unknown: calm\n"), std::string::npos);
}

TEST_F(report, only_independent_schedules_bound_a_rate) {
  EXPECT_EQ(profile_lines(made(), {}).find("95 %"), std::string::npos);
  asked_.strategy = "random";
  EXPECT_NE(profile_lines(made(), {}).find("(0 in 1,000 each: below 0.003 a schedule at 95 %)"),
            std::string::npos);
}

TEST_F(report, what_was_covered_is_one_line_and_a_bound_where_there_is_one) {
  EXPECT_EQ(statistics_lines({}, "random", 2), "");
  properties::search_statistics counted;
  counted.schedules = 4'000;
  counted.steps = 260'000;
  counted.fewest_steps = 5;
  counted.most_steps = 20'000;
  counted.at_step_limit = 1;
  counted.simulated_us = 7'200'000'000;
  counted.most_threads = 50;
  counted.longest_draw = 100;
  counted.outlasted = 40;
  result_.covered = {{"redis", "calm", counted, 3'990, false},
                     {"redis", "chaos", counted, 4'000, true}};
  EXPECT_EQ(statistics_lines(result_.covered, "random", 2),
            "about 7,990 distinct; 5 to 20,000 steps, 65.0 on average (0.025 % at the limit); 4 h "
            "simulated (7,200 : 1)\n");
  EXPECT_TRUE(
      statistics_lines(result_.covered, "pct:2", 2)
          .ends_with("a bug of depth 2 shows in a schedule with at least 1/(n k^1) = 0.0002 "
                     "(n 50, k 100, for 99 % of them)\n"));
  const auto text = check_text(made(), {});
  EXPECT_NE(text.find("about 7,990 distinct; "), std::string::npos);
  EXPECT_EQ(text.find("redis  calm   4,000 schedules, 3,990 distinct; "), std::string::npos);
  EXPECT_EQ(text.find("what holds"), std::string::npos);
  EXPECT_NE(
      check_text(made(), {.verbose = true}).find("redis  calm   4,000 schedules, 3,990 distinct"),
      std::string::npos);
  asked_.strategy = "random";
  EXPECT_NE(
      check_text(made(), {})
          .find("what holds, at the least: 0 in 1,000 each: below 0.003 a schedule at 95 %\n"),
      std::string::npos);
  const auto value = check_json(made());
  EXPECT_EQ(value.at("statistics").at("distinct").as_uint64(), 7'990u);
  EXPECT_EQ(value.at("statistics").at("simulated_per_real").as_double(), 7'200);
  EXPECT_EQ(value.at("cells").at(0).at("below_at_95").as_double(), 0.003);
  EXPECT_TRUE(value.at("cells").at(6).at("below_at_95").is_null());
}

TEST_F(report, the_text_ends_in_the_replay_of_the_worst) {
  const std::string text = check_text(made(), {});
  EXPECT_NE(text.find("broken  single_owner.grant of release-then-acquire in chaos: A & B\n"),
            std::string::npos);
  EXPECT_NE(text.find("unreached  \"a denial\" of redis in calm\n"), std::string::npos);
  EXPECT_NE(text.find("2 holds, 1 broken, 1 witness, 1 unwitnessed, 0 limit, 1 unknown, "
                      "2 not_applicable\n"),
            std::string::npos);
  EXPECT_NE(text.find("8,000 schedules in 2.0 s (4,000/s), digest 000000000000feed\n"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with("leaselab replay 'out/two owners.jsonl'\n")) << text;
}

TEST_F(report, json_has_the_shape_of_the_manual) {
  const auto value = boost::json::parse(to_lines(check_json(made()))).as_object();
  EXPECT_EQ(value.at("tool").as_string(), "leaselab");
  EXPECT_EQ(value.at("seed").as_string(), "42");
  EXPECT_EQ(value.at("digest").as_string(), "000000000000feed");
  EXPECT_EQ(value.at("schedules_per_second").as_double(), 4000.0);
  const auto& cell = value.at("cells").as_array().at(5).as_object();
  EXPECT_EQ(cell.at("result").as_string(), "broken");
  EXPECT_EQ(cell.at("declared").as_string(), "guaranteed");
  EXPECT_EQ(cell.at("trace").as_string(), "out/two owners.jsonl");
  EXPECT_TRUE(value.at("cells").as_array().at(0).as_object().at("trace").is_null());
  EXPECT_EQ(value.at("summary").as_object().at("broken").as_int64(), 1);
  EXPECT_EQ(value.at("sometimes").as_array().at(0).as_object().at("count").as_int64(), 0);
  result_.digest.reset();
  EXPECT_TRUE(check_json(made()).at("digest").is_null());
}

TEST_F(report, junit_fails_what_is_broken_and_only_that) {
  const std::string text = check_junit(made());
  EXPECT_NE(text.find("<failure message=\"A &amp; B\">"), std::string::npos);
  EXPECT_NE(text.find("name=\"release-then-acquire.chaos\" tests=\"2\" failures=\"1\" errors=\"0\" "
                      "skipped=\"0\""),
            std::string::npos);
  EXPECT_NE(text.find("name=\"redis.calm\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""),
            std::string::npos);
}

TEST_F(report, html_and_markdown_hold_the_matrix) {
  const std::string page = check_html(made());
  EXPECT_NE(page.find("<svg>two</svg>"), std::string::npos);
  EXPECT_NE(page.find("href=\"#witness-2\""), std::string::npos);
  EXPECT_EQ(page.find("A & B"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  const std::string table = check_markdown(made());
  EXPECT_NE(table.find("| `single_owner.grant` | holds | **broken** chaos |"), std::string::npos);
}

TEST(report_text, small_pieces) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(shell_word("a/b-c.1"), "a/b-c.1");
  EXPECT_EQ(shell_word("it's *"), "'it'\\''s *'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(escaped("<a href=\"x\">\x01\xff"), "&lt;a href=&quot;x&quot;&gt;\\x01\\xff");
  EXPECT_EQ(counted(1, "witness", "witnesses"), "1 witness");
}

}  // namespace
}  // namespace leaselab::cli
