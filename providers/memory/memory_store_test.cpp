#include "providers/memory/memory_store.hpp"

#include <gtest/gtest.h>

#include "providers/testing/scripted_environment.hpp"

namespace leaselab {
namespace {

using testing::manual_granule_clock;

constexpr auto horizon = std::numeric_limits<std::int64_t>::max();
const milliseconds ttl(100);

struct memory_store : ::testing::Test {
  manual_granule_clock clock;
  leaselab::memory_store store{clock};
};

TEST_F(memory_store, a_record_is_dead_at_its_deadline_for_every_operation) {
  store.acquire("k", "a", ttl);
  clock.reading = 99;
  EXPECT_EQ(store.owner_of("k"), "a");
  clock.reading = 100;
  EXPECT_EQ(store.owner_of("k"), std::nullopt);
  EXPECT_FALSE(store.renew("k", "a", ttl));
  EXPECT_FALSE(store.transfer("k", "a", "b", ttl));
  store.release("k", "a");
  EXPECT_TRUE(store.acquire("k", "b", ttl).acquired);
  EXPECT_EQ(store.owner_of("k"), "b");
}

TEST_F(memory_store, a_denial_names_the_live_owner_and_changes_nothing) {
  store.acquire("k", "a", ttl);
  const auto before = store.peek("k");
  EXPECT_EQ(store.acquire("k", "b", ttl), (acquire_answer{false, "a", std::nullopt}));
  EXPECT_EQ(store.peek("k"), before);
}

TEST_F(memory_store, acquire_by_the_owner_may_also_shorten) {
  store.acquire("k", "a", ttl);
  clock.reading = 10;
  EXPECT_TRUE(store.acquire("k", "a", milliseconds(5)).acquired);
  EXPECT_EQ(store.peek("k")->deadline_granules, 15);
}

TEST_F(memory_store, owners_are_compared_whole) {
  store.acquire("k", "node-10", ttl);
  EXPECT_FALSE(store.renew("k", "node-1", ttl));
  store.release("k", "node-1");
  store.release("k", "node-100");
  EXPECT_EQ(store.owner_of("k"), "node-10");
}

TEST_F(memory_store, transfer_moves_and_sets_the_deadline) {
  store.acquire("k", "a", ttl);
  clock.reading = 40;
  EXPECT_TRUE(store.transfer("k", "a", "b", milliseconds(7)));
  EXPECT_EQ(store.peek("k"), (leaselab::memory_store::record{"b", 47}));
  EXPECT_FALSE(store.transfer("k", "a", "c", ttl));
}

TEST_F(memory_store, no_deadline_wraps) {
  clock.reading = horizon - 10;
  store.acquire("k", "a", milliseconds(max_ttl_ms));
  EXPECT_EQ(store.peek("k")->deadline_granules, horizon);
  EXPECT_TRUE(store.renew("k", "a", milliseconds(max_ttl_ms)));
  EXPECT_EQ(store.peek("k")->deadline_granules, horizon);
  EXPECT_EQ(store.owner_of("k"), "a");
}

TEST_F(memory_store, reset_forgets_everything) {
  store.acquire("k", "a", ttl);
  store.reset();
  EXPECT_EQ(store.peek("k"), std::nullopt);
  EXPECT_EQ(store.size(), 0U);
}

TEST_F(memory_store, dead_records_do_not_pile_up) {
  store.acquire("long", "a", milliseconds(max_ttl_ms));
  for (int i = 0; i < 10'000; ++i) {
    clock.reading += 50;
    store.acquire("k" + std::to_string(i), "a", ttl);
  }
  EXPECT_LE(store.size(), 64U);
  EXPECT_EQ(store.owner_of("long"), "a");
}

}  // namespace
}  // namespace leaselab
