#include "properties/lease_model.hpp"

#include <gtest/gtest.h>

namespace leaselab::properties {
namespace {

constexpr auto at = expiry_reading::at;
constexpr auto after = expiry_reading::after;

TEST(lease_model, a_record_is_dead_at_or_after_its_deadline) {
  const lease_state held{1, 100, 1};
  EXPECT_TRUE(apply(held, {lease_op::renew, 1, 0, 10}, 99, at).yes);
  EXPECT_FALSE(apply(held, {lease_op::renew, 1, 0, 10}, 100, at).yes);
  EXPECT_TRUE(apply(held, {lease_op::renew, 1, 0, 10}, 100, after).yes);
  EXPECT_FALSE(apply(held, {lease_op::renew, 1, 0, 10}, 101, after).yes);
}

TEST(lease_model, a_denial_names_the_holder_and_changes_nothing) {
  const lease_state held{1, 100, 7};
  const auto step = apply(held, {lease_op::acquire, 2, 0, 10}, 50, at);
  EXPECT_FALSE(step.yes);
  EXPECT_EQ(step.holder_before, 1u);
  EXPECT_EQ(step.next, held);
}

TEST(lease_model, an_acquire_of_the_holder_refreshes_and_may_shorten) {
  const auto step = apply({1, 100, 7}, {lease_op::acquire, 1, 0, 5}, 50, at);
  EXPECT_TRUE(step.yes);
  EXPECT_EQ(step.next, (lease_state{1, 55, 7}));
}

TEST(lease_model, a_token_rises_with_each_new_record_and_owner) {
  EXPECT_EQ(apply({1, 100, 7}, {lease_op::acquire, 1, 0, 5}, 100, at).next.token, 8u);
  EXPECT_EQ(apply({1, 100, 7}, {lease_op::transfer, 1, 2, 5}, 50, at).next,
            (lease_state{2, 55, 8}));
  EXPECT_EQ(apply({1, 100, 7}, {lease_op::transfer, 1, 1, 5}, 50, at).next,
            (lease_state{1, 55, 7}));
  EXPECT_EQ(apply({1, 100, 7}, {lease_op::release, 1, 0, 0}, 50, at).next.token, 7u);
}

TEST(lease_model, a_late_renewal_or_transfer_revives_nothing) {
  for (const auto op : {lease_op::renew, lease_op::transfer, lease_op::release}) {
    const auto step = apply({1, 100, 7}, {op, 1, 2, 5}, 100, at);
    EXPECT_FALSE(step.yes);
    EXPECT_EQ(step.next.owner, 0u);
  }
}

TEST(lease_model, a_lock_never_ends_by_itself) {
  const auto step = apply({}, {lease_op::acquire, 1, 0, no_expiry}, 50, at);
  EXPECT_EQ(step.next.deadline, no_expiry);
  EXPECT_TRUE(apply(step.next, {lease_op::renew, 1, 0, no_expiry}, no_expiry + 9, at).yes);
}

}  // namespace
}  // namespace leaselab::properties
