#include "sim/agenda.hpp"

#include <gtest/gtest.h>

namespace leaselab::sim {
namespace {

pending window(true_time earliest, true_time latest, std::uint32_t subject) {
  pending event;
  event.event.subject = subject;
  event.earliest = earliest;
  event.latest = latest;
  return event;
}

TEST(agenda, offers_what_may_run_before_the_first_window_closes) {
  agenda events;
  events.add(window(0, 50, 1));
  events.add(window(20, 30, 2));
  events.add(window(31, 60, 3));
  moment look;
  ASSERT_TRUE(events.look(10, look));
  EXPECT_EQ(look.limit, 30);
  ASSERT_EQ(look.candidates.size(), 2u);
  EXPECT_EQ(look.candidates[0].earliest, 10);  // never before now
  EXPECT_EQ(look.candidates[1].earliest, 20);
}

TEST(agenda, parked_events_hold_nobody_up) {
  agenda events;
  events.add(window(0, 5, 1)).parked = park_paused;
  moment look;
  EXPECT_FALSE(events.look(0, look));
  events.add(window(40, 50, 2));
  ASSERT_TRUE(events.look(10, look));
  EXPECT_EQ(look.limit, 50);
  ASSERT_EQ(look.candidates.size(), 1u);
  EXPECT_EQ(look.candidates[0].event.subject, 2u);
}

TEST(agenda, an_unparked_event_gets_the_lateness_of_a_timer) {
  agenda events;
  events.add(window(0, 5, 1)).parked = park_paused | park_partition;
  const auto all = [](const pending&) { return true; };
  events.unpark(park_paused, 30, 4, all);
  moment look;
  EXPECT_FALSE(events.look(30, look));  // the partition still holds it
  events.unpark(park_partition, 40, 4, all);
  ASSERT_TRUE(events.look(40, look));
  EXPECT_EQ(look.candidates[0].earliest, 40);
  EXPECT_EQ(look.candidates[0].latest, 44);
}

TEST(agenda, take_removes_the_chosen_event) {
  agenda events;
  events.add(window(0, 5, 1));
  events.add(window(9, 9, 2));
  events.add(window(0, 5, 3));
  moment look;
  ASSERT_TRUE(events.look(0, look));
  ASSERT_EQ(look.candidates.size(), 2u);
  EXPECT_EQ(events.take(1).event.subject, 3u);
  ASSERT_TRUE(events.look(0, look));
  EXPECT_EQ(look.candidates.size(), 1u);
}

}  // namespace
}  // namespace leaselab::sim
