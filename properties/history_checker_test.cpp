#include "properties/history_checker.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

#include "properties/testing/long_histories.hpp"

namespace leaselab::properties {
namespace {

// A history in the making; instants in units of which `granule` make a granule.
class history {
 public:
  explicit history(std::int64_t granule = 1, std::int64_t phase = 0)
      : granule_(granule), phase_(phase) {}

  history_operation& add(lease_op op, lease_owner owner, std::int64_t called,
                         std::int64_t returned) {
    auto& made = operations_.emplace_back();
    made.id = operations_.size();
    made.call = {op, owner, 0, ttl_};
    made.ended = outcome::ok;
    made.called = called;
    made.returned = returned;
    made.called_granule = (called + phase_) / granule_;
    made.returned_granule = (returned + phase_) / granule_;
    return made;
  }
  history& ttl(std::int64_t granules) {
    ttl_ = granules;
    return *this;
  }
  history& granted(lease_owner owner, std::int64_t called, std::int64_t returned) {
    add(lease_op::acquire, owner, called, returned).answer = claim_of::yes;
    return *this;
  }
  history& denied(lease_owner owner, lease_owner named, std::int64_t called,
                  std::int64_t returned) {
    auto& made = add(lease_op::acquire, owner, called, returned);
    made.answer = claim_of::no;
    made.claims_holder = true;
    made.holder = named;
    return *this;
  }
  history& renewed(lease_owner owner, bool yes, std::int64_t called, std::int64_t returned) {
    add(lease_op::renew, owner, called, returned).answer = yes ? claim_of::yes : claim_of::no;
    return *this;
  }
  history& released(lease_owner owner, std::int64_t called, std::int64_t returned) {
    add(lease_op::release, owner, called, returned);
    return *this;
  }
  history& moved(lease_owner from, lease_owner to, bool yes, std::int64_t called,
                 std::int64_t returned) {
    auto& made = add(lease_op::transfer, from, called, returned);
    made.call.to = to;
    made.answer = yes ? claim_of::yes : claim_of::no;
    return *this;
  }
  history& read(lease_owner owner, std::int64_t called, std::int64_t returned) {
    auto& made = add(lease_op::get, 0, called, returned);
    made.claims_holder = true;
    made.holder = owner;
    return *this;
  }
  history& unknown(lease_op op, lease_owner owner, std::int64_t called, lease_owner to = 0) {
    auto& made = add(op, owner, called, called);
    made.call.to = to;
    made.ended = outcome::info;
    made.returned = made.returned_granule = never_returned;
    return *this;
  }
  // Of the last one.
  history& token(std::uint64_t value) {
    operations_.back().claims_token = true;
    operations_.back().token = value;
    return *this;
  }

  history_verdict check(reading_of reading) const {
    return history_checker().check(operations_, {reading});
  }
  // 0: explained.
  std::size_t bad_prefix(reading_of reading) const {
    const auto result = check(reading);
    EXPECT_NE(result.value, verdict::unknown);
    return result.value == verdict::violated ? result.prefix : 0;
  }

