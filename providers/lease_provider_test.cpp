#include "providers/lease_provider.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace leaselab {
namespace {

TEST(lease_provider, operations_have_the_contracts_names) {
  EXPECT_EQ(to_string(operation::acquire), "acquire_lease");
  EXPECT_EQ(to_string(operation::get), "get_lease_owner");
  EXPECT_EQ(to_string(operation::release), "release_lease");
  EXPECT_EQ(to_string(operation::renew), "renew_lease");
  EXPECT_EQ(to_string(operation::transfer), "transfer_lease");
}

TEST(lease_provider, lawful_arguments_pass) {
  EXPECT_FALSE(refuse_arguments("k", "a"));
  EXPECT_FALSE(refuse_arguments("k", "a", milliseconds(1)));
  EXPECT_FALSE(refuse_arguments("k", "a", milliseconds(max_ttl_ms)));
  EXPECT_FALSE(refuse_arguments(std::string(1, '\0'), " ")) << "owners and keys are opaque";
}

void expect_refused(const std::optional<lease_error>& refusal, std::string_view text) {
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind, outcome::fail) << "nothing was sent";
  EXPECT_EQ(refusal->code, errc::invalid_argument);
  EXPECT_EQ(refusal->text, text);
}

TEST(lease_provider, empty_names_are_refused) {
  expect_refused(refuse_arguments("", "a"), "the key is empty");
  expect_refused(refuse_arguments("k", ""), "the owner is empty");
  expect_refused(refuse_arguments("", "a", milliseconds(1)), "the key is empty");
  expect_refused(refuse_arguments("k", "", milliseconds(1)), "the owner is empty");
}

TEST(lease_provider, a_ttl_out_of_range_is_refused) {
  for (const std::int64_t ttl_ms :
       {std::int64_t{0}, std::int64_t{-1}, max_ttl_ms + 1, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    expect_refused(
        refuse_arguments("k", "a", milliseconds(ttl_ms)),
        "the ttl must be 1 to 9007199254740991 ms, not " + std::to_string(ttl_ms) + " ms");
  }
}

// Reading a result that holds an error is a defect of the caller, and must not pass silently.
TEST(lease_provider, reading_an_error_as_an_answer_throws) {
  const result<bool> lost = unknown(errc::connection_lost, "reset by peer");
  try {
    static_cast<void>(lost.value());
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& thrown) {
    EXPECT_NE(std::string_view(thrown.what()).find("info connection_lost (reset by peer)"),
              std::string_view::npos)
        << thrown.what();
  }
}

}  // namespace
}  // namespace leaselab
