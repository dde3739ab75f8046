#include "cli/values.hpp"

#include <gtest/gtest.h>

#include "cli/exit_status.hpp"

namespace leaselab::cli {
namespace {

TEST(values, seeds_are_decimal_or_hexadecimal) {
  EXPECT_EQ(seed_of("42"), 42u);
  EXPECT_EQ(seed_of("0x2a"), 42u);
  EXPECT_EQ(seed_of("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad : {"-1", "+1", "0x", "2a", "1.5", " 1", "18446744073709551616", "x"}) {
    EXPECT_THROW(seed_of(bad), usage_error) << bad;
  }
}

TEST(values, shares_are_exact) {
  EXPECT_EQ(share_ppm("--margin", "0.1"), 100'000);
  EXPECT_EQ(share_ppm("--margin", "0"), 0);
  EXPECT_EQ(share_ppm("--margin", "0.000001"), 1);
  for (const char* bad : {"1", "1.0", "-0.1", "0.0000001", "", ".", "0,1", "10%"}) {
    EXPECT_THROW(share_ppm("--margin", bad), usage_error) << bad;
  }
}

TEST(values, numbers_stay_in_their_range) {
  EXPECT_EQ(whole_number("--jobs", "8", 1, 8), 8u);
  EXPECT_EQ(optional_number("--jobs", "", 1, 8), std::nullopt);
  try {
    whole_number("--jobs", "0", 1, 8);
    FAIL();
  } catch (const usage_error& error) {
    EXPECT_STREQ(error.what(), "--jobs: `0` is no whole number from 1 to 8");
  }
}

TEST(values, a_time_limit_is_a_time) {
  EXPECT_EQ(positive_duration("--time-limit", "60s"), 60'000'000'000);
  EXPECT_EQ(positive_duration("--time-limit", "1.5s"), 1'500'000'000);
  for (const char* bad : {"60", "0s", "-1s", "1ttl", "soon", ""}) {
    EXPECT_THROW(positive_duration("--time-limit", bad), usage_error) << bad;
  }
}

}  // namespace
}  // namespace leaselab::cli