 private:
  std::int64_t granule_, phase_;
  std::int64_t ttl_ = 100;
  std::vector<history_operation> operations_;
};

constexpr auto at = reading_of::at;
constexpr auto after = reading_of::after;
constexpr auto any = reading_of::any;

TEST(history_checker, nothing_and_one_grant_hold) {
  EXPECT_EQ(history().bad_prefix(any), 0u);
  EXPECT_EQ(history().granted(1, 0, 5).bad_prefix(any), 0u);
}

TEST(history_checker, two_grants_within_one_ttl_are_violated) {
  EXPECT_EQ(history().granted(1, 0, 5).granted(2, 10, 15).bad_prefix(any), 2u);
}

TEST(history_checker, a_grant_at_the_deadline_depends_on_the_reading) {
  auto taken_over = history().granted(1, 0, 0).granted(2, 100, 100);
  EXPECT_EQ(taken_over.bad_prefix(at), 0u);
  EXPECT_EQ(taken_over.bad_prefix(after), 2u);
  EXPECT_EQ(taken_over.bad_prefix(any), 0u);
  auto still_there = history().granted(1, 0, 0).read(1, 100, 100);
  EXPECT_EQ(still_there.bad_prefix(at), 2u);
  EXPECT_EQ(still_there.bad_prefix(after), 0u);
}

// One reading for all operations: neither explains a record both gone and there at its deadline.
TEST(history_checker, any_reading_is_one_of_the_two) {
  auto both = history().granted(1, 0, 0).read(1, 100, 100).granted(2, 101, 101);
  EXPECT_EQ(both.bad_prefix(any), 0u);
  auto mixed =
      history().granted(1, 0, 0).read(1, 100, 100).granted(2, 300, 300).granted(3, 400, 400);
  EXPECT_EQ(mixed.bad_prefix(at), 2u);
  EXPECT_EQ(mixed.bad_prefix(after), 4u);
  EXPECT_EQ(mixed.bad_prefix(any), 4u);
}

// Set at 0.7 ms with ttl 100 ms: a backend of whole ms still answers at 100.99 ms.
TEST(history_checker, granules_round_a_deadline_up) {
  auto late = history(1000).ttl(100).granted(1, 700, 700).read(1, 100'990, 100'990);
  EXPECT_EQ(late.bad_prefix(after), 0u);
  EXPECT_EQ(late.bad_prefix(at), 2u);
  auto too_late = history(1000).ttl(100).granted(1, 700, 700).read(1, 101'000, 101'000);
  EXPECT_EQ(too_late.bad_prefix(after), 2u);
}

TEST(history_checker, the_phase_moves_the_granules) {
  auto late = history(1000, 300).ttl(100).granted(1, 700, 700).read(1, 101'600, 101'600);
  EXPECT_EQ(late.bad_prefix(after), 0u);  // set in granule 1
  auto early = history(1000, 200).ttl(100).granted(1, 700, 700).read(1, 101'000, 101'000);
  EXPECT_EQ(early.bad_prefix(after), 2u);  // set in granule 0
}

// The earliest instant would end the lease too soon for the reader, the latest too late for the
// second owner; only one between explains both.
TEST(history_checker, neither_the_earliest_nor_the_latest_instant_will_do) {
  auto between = history().granted(1, 0, 50).read(1, 120, 120).granted(2, 125, 125);
  EXPECT_EQ(between.bad_prefix(at), 0u);
  auto never = history().granted(1, 0, 50).read(1, 120, 120).granted(2, 120, 120);
  EXPECT_EQ(never.bad_prefix(at), 3u);
}

TEST(history_checker, return_and_call_at_one_instant_are_concurrent) {
  EXPECT_EQ(history()
                .granted(2, 5, 9)
                .released(1, 3, 5)
                .denied(2, 1, 0, 4)
                .granted(1, 0, 3)
                .bad_prefix(at),
            0u);
  auto crossed = history().granted(1, 0, 5).granted(2, 0, 0).released(2, 5, 5);
  EXPECT_EQ(crossed.bad_prefix(at), 0u);
  auto apart = history().granted(1, 0, 5).granted(2, 0, 0).released(2, 6, 6);
  EXPECT_EQ(apart.bad_prefix(at), 2u);
}

TEST(history_checker, a_denial_must_name_somebody_live) {
  EXPECT_EQ(history().granted(1, 0, 5).denied(2, 1, 10, 15).bad_prefix(at), 0u);
  EXPECT_EQ(history().granted(1, 0, 5).denied(2, 3, 10, 15).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 5).denied(1, 1, 10, 15).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 5).denied(2, 0, 10, 15).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 5).denied(2, 1, 110, 115).bad_prefix(at), 2u);
}

TEST(history_checker, a_missing_answer_claims_nothing) {
  auto silent = history().granted(1, 0, 5);
  silent.add(lease_op::acquire, 2, 10, 12);
  silent.add(lease_op::renew, 3, 10, 12);
  silent.add(lease_op::get, 0, 10, 12);
  EXPECT_EQ(silent.read(1, 20, 20).bad_prefix(at), 0u);
  auto may_have_won = history();
  may_have_won.add(lease_op::acquire, 2, 0, 12);
  EXPECT_EQ(may_have_won.read(2, 50, 50).bad_prefix(at), 0u);
  EXPECT_EQ(may_have_won.granted(1, 60, 65).bad_prefix(at), 3u);
}

TEST(history_checker, renewals_keep_a_lease_and_revive_none) {
  EXPECT_EQ(history().granted(1, 0, 0).renewed(1, true, 90, 90).read(1, 189, 189).bad_prefix(at),
            0u);
  EXPECT_EQ(history().granted(1, 0, 0).renewed(1, true, 100, 100).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 0).renewed(1, false, 50, 50).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 0).renewed(2, false, 50, 50).bad_prefix(at), 0u);
}

TEST(history_checker, a_transfer_moves_and_leaves_no_gap) {
  EXPECT_EQ(history().granted(1, 0, 0).moved(1, 2, true, 50, 60).read(2, 70, 70).bad_prefix(at),
            0u);
  EXPECT_EQ(history().granted(1, 0, 0).moved(1, 2, true, 50, 60).read(0, 50, 60).bad_prefix(at),
            3u);
  EXPECT_EQ(history().granted(1, 0, 0).moved(2, 3, true, 50, 60).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 0).moved(1, 1, true, 99, 99).read(1, 198, 198).bad_prefix(at),
            0u);
}

