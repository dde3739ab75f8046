// The plan of a live run: of the seed alone, and inside what its kinds promise.
#include "cli/live/fault_plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cli/exit_status.hpp"
#include "cli/live/clock_table.hpp"

namespace leaselab::cli::live {
namespace {

constexpr std::int64_t ms = sim::ns_per_ms;

setup parsed(const std::string& faults, const std::string& seed = "7",
             const std::string& redis = "") {
  options given;
  given.faults = faults;
  given.seed = seed;
  given.redis = redis;
  given.duration = "60s";
  return setup_of(given);
}

std::set<fault_kind> kinds_in(const std::vector<planned_fault>& plan) {
  std::set<fault_kind> out;
  for (const auto& fault : plan) out.insert(fault.what);
  return out;
}

std::string refusal(const std::string& faults, const std::string& redis = "") {
  try {
    parsed(faults, "7", redis);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(fault_plan, is_of_the_seed) {
  EXPECT_EQ(make_plan(parsed("")), make_plan(parsed("")));
  EXPECT_NE(make_plan(parsed("")), make_plan(parsed("", "8")));
}

TEST(fault_plan, holds_the_kinds_that_were_asked_for) {
  using enum fault_kind;
  EXPECT_EQ(kinds_in(make_plan(parsed(""))), (std::set{kill, stop, clock, cut, restart}));
  EXPECT_EQ(kinds_in(make_plan(parsed("freeze,cut"))), (std::set{cut, freeze}));
  EXPECT_EQ(kinds_in(make_plan(parsed("", "7", "redis://h"))), (std::set{kill, stop, clock, cut}));
  EXPECT_TRUE(make_plan(parsed("none")).empty());
}

TEST(fault_plan, keeps_clocks_inside_the_margin_and_freezes_outside) {
  for (const auto& fault : make_plan(parsed("clock,freeze,stop,restart"))) {
    EXPECT_GE(fault.at, 0);
    EXPECT_LT(fault.at, 60'000 * ms);
    if (fault.what == fault_kind::clock) {
      EXPECT_GE(fault.rate_ppm, 950'000);
      EXPECT_LE(fault.rate_ppm, 1'050'000);
    }
    if (fault.what == fault_kind::freeze) {
      EXPECT_GE(fault.length, 1500 * ms);
    }
  }
}

TEST(fault_plan, what_it_cannot_do_is_refused) {
  EXPECT_NE(refusal("kil").find("did you mean `kill`?"), std::string::npos);
  EXPECT_NE(refusal("restart", "redis://h").find("own server"), std::string::npos);
  EXPECT_NE(refusal("kill,").find("no fault ``"), std::string::npos);
}

TEST(setup, passwords_are_not_shown) {
  EXPECT_EQ(without_password("live --redis redis://me:secret@h:1/2 --seed 3"),
            "live --redis redis://me:***@h:1/2 --seed 3");
  EXPECT_EQ(without_password("unix://:secret@/run/s"), "unix://:***@/run/s");
  EXPECT_EQ(without_password("redis://h:6379/1"), "redis://h:6379/1");
  EXPECT_EQ(without_password("live --seed 3"), "live --seed 3");
}

TEST(clock_table, reads_in_pieces_and_backwards) {
  // True from 100 on; at half the rate from 200 on; standing from 300 to 400.
  const std::vector<clock_segment> clock{
      {100, 1000, 1'000'000}, {200, 1100, 500'000}, {300, 1150, 0}, {400, 1150, 1'000'000}};
  EXPECT_EQ(reading_at(clock, 150), 1050);
  EXPECT_EQ(reading_at(clock, 260), 1130);
  EXPECT_EQ(reading_at(clock, 399), 1150);
  EXPECT_EQ(reading_at(clock, 450), 1200);
  EXPECT_NEAR(static_cast<double>(when_it_reads(clock, 1130)), 260, 1);
  EXPECT_NEAR(static_cast<double>(when_it_reads(clock, 1200)), 450, 1);
  EXPECT_GE(reading_at(clock, when_it_reads(clock, 1111)), 1111);
  EXPECT_EQ(when_it_reads({clock.data(), 3}, 1151), never_reads);
}

}  // namespace
}  // namespace leaselab::cli::live
