#include "providers/memory/memory_provider.hpp"

#include "providers/testing/contract_checks.hpp"

namespace leaselab {
namespace {

using testing::run;

const milliseconds ttl(100);

struct memory_provider : ::testing::Test {
  testing::scripted_environment environment;
  testing::manual_granule_clock clock;
  memory_store store{clock};
  leaselab::memory_provider provider{environment, store, {"p", std::chrono::seconds(2)}};
};

TEST_F(memory_provider, answers_as_the_contract_says) {
  static_assert(lease_provider<leaselab::memory_provider>);
  EXPECT_TRUE(run(provider.acquire_lease("k", "a", ttl)).value().acquired);
  EXPECT_EQ(run(provider.acquire_lease("k", "b", ttl)).value(),
            (acquire_answer{false, "a", std::nullopt}));
  EXPECT_EQ(run(provider.get_lease_owner("k")).value(), "a");
  EXPECT_TRUE(run(provider.renew_lease("k", "a", ttl)).value());
  EXPECT_FALSE(run(provider.renew_lease("k", "b", ttl)).value());
  EXPECT_TRUE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_FALSE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_TRUE(run(provider.release_lease("k", "b")).has_value());
  EXPECT_EQ(run(provider.get_lease_owner("k")).value(), std::nullopt);
}

TEST_F(memory_provider, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
  EXPECT_EQ(store.size(), 0U);
}

TEST_F(memory_provider, fails_closed) { testing::expect_fails_closed(provider, environment); }

TEST_F(memory_provider, the_effect_comes_after_the_step) {
  environment.meanwhile = [&] { store.acquire("k", "b", ttl); };
  EXPECT_EQ(run(provider.acquire_lease("k", "a", ttl)).value().owner, "b");
}

TEST_F(memory_provider, a_call_that_ends_in_its_step_has_no_effect) {
  store.acquire("k", "a", ttl);
  const auto before = store.peek("k");
  environment.step_error = definite(errc::timed_out);
  testing::expect_all_end(provider, outcome::fail, errc::timed_out);
  EXPECT_EQ(store.peek("k"), before);
}

TEST_F(memory_provider, each_call_is_one_step_with_its_own_limit) {
  const auto now = environment.clock;
  run(provider.acquire_lease("k", "a", ttl));
  run(provider.acquire_lease("k", "a", ttl, {milliseconds(20)}));
  run(provider.renew_lease("k", "a", milliseconds(90)));
  run(provider.renew_lease("k", "a", milliseconds(90), {milliseconds(7)}));
  EXPECT_EQ(environment.step_limits,
            (std::vector{now + std::chrono::seconds(2), now + milliseconds(20),
                         now + milliseconds(30), now + milliseconds(7)}));
}

TEST_F(memory_provider, no_limit_wraps) {
  run(provider.acquire_lease("k", "a", ttl, {nanoseconds::max()}));
  run(provider.renew_lease("k", "a", milliseconds(max_ttl_ms), {nanoseconds::max()}));
  EXPECT_EQ(environment.step_limits, (std::vector{monotonic_time::max(), monotonic_time::max()}));
}

TEST_F(memory_provider, declares_its_host_and_nothing_across_processes) {
  const auto shared = leaselab::memory_provider::declare();
  EXPECT_FALSE(shared.excludes("single_owner.grant", "crash"));
  EXPECT_TRUE(shared.inapplicable("single_owner.grant", "lossy"));
  EXPECT_FALSE(shared.inapplicable("single_owner.grant", "chaos"));
  EXPECT_TRUE(
      leaselab::memory_provider::declare_per_process().excludes("single_owner.grant", "calm"));
}

}  // namespace
}  // namespace leaselab
