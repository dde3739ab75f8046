#include "sim/clock.hpp"

#include <gtest/gtest.h>

namespace leaselab::sim {
namespace {

TEST(clock, rounds_down_and_inverts_exactly) {
  clock_line clock(0, 900'000'001);
  for (true_time t = 0; t < 5000; t += 7) {
    const std::int64_t reading = clock.read(t);
    const true_time first = clock.first_at(reading, 0);
    EXPECT_LE(first, t);
    EXPECT_GE(clock.read(first), reading);
    if (first > 0) {
      EXPECT_LT(clock.read(first - 1), reading);
    }
  }
}

TEST(clock, stands_still_and_goes_on) {
  clock_line clock(10);
  clock.set_rate(100, 0);
  EXPECT_EQ(clock.read(99), 109);
  EXPECT_EQ(clock.read(500), 110);
  EXPECT_EQ(clock.first_at(111, 500), never);
  EXPECT_EQ(clock.first_at(110, 500), 500);
  clock.set_rate(1000, rate_one);
  EXPECT_EQ(clock.first_at(111, 1000), 1001);
}

TEST(clock, steps_both_ways) {
  clock_line clock;
  clock.step(100, -50);
  EXPECT_EQ(clock.read(99), 99);
  EXPECT_EQ(clock.read(100), 50);
  clock.step(100, 200);
  EXPECT_EQ(clock.read(100), 250);
}

TEST(clock, saturates_beyond_every_horizon) {
  clock_line clock(0, 1);
  EXPECT_EQ(clock.first_at(never / 2, 0), never);
}

}  // namespace
}  // namespace leaselab::sim
