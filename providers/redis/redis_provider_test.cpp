#include "providers/redis/redis_provider.hpp"

#include <stdexcept>

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
using words = std::vector<std::string>;

const milliseconds ttl(90);

struct redis_provider : ::testing::Test {
  testing::scripted_environment environment;
  leaselab::redis_provider provider{environment, {"p", milliseconds(500)}};

  words sent(std::size_t trip) const { return environment.trips.at(trip).request.wire(); }
};

TEST_F(redis_provider, each_operation_is_one_trip) {
  static_assert(lease_provider<leaselab::redis_provider>);
  environment.replies = {integer(1), text("a"), integer(1), integer(1), integer(1)};
  EXPECT_TRUE(run(provider.acquire_lease("k", "a", ttl)).value().acquired);
  EXPECT_EQ(run(provider.get_lease_owner("k")).value(), "a");
  EXPECT_TRUE(run(provider.renew_lease("k", "a", ttl)).value());
  EXPECT_TRUE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_TRUE(run(provider.release_lease("k", "b")).has_value());

  using namespace redis_scripts;
  EXPECT_EQ(sent(0), (words{"EVALSHA", acquire().sha1, "1", "p:lease:k", "a", "90"}));
  EXPECT_EQ(sent(1), (words{"GET", "p:lease:k"}));
  EXPECT_EQ(sent(2), (words{"EVALSHA", renew().sha1, "1", "p:lease:k", "a", "90"}));
  EXPECT_EQ(sent(3), (words{"EVALSHA", transfer().sha1, "1", "p:lease:k", "a", "b", "90"}));
  EXPECT_EQ(sent(4), (words{"EVALSHA", release().sha1, "1", "p:lease:k", "b"}));
  EXPECT_EQ(environment.trips.size(), 5U);
}

TEST_F(redis_provider, a_no_is_an_answer) {
  environment.replies = {text("b"), nil(), integer(0), integer(0), integer(0)};
  EXPECT_EQ(run(provider.acquire_lease("k", "a", ttl)).value(),
            (acquire_answer{false, "b", std::nullopt}));
  EXPECT_EQ(run(provider.get_lease_owner("k")).value(), std::nullopt);
  EXPECT_FALSE(run(provider.renew_lease("k", "a", ttl)).value());
  EXPECT_FALSE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_TRUE(run(provider.release_lease("k", "b")).has_value());
}

TEST_F(redis_provider, a_missing_script_is_sent_once_by_its_text) {
  const auto missing = testing::error("NOSCRIPT No matching script.");
  environment.replies = {missing, integer(1), missing, integer(1),
                         missing, integer(1), missing, integer(1)};
  EXPECT_TRUE(run(provider.acquire_lease("k", "a", ttl)).value().acquired);
  EXPECT_TRUE(run(provider.renew_lease("k", "a", ttl)).value());
  EXPECT_TRUE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_TRUE(run(provider.release_lease("k", "b")).has_value());
  EXPECT_EQ(environment.trips.size(), 8U);
  EXPECT_EQ(sent(1), (words{"EVAL", redis_scripts::acquire().text, "1", "p:lease:k", "a", "90"}));

  environment.replies = {missing, missing};
  expect_ends(run(provider.release_lease("k", "b")), outcome::fail, errc::backend_error);
  EXPECT_EQ(environment.trips.size(), 10U);
}

TEST_F(redis_provider, error_replies_are_definite_and_sent_once) {
  const std::pair<const char*, errc> cases[] = {
      {"LOADING Redis is loading the dataset in memory", errc::loading},
      {"READONLY You can't write against a read only replica.", errc::read_only},
      {"OOM command not allowed when used memory > 'maxmemory'.", errc::out_of_memory},
      {"BUSY Redis is busy running a script.", errc::busy},
      {"MOVED 3999 127.0.0.1:6381", errc::redirected},
      {"ASK 3999 127.0.0.1:6381", errc::redirected},
      {"CROSSSLOT Keys in request don't hash to the same slot", errc::redirected},
      {"WRONGTYPE Operation against a key", errc::backend_error},
      {"BUSYGROUP is another code", errc::backend_error},
      {"ERR", errc::backend_error}};
  for (const auto& [line, code] : cases) {
    environment.trips.clear();
    environment.replies.assign(5, testing::error(line));
    testing::expect_all_end(provider, outcome::fail, code);
    EXPECT_EQ(environment.trips.size(), 5U) << line;
  }
  environment.replies = {testing::error("OOM too much")};
  EXPECT_EQ(run(provider.acquire_lease("k", "a", ttl)).error().text, "OOM too much");
}

TEST_F(redis_provider, how_a_trip_ended_is_how_the_call_ended) {
  environment.replies.assign(5, unknown(errc::timed_out));
  testing::expect_all_end(provider, outcome::info, errc::timed_out);
  EXPECT_EQ(environment.trips.size(), 5U) << "nothing is sent again after a lost reply";
  testing::expect_all_end(provider, outcome::fail, errc::connection_refused);
}

TEST_F(redis_provider, a_reply_that_is_no_answer_leaves_the_call_unknown) {
  for (const auto& odd :
       {status("OK"), integer(2), integer(-1), reply{reply_kind::array, 0, {}, {}}}) {
    environment.replies.assign(5, odd);
    testing::expect_all_end(provider, outcome::info, errc::protocol);
  }
}

TEST_F(redis_provider, one_deadline_covers_all_trips) {
  const auto now = environment.clock;
  const auto missing = testing::error("NOSCRIPT");
  environment.meanwhile = [&] { environment.clock += milliseconds(3); };
  environment.replies = {missing, integer(1), integer(1), integer(1), integer(1)};
  run(provider.acquire_lease("k", "a", ttl));
  run(provider.acquire_lease("k", "a", ttl, {milliseconds(20)}));
  run(provider.renew_lease("k", "a", ttl));
  run(provider.renew_lease("k", "a", ttl, {milliseconds(7)}));
  const nanoseconds expected[] = {milliseconds(500), milliseconds(500), milliseconds(6 + 20),
                                  milliseconds(9 + 30), milliseconds(12 + 7)};
  for (std::size_t trip = 0; trip < 5; ++trip) {
    EXPECT_EQ((environment.trips.at(trip).deadline - now).count(), expected[trip].count()) << trip;
  }
}

TEST_F(redis_provider, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
}

TEST_F(redis_provider, fails_closed) { testing::expect_fails_closed(provider, environment); }

TEST_F(redis_provider, the_longest_ttl_is_sent_whole) {
  environment.replies = {integer(1)};
  run(provider.acquire_lease("k", "a", milliseconds(max_ttl_ms)));
  EXPECT_EQ(sent(0).back(), "9007199254740991");
}

TEST(redis_names, keys_of_one_prefix_never_meet_those_of_another) {
  testing::scripted_environment environment;
  EXPECT_EQ(lease_key("p", "k"), "p:lease:k");
  EXPECT_EQ(fence_key("p", "k"), "{p:lease:k}:fence");
  for (const char* bad : {"a:lease:b", ":lease:", "a:lease"}) {
    EXPECT_THROW(leaselab::redis_provider(environment, {bad}), std::invalid_argument) << bad;
  }
  for (const char* good : {"", "lease", "a:leases", "a:b"}) {
    EXPECT_NO_THROW(leaselab::redis_provider(environment, {good})) << good;
  }
}

}  // namespace
}  // namespace leaselab
