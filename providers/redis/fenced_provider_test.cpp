#include "providers/redis/fenced_provider.hpp"

#include "providers/redis/scripts.hpp"
#include "providers/testing/contract_checks.hpp"

namespace leaselab {
namespace {

using testing::expect_ends;
using testing::integer;
using testing::run;
using testing::text;
using words = std::vector<std::string>;

const milliseconds ttl(90);

struct fenced_provider : ::testing::Test {
  testing::scripted_environment environment;
  leaselab::fenced_provider provider{environment, {"p", milliseconds(500)}};

  words sent(std::size_t trip) const { return environment.trips.at(trip).request.wire(); }
};

TEST_F(fenced_provider, grants_and_moves_carry_a_token) {
  environment.replies = {integer(3), integer(4), text("b"), integer(0)};
  EXPECT_EQ(run(provider.acquire_lease("k", "a", ttl)).value(),
            (acquire_answer{true, std::nullopt, 3}));
  EXPECT_EQ(run(provider.transfer_lease("k", "a", "b", ttl)).value(), (transfer_answer{true, 4}));
  EXPECT_EQ(run(provider.acquire_lease("k", "a", ttl)).value(),
            (acquire_answer{false, "b", std::nullopt}));
  EXPECT_EQ(run(provider.transfer_lease("k", "a", "b", ttl)).value(), transfer_answer{});
}

TEST_F(fenced_provider, the_counter_is_a_declared_key) {
  environment.replies = {testing::error("NOSCRIPT"), integer(3), integer(4)};
  run(provider.acquire_lease("k", "a", ttl));
  run(provider.transfer_lease("k", "a", "b", ttl));
  using namespace redis_scripts;
  EXPECT_EQ(sent(0), (words{"EVALSHA", fenced_acquire().sha1, "2", "p:lease:k", "{p:lease:k}:fence",
                            "a", "90"}));
  EXPECT_EQ(sent(1), (words{"EVAL", fenced_acquire().text, "2", "p:lease:k", "{p:lease:k}:fence",
                            "a", "90"}));
  EXPECT_EQ(sent(2), (words{"EVALSHA", fenced_transfer().sha1, "2", "p:lease:k",
                            "{p:lease:k}:fence", "a", "b", "90"}));
}

TEST_F(fenced_provider, no_token_is_below_one) {
  environment.replies = {integer(0), integer(-1)};
  expect_ends(run(provider.acquire_lease("k", "a", ttl)), outcome::info, errc::protocol);
  expect_ends(run(provider.transfer_lease("k", "a", "b", ttl)), outcome::info, errc::protocol);
}

TEST_F(fenced_provider, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
}

TEST_F(fenced_provider, fails_closed) { testing::expect_fails_closed(provider, environment); }

TEST_F(fenced_provider, declares_fencing) {
  EXPECT_TRUE(leaselab::fenced_provider::declare().fencing);
  EXPECT_FALSE(leaselab::redis_provider::declare().fencing);
}

}  // namespace
}  // namespace leaselab
