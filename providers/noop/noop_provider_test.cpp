#include "providers/noop/noop_provider.hpp"

#include "providers/testing/contract_checks.hpp"

namespace leaselab {
namespace {

using testing::run;

const milliseconds ttl(100);

struct noop_provider : ::testing::Test {
  testing::scripted_environment environment;
  leaselab::noop_provider provider{environment};
};

TEST_F(noop_provider, everyone_wins_and_nothing_is_kept) {
  static_assert(lease_provider<leaselab::noop_provider>);
  for (const char* owner : {"a", "b"}) {
    EXPECT_EQ(run(provider.acquire_lease("k", owner, ttl)).value(),
              (acquire_answer{true, std::nullopt, std::nullopt}));
    EXPECT_TRUE(run(provider.renew_lease("k", owner, ttl)).value());
    EXPECT_TRUE(run(provider.transfer_lease("k", owner, "c", ttl)).value().moved);
    EXPECT_EQ(run(provider.get_lease_owner("k")).value(), std::nullopt);
    EXPECT_TRUE(run(provider.release_lease("k", owner)).has_value());
  }
  EXPECT_EQ(environment.step_limits.size(), 10U) << "each call can be interleaved";
}

TEST_F(noop_provider, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
}

TEST_F(noop_provider, fails_closed) { testing::expect_fails_closed(provider, environment); }

TEST_F(noop_provider, passes_on_how_its_step_ended) {
  environment.step_error = definite(errc::timed_out);
  testing::expect_all_end(provider, outcome::fail, errc::timed_out);
}

TEST_F(noop_provider, declares_nothing_but_noop) {
  const auto declared = leaselab::noop_provider::declare();
  EXPECT_TRUE(declared.excludes("single_owner.grant", "calm"));
  EXPECT_TRUE(declared.inapplicable("run.covered", "calm"));
  for (const char* one : {"selected", "always_wins", "inert", "single_process"}) {
    EXPECT_FALSE(declared.excludes(std::string("noop.") + one, "calm"));
    EXPECT_FALSE(declared.inapplicable(std::string("noop.") + one, "chaos"));
  }
}

}  // namespace
}  // namespace leaselab
