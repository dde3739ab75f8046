#include "providers/redis/busy_poll.hpp"

#include <gtest/gtest.h>

namespace leaselab {
namespace {

using std::chrono::microseconds;

busy_poll::clock::time_point at(int us) { return busy_poll::clock::time_point(microseconds(us)); }

TEST(busy_poll, stays_awake_only_after_a_prompt_reply) {
  busy_poll poll(microseconds(100));
  poll.sent(at(0));
  EXPECT_FALSE(poll.stay_awake(at(1)));  // nothing is known of the server yet
  poll.heard(at(99));
  poll.sent(at(1000));
  EXPECT_TRUE(poll.stay_awake(at(1099)));
  EXPECT_FALSE(poll.stay_awake(at(1100)));
}

TEST(busy_poll, a_late_reply_ends_it_until_one_is_prompt_again) {
  busy_poll poll(microseconds(100));
  poll.sent(at(0));
  poll.heard(at(10));
  poll.sent(at(20));
  poll.heard(at(120));
  poll.sent(at(130));
  EXPECT_FALSE(poll.stay_awake(at(131)));
  poll.heard(at(140));
  poll.sent(at(150));
  EXPECT_TRUE(poll.stay_awake(at(151)));
}

TEST(busy_poll, a_limit_of_zero_never_does) {
  busy_poll poll(microseconds(0));
  poll.sent(at(0));
  poll.heard(at(0));
  poll.sent(at(0));
  EXPECT_FALSE(poll.stay_awake(at(0)));
}

}  // namespace
}  // namespace leaselab
