#include "sim/workload/policy.hpp"

#include <gtest/gtest.h>

namespace leaselab::sim {
namespace {

TEST(policy, strict_is_the_first_value_of_every_key) {
  for (const auto& one : policy_table()) {
    client_policy value;
    set_policy(value, one.key, one.values.front());
    EXPECT_EQ(value, preset("strict")) << one.key;
    for (std::size_t i = 1; i < one.values.size(); ++i) {
      set_policy(value, one.key, one.values[i]);
      EXPECT_NE(value, preset("strict")) << one.key;
    }
  }
  EXPECT_EQ(policy_table().size(), 16U);
}

TEST(policy, published_differs_in_all_but_the_order_of_work_and_release) {
  EXPECT_EQ(preset("published").stop_before_release, stop_first_policy::yes);
  EXPECT_EQ(to_string(preset("published")), "published");
}

TEST(policy, a_preset_and_what_differs_from_it) {
  const auto value = parse_client("strict,acquire_error=fail_open,release=await_once");
  EXPECT_EQ(value.acquire_error, acquire_error_policy::fail_open);
  EXPECT_EQ(value.release, release_policy::await_once);
  EXPECT_EQ(to_string(value), "strict,acquire_error=fail_open,release=await_once");
  EXPECT_EQ(parse_client(to_string(value)), value);
}

TEST(policy, unknown_words_come_with_the_known_ones) {
  const auto error_of = [](const char* text) {
    try {
      parse_client(text);
    } catch (const policy_error& error) {
      return std::string(error.what()) + " / " + error.word + " / " +
             (error.allowed.empty() ? "" : error.allowed.front());
    }
    return std::string("none");
  };
  EXPECT_EQ(error_of("strikt"), "there is no client `strikt` / strikt / strict");
  EXPECT_EQ(error_of("strict,tokn=unique"), "there is no policy `tokn` / tokn / token");
  EXPECT_EQ(error_of("strict,token=uniq"), "token cannot be `uniq` / uniq / unique");
  EXPECT_EQ(error_of("strict,token"), "`token` is no policy=value /  / ");
}

}  // namespace
}  // namespace leaselab::sim
