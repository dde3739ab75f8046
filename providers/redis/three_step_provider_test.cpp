#include "providers/redis/three_step_provider.hpp"

#include "providers/redis/scripts.hpp"
#include "providers/testing/contract_checks.hpp"

namespace leaselab {
namespace {

using testing::expect_ends;
using testing::integer;
using testing::nil;
using testing::run;
using testing::status;
using testing::text;

const milliseconds ttl(90);

struct three_step_provider : ::testing::Test {
  testing::scripted_environment environment;
  leaselab::three_step_provider provider{environment, {"p", milliseconds(500)}};

  result<acquire_answer> acquire(std::deque<result<reply>> replies) {
    environment.trips.clear();
    environment.replies = std::move(replies);
    return run(provider.acquire_lease("k", "a", ttl));
  }
};

TEST_F(three_step_provider, a_free_key_takes_one_trip) {
  EXPECT_TRUE(acquire({status("OK")}).value().acquired);
  EXPECT_EQ(environment.trips.at(0).request.wire(),
            (std::vector<std::string>{"SET", "p:lease:k", "a", "NX", "PX", "90"}));
}

TEST_F(three_step_provider, its_own_key_takes_two) {
  EXPECT_TRUE(acquire({nil(), integer(1)}).value().acquired);
  EXPECT_EQ(environment.trips.at(1).request.label(), "EVALSHA:refresh");
  EXPECT_TRUE(acquire({nil(), testing::error("NOSCRIPT"), integer(1)}).value().acquired);
  EXPECT_EQ(environment.trips.at(2).request.label(), "EVAL:refresh");
}

TEST_F(three_step_provider, a_denial_takes_three_and_names_whom_the_third_finds) {
  EXPECT_EQ(acquire({nil(), integer(0), text("b")}).value().owner, "b");
  EXPECT_EQ(environment.trips.at(2).request.label(), "GET");
  EXPECT_EQ(acquire({nil(), integer(0), nil()}).value(), acquire_answer{});
  EXPECT_EQ(acquire({nil(), integer(0), text("a")}).value().owner, "a");
}

TEST_F(three_step_provider, an_error_is_that_of_the_trip_it_came_from) {
  const auto loading = testing::error("LOADING");
  const auto lost = unknown(errc::connection_lost);
  expect_ends(acquire({loading}), outcome::fail, errc::loading);
  expect_ends(acquire({lost}), outcome::info, errc::connection_lost);
  expect_ends(acquire({nil(), loading}), outcome::fail, errc::loading);
  expect_ends(acquire({nil(), lost}), outcome::info, errc::connection_lost);
  expect_ends(acquire({nil(), integer(0), loading}), outcome::fail, errc::loading);
  expect_ends(acquire({nil(), integer(0), lost}), outcome::info, errc::connection_lost);
  expect_ends(acquire({text("OK")}), outcome::info, errc::protocol);
}

TEST_F(three_step_provider, one_deadline_covers_all_trips) {
  environment.meanwhile = [&] { environment.clock += milliseconds(3); };
  const auto deadline = environment.clock + milliseconds(500);
  acquire({nil(), integer(0), text("b")});
  for (const auto& trip : environment.trips) EXPECT_EQ(trip.deadline, deadline);
}

TEST_F(three_step_provider, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
}

TEST_F(three_step_provider, fails_closed) { testing::expect_fails_closed(provider, environment); }

TEST_F(three_step_provider, declares_what_its_trips_cost) {
  const auto declared = leaselab::three_step_provider::declare();
  EXPECT_EQ(declared.acquire_trips, 3);
  EXPECT_TRUE(declared.excludes("acquire.honest_denial", "interleave"));
  EXPECT_TRUE(declared.excludes("acquire.idempotent", "interleave"));
  EXPECT_TRUE(declared.excludes("lease.linearizable", "interleave"));
  EXPECT_FALSE(declared.excludes("single_owner.grant", "chaos"));
}

}  // namespace
}  // namespace leaselab
