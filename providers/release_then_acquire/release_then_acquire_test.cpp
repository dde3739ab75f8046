#include "providers/release_then_acquire/release_then_acquire.hpp"

#include "providers/adapt.hpp"
#include "providers/memory/memory_provider.hpp"
#include "providers/testing/contract_checks.hpp"

// Not anonymous: g++ warns of coroutines in headers that are instantiated with local types.
namespace leaselab::release_then_acquire_test {

using testing::expect_ends;
using testing::run;

const milliseconds ttl(100);

// A base whose release and acquire end as the test says and take `takes` each.
struct scripted_base {
  testing::scripted_environment& environment;
  result<void> released{};
  result<acquire_answer> acquired = acquire_answer{true, std::nullopt, 7};
  nanoseconds takes{};
  std::vector<std::string> calls = {};
  std::vector<std::optional<nanoseconds>> limits = {};

  void note(std::string call, call_options options) {
    calls.push_back(std::move(call));
    limits.push_back(options.limit);
    environment.clock += takes;
  }

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner, milliseconds,
                                                  call_options options = {}) {
    note("acquire " + key + " " + owner, options);
    co_return acquired;
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string) {
    co_return std::optional<std::string>();
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options = {}) {
    note("release " + key + " " + owner, options);
    co_return released;
  }
  awaitable<result<bool>> renew_lease(std::string, std::string, milliseconds) { co_return true; }
  awaitable<result<transfer_answer>> transfer_lease(std::string, std::string, std::string,
                                                    milliseconds) {
    ADD_FAILURE() << "the base's own transfer is never used";
    co_return transfer_answer{};
  }
};

struct release_then_acquire : ::testing::Test {
  testing::scripted_environment environment;
  scripted_base base{environment};
  leaselab::release_then_acquire provider{environment, adapt(base), {"p", milliseconds(500)}};

  result<transfer_answer> transfer(call_options options = {}) {
    return run(provider.transfer_lease("k", "a", "b", ttl, options));
  }
};

TEST_F(release_then_acquire, a_transfer_is_two_calls_and_answers_the_second) {
  EXPECT_EQ(transfer().value(), (transfer_answer{true, 7}));
  EXPECT_EQ(base.calls, (std::vector<std::string>{"release k a", "acquire k b"}));
  base.acquired = acquire_answer{false, "c", std::nullopt};
  EXPECT_EQ(transfer().value(), (transfer_answer{false, std::nullopt}));
}

TEST_F(release_then_acquire, one_limit_covers_both_halves) {
  base.takes = milliseconds(30);
  transfer({milliseconds(100)});
  transfer();
  using limits = std::vector<std::optional<nanoseconds>>;
  EXPECT_EQ(base.limits,
            (limits{milliseconds(100), milliseconds(70), milliseconds(500), milliseconds(470)}));
}

TEST_F(release_then_acquire, nothing_is_sent_after_the_limit) {
  base.takes = milliseconds(30);
  expect_ends(transfer({milliseconds(30)}), outcome::info, errc::timed_out);
  EXPECT_EQ(base.calls.size(), 1U);
}

TEST_F(release_then_acquire, how_a_release_failed_is_how_the_transfer_failed) {
  base.released = definite(errc::loading);
  expect_ends(transfer(), outcome::fail, errc::loading);
  base.released = unknown(errc::connection_lost);
  expect_ends(transfer(), outcome::info, errc::connection_lost);
  EXPECT_EQ(base.calls.size(), 2U) << "no acquire after either";
}

TEST_F(release_then_acquire, an_acquire_that_definitely_failed_leaves_the_transfer_unknown) {
  base.acquired = definite(errc::out_of_memory, "OOM");
  expect_ends(transfer(), outcome::info, errc::out_of_memory);
  base.acquired = unknown(errc::timed_out);
  expect_ends(transfer(), outcome::info, errc::timed_out);
}

struct release_then_acquire_memory : ::testing::Test {
  testing::scripted_environment environment;
  testing::manual_granule_clock clock;
  memory_store store{clock};
  leaselab::release_then_acquire provider{environment,
                                          std::make_unique<memory_provider>(environment, store)};
};

TEST_F(release_then_acquire_memory, refuses_bad_arguments) {
  testing::expect_refuses_bad_arguments(provider, environment);
}

TEST_F(release_then_acquire_memory, fails_closed) {
  testing::expect_fails_closed(provider, environment);
}

TEST_F(release_then_acquire_memory, a_third_process_wins_in_between) {
  store.acquire("k", "a", ttl);
  int step = 0;
  environment.meanwhile = [&] {
    if (++step == 2) store.acquire("k", "c", ttl);
  };
  EXPECT_FALSE(run(provider.transfer_lease("k", "a", "b", ttl)).value().moved);
  EXPECT_EQ(store.owner_of("k"), "c");
}

TEST_F(release_then_acquire_memory, closed_between_its_halves) {
  store.acquire("k", "a", ttl);
  environment.meanwhile = [&] { provider.close(); };
  expect_ends(run(provider.transfer_lease("k", "a", "b", ttl)), outcome::info, errc::closed);
  EXPECT_EQ(store.owner_of("k"), std::nullopt);
}

TEST_F(release_then_acquire_memory, declares_what_is_left_of_its_base) {
  const auto declared = leaselab::release_then_acquire::declare(memory_provider::declare());
  EXPECT_EQ(declared.scope, scope::host);
  EXPECT_FALSE(declared.atomic_handoff);
  EXPECT_TRUE(declared.excludes("handoff.full_ttl", "calm"));
  EXPECT_TRUE(declared.excludes("lease.linearizable", "calm"));
  EXPECT_FALSE(declared.excludes("single_owner.grant", "calm"));
  EXPECT_TRUE(declared.inapplicable("single_owner.grant", "lossy"));
}

}  // namespace leaselab::release_then_acquire_test
