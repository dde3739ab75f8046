// Each known failure of a client is found by a search that is told nothing but the client, and
// shrinks to a story; scenarios/README.md keeps the seeds.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "properties/testing/findings.hpp"

namespace leaselab::properties::testing {
namespace {

constexpr std::size_t most_events = 12;

void expect_a_story(const finding& wanted) {
  const auto met = search_for(wanted, wanted.seed, wanted.schedules);
  ASSERT_TRUE(met) << "not found in " << wanted.schedules << " schedules of seed " << wanted.seed;
  EXPECT_EQ(met->index + 1, wanted.schedules);
  EXPECT_LE(met->plan.decisions.size(), most_events) << met->text;
  EXPECT_LT(met->plan.decisions.size(), met->events_before);
  EXPECT_TRUE(met->directed) << "cannot be told as a scenario";
}

TEST(findings, each_is_found_and_shrinks_to_a_story) {
  for (const finding& wanted : findings()) {
    SCOPED_TRACE(wanted.name);
    expect_a_story(wanted);
  }
}

void expect_a_row(const finding& wanted) {
  const std::string name = wanted.name;
  EXPECT_TRUE(std::ifstream("scenarios/runtime/" + name + ".toml")) << name;
  std::stringstream search;
  search << "`-p " << wanted.provider << " -f " << wanted.profile << " --client " << wanted.client
         << " --seed " << wanted.seed << "` | " << wanted.schedules << " |";
  std::ifstream readme("scenarios/README.md");
  std::string line;
  bool found = false;
  while (std::getline(readme, line)) {
    if (line.find("`" + name + "`") == std::string::npos) continue;
    found = true;
    EXPECT_NE(line.find(search.str()), std::string::npos)
        << line << "\nshould say " << search.str();
    EXPECT_NE(line.find("`" + std::string(wanted.property) + "`"), std::string::npos) << line;
  }
  EXPECT_TRUE(found) << name << " has no row";
}

TEST(findings, each_stands_in_the_track_record) {
  for (const finding& wanted : findings()) expect_a_row(wanted);
}

// The causes tell failures apart: a strict client shows none of them.
TEST(findings, no_strict_client_shows_one) {
  for (const finding& one : findings()) {
    finding strict = one;
    strict.client = "strict";
    EXPECT_FALSE(search_for(strict, one.seed, 200)) << one.name;
  }
}

}  // namespace
}  // namespace leaselab::properties::testing
