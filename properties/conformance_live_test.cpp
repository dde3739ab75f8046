// The contract suite on real time, each test with a server of its own.
#include "properties/conformance_live.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "providers/memory/memory_provider.hpp"
#include "providers/redis/fenced_provider.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/three_step_provider.hpp"
#include "providers/release_then_acquire/release_then_acquire.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab::properties::conformance {
namespace {

using providers = std::unique_ptr<any_lease_provider>;

template <class Provider>
live_setup setup_of(std::string url) {
  live_setup out;
  out.where.redis = std::move(url);
  out.declared = Provider::declare();
  out.make = [](environment& where, provider_options options) -> providers {
    return std::make_unique<Provider>(where, std::move(options));
  };
  return out;
}

live_setup release_then_acquire_at(std::string url) {
  live_setup out = setup_of<redis_provider>(std::move(url));
  out.declared = release_then_acquire::declare(out.declared);
  out.make = [](environment& where, provider_options options) -> providers {
    auto base = std::make_unique<redis_provider>(where, options);
    return std::make_unique<release_then_acquire>(where, std::move(base), std::move(options));
  };
  return out;
}

std::string text_of(const row& one) {
  std::string out = std::string(to_string(one.what)) + ", " + one.edge;
  return out + ": expected " + one.expected + ", got " + one.got + "; " + one.why;
}

// Everything that can be run was, and is as it should be.
void expect_conforms(const live_setup& setup) {
  const auto rows = run_live(setup);
  ASSERT_EQ(rows.size(), cases().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool possible = !cases()[i].exact && inapplicable(cases()[i], setup.declared).empty();
    EXPECT_EQ(rows[i].ended, possible ? row_end::ok : row_end::not_run) << text_of(rows[i]);
  }
}

class conformance_live : public ::testing::Test {
 protected:
  testing::redis_server server_;
};

TEST_F(conformance_live, redis_on_a_unix_socket) {
  expect_conforms(setup_of<redis_provider>(server_.unix_url()));
}
TEST_F(conformance_live, redis_on_tcp) {
  expect_conforms(setup_of<redis_provider>(server_.tcp_url()));
}
TEST_F(conformance_live, three_step_on_a_unix_socket) {
  expect_conforms(setup_of<three_step_provider>(server_.unix_url()));
}
TEST_F(conformance_live, three_step_on_tcp) {
  expect_conforms(setup_of<three_step_provider>(server_.tcp_url()));
}
TEST_F(conformance_live, fenced_on_a_unix_socket) {
  expect_conforms(setup_of<fenced_provider>(server_.unix_url()));
}
TEST_F(conformance_live, fenced_on_tcp) {
  expect_conforms(setup_of<fenced_provider>(server_.tcp_url()));
}
// Its expectations are those of a handoff in two steps; the gap itself is no answer.
TEST_F(conformance_live, release_then_acquire_on_a_unix_socket) {
  expect_conforms(release_then_acquire_at(server_.unix_url()));
}
TEST_F(conformance_live, release_then_acquire_on_tcp) {
  expect_conforms(release_then_acquire_at(server_.tcp_url()));
}

// Held to one step, the handoff in two departs: the suite can fail on real time, too.
TEST_F(conformance_live, a_provider_that_promises_too_much_departs) {
  auto setup = release_then_acquire_at(server_.unix_url());
  setup.declared = redis_provider::declare();
  const auto rows = run_live(setup);
  const auto broken =
      std::count_if(rows.begin(), rows.end(), [](const auto& r) { return r.broken(); });
  EXPECT_GE(broken, 3);
}

// Renews whatever it is asked for.
class careless final : public redis_provider {
 public:
  using redis_provider::redis_provider;
  awaitable<result<bool>> renew_lease(std::string, std::string, milliseconds,
                                      call_options = {}) override {
    co_return true;
  }
};

TEST_F(conformance_live, a_careless_provider_departs) {
  const auto rows = run_live(setup_of<careless>(server_.unix_url()));
  const auto of_renew = [](const row& one) {
    return one.broken() && one.what == operation::renew && one.why == "renew.honest is promised";
  };
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), of_renew));
}

// What ends before anything is sent can be judged; of the rest nothing is known.
TEST(conformance_without_server, departs_from_nothing) {
  auto setup = setup_of<redis_provider>("unix:///nonexistent/leaselab");
  setup.attempts = 1;
  std::size_t not_run = 0;
  for (const row& one : run_live(setup)) {
    EXPECT_NE(one.ended, row_end::departed) << text_of(one);
    if (one.ended != row_end::not_run) continue;
    ++not_run;
    EXPECT_FALSE(one.why.empty()) << text_of(one);
  }
  EXPECT_GT(not_run, cases().size() / 2);
}

// Counts the milliseconds of the machine.
class steady_granules final : public granule_clock {
 public:
  std::int64_t now_granules() const override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }
};

// A store is a name space of its own, so each prefix has one.
TEST(conformance_in_memory, memory_on_real_time) {
  const steady_granules clock;
  std::map<std::string, memory_store> stores;
  live_setup setup;
  setup.declared = memory_provider::declare();
  setup.make = [&](environment& where, provider_options options) -> providers {
    memory_store& store = stores.try_emplace(options.prefix, clock).first->second;
    return std::make_unique<memory_provider>(where, store, std::move(options));
  };
  expect_conforms(setup);
}

}  // namespace
}  // namespace leaselab::properties::conformance