TEST(history_checker, an_info_call_takes_effect_now_or_later_or_never) {
  EXPECT_EQ(history().unknown(lease_op::acquire, 1, 0).granted(2, 5, 9).bad_prefix(at), 0u);
  EXPECT_EQ(history().unknown(lease_op::acquire, 1, 0).denied(2, 1, 500, 501).bad_prefix(at), 0u);
  EXPECT_EQ(history().unknown(lease_op::acquire, 1, 9).denied(2, 1, 5, 8).bad_prefix(at), 1u);
  // Once: it explains one tenure, not two.
  EXPECT_EQ(history()
                .unknown(lease_op::acquire, 1, 0)
                .denied(2, 1, 10, 11)
                .denied(2, 1, 500, 501)
                .bad_prefix(at),
            2u);
  EXPECT_EQ(
      history().granted(1, 0, 0).unknown(lease_op::release, 1, 5).granted(2, 20, 25).bad_prefix(at),
      0u);
  EXPECT_EQ(
      history().granted(1, 0, 0).unknown(lease_op::renew, 1, 5).read(1, 150, 150).bad_prefix(at),
      0u);
  EXPECT_EQ(history()
                .granted(1, 0, 0)
                .unknown(lease_op::transfer, 1, 5, 3)
                .read(3, 50, 50)
                .granted(2, 160, 160)
                .bad_prefix(at),
            0u);
}

TEST(history_checker, tokens_rise_and_a_refresh_keeps_them) {
  EXPECT_EQ(history().granted(1, 0, 0).token(4).renewed(1, true, 9, 9).token(4).bad_prefix(at), 0u);
  EXPECT_EQ(history().granted(1, 0, 0).token(4).renewed(1, true, 9, 9).token(5).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 0).token(4).granted(2, 200, 200).token(4).bad_prefix(at), 2u);
  EXPECT_EQ(history().granted(1, 0, 0).token(4).granted(2, 200, 200).token(9).bad_prefix(at), 0u);
}

TEST(history_checker, a_lock_is_held_until_released) {
  auto lock = history().ttl(no_expiry).granted(1, 0, 5);
  EXPECT_EQ(history(lock).granted(2, 1'000'000, 1'000'001).bad_prefix(any), 2u);
  EXPECT_EQ(history(lock).released(1, 10, 20).granted(2, 15, 16).bad_prefix(any), 0u);
}

TEST(history_checker, a_mixed_ttl_may_shorten_a_lease) {
  EXPECT_EQ(history().granted(1, 0, 0).ttl(5).granted(1, 10, 10).granted(2, 15, 15).bad_prefix(at),
            0u);
  EXPECT_EQ(history().granted(1, 0, 0).ttl(5).granted(1, 10, 10).granted(2, 14, 14).bad_prefix(at),
            3u);
}

// Without deadlines a record may live on or end at any instant; two live owners stay impossible.
TEST(history_checker, deadlines_can_be_left_out) {
  std::vector<history_operation> operations(2);
  for (std::size_t i = 0; i < 2; ++i) {
    operations[i].call = {lease_op::acquire, static_cast<lease_owner>(i + 1), 0, 100};
    operations[i].ended = outcome::ok;
    operations[i].answer = claim_of::yes;
    operations[i].called = operations[i].returned = static_cast<std::int64_t>(i);
    operations[i].called_granule = operations[i].returned_granule = 0;
  }
  checker_options loose{at, false};
  EXPECT_EQ(history_checker().check(operations, loose).value, verdict::holds);
  operations[1].answer = claim_of::no;
  operations[1].claims_holder = true;
  operations[1].holder = 3;
  EXPECT_EQ(history_checker().check(operations, loose).value, verdict::violated);
}

TEST(history_checker, a_spent_budget_is_unknown) {
  const auto operations = testing::make_long_history({});
  EXPECT_EQ(history_checker().check(operations, {at, true, 100}).value, verdict::unknown);
}

TEST(history_checker, more_than_64_may_be_open) {
  history crowd;
  crowd.granted(1, 0, 500);
  for (lease_owner i = 2; i < 200; ++i) crowd.denied(i, 1, 0, 90);
  EXPECT_EQ(crowd.bad_prefix(at), 0u);
  EXPECT_EQ(crowd.denied(1000, 2, 0, 400).bad_prefix(at), 199u);
}

// The work is what must stay linear; time is the benchmark's.
TEST(history_checker, steps_grow_with_the_length) {
  for (const std::uint32_t info : {0u, 5u}) {
    const auto steps = [&](std::size_t operations) {
      const auto made =
          testing::make_long_history({.operations = operations, .info_percent = info});
      const auto result = history_checker().check(made, {at});
      EXPECT_EQ(result.value, verdict::holds);
      return result.steps;
    };
    const auto some = steps(5'000), more = steps(50'000);
    EXPECT_LT(some, 50'000u);
    EXPECT_LT(more, 15 * some);
  }
}

TEST(history_checker, a_bad_grant_is_found_where_it_is) {
  for (const std::size_t bad : {100u, 5'000u, 9'900u}) {
    const auto made = testing::make_long_history({.bad_at = bad});
    const auto result = history_checker().check(made, {at});
    EXPECT_EQ(result.value, verdict::violated);
    EXPECT_NEAR(static_cast<double>(result.prefix), static_cast<double>(bad), 30);
  }
}

}  // namespace
}  // namespace leaselab::properties
