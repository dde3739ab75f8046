#include "providers/guarantees.hpp"

#include <gtest/gtest.h>

namespace leaselab {
namespace {

TEST(guarantees, a_glob_without_star_is_the_text_itself) {
  EXPECT_TRUE(glob_match("handoff", "handoff"));
  EXPECT_FALSE(glob_match("handoff", "handoff.atomic"));
  EXPECT_FALSE(glob_match("handoff.atomic", "handoff"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "x"));
  EXPECT_FALSE(glob_match("a.c", "abc"));
}

TEST(guarantees, a_star_matches_any_run) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*", "single_owner.grant"));
  EXPECT_TRUE(glob_match("handoff.*", "handoff.atomic"));
  EXPECT_TRUE(glob_match("handoff.*", "handoff."));
  EXPECT_FALSE(glob_match("handoff.*", "handoff"));
  EXPECT_TRUE(glob_match("*.grant", "single_owner.grant"));
  EXPECT_TRUE(glob_match("**", "x"));
}

// The first `ab` is the wrong one to stop at: the star has to be widened.
TEST(guarantees, a_star_is_widened_until_the_rest_fits) {
  EXPECT_TRUE(glob_match("*ab", "abab"));
  EXPECT_TRUE(glob_match("a*b*c", "a_bb_bc"));
  EXPECT_FALSE(glob_match("a*b*c", "a_bb_bcd"));
}

TEST(guarantees, a_failing_glob_with_many_stars_stays_cheap) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(5'000, 'a')));
}

TEST(guarantees, a_claim_needs_both_its_globs) {
  guarantees declared;
  declared.not_guaranteed = {{"handoff.*", "*"}, {"single_owner.belief", "clocks"}};
  declared.not_applicable = {{"*", "restart"}};

  EXPECT_TRUE(declared.excludes("handoff.atomic", "chaos"));
  EXPECT_TRUE(declared.excludes("single_owner.belief", "clocks"));
  EXPECT_FALSE(declared.excludes("single_owner.belief", "chaos"));
  EXPECT_FALSE(declared.excludes("single_owner.grant", "clocks"));
  EXPECT_FALSE(declared.excludes("single_owner.grant", "restart"));

  EXPECT_TRUE(declared.inapplicable("single_owner.grant", "restart"));
  EXPECT_FALSE(declared.inapplicable("handoff.atomic", "chaos"));
}

TEST(guarantees, nothing_declared_excludes_nothing) {
  const guarantees declared;
  EXPECT_FALSE(declared.excludes("single_owner.grant", "chaos"));
  EXPECT_FALSE(declared.inapplicable("single_owner.grant", "chaos"));
}

}  // namespace
}  // namespace leaselab
