// The host of shared libraries: what it grants, where calls wait, and what it makes of those that
// break the rules.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <boost/asio/experimental/awaitable_operators.hpp>

#include "providers/plugin/plugin_provider.hpp"
#include "providers/plugin/watch.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::plugin {
namespace {

using testing::run;
using testing::scripted_environment;

const std::string folder = LEASELAB_PLUGINS;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

struct fixture {
  explicit fixture(const std::string& name)
      : loaded(std::make_shared<const library>(folder + name)) {}

  std::unique_ptr<any_lease_provider> make() {
    return std::make_unique<plugin_provider>(environment, host_clock, shared, stacks,
                                             provider_options{});
  }
  result<acquire_answer> acquire(const std::string& key, milliseconds ttl = milliseconds(10)) {
    return run(make()->acquire_lease(key, "a", ttl));
  }
  std::string failure(const std::string& key) {
    try {
      static_cast<void>(acquire(key));
    } catch (const host_failed& error) {
      return error.what();
    }
    return "nothing failed";
  }

  scripted_environment environment;
  testing::manual_granule_clock host_clock;
  std::shared_ptr<const library> loaded;
  std::shared_ptr<const host_memory> shared = std::make_shared<host_memory>(loaded);
  std::shared_ptr<stack_pool> stacks = std::make_shared<stack_pool>();
};

TEST(plugin, clocks_chance_and_limits_come_from_the_host) {
  fixture with("probe.so");
  with.environment.clock = with.environment.at(milliseconds(3));
  with.host_clock.reading = 17;
  const auto answer = with.acquire("clocks");
  EXPECT_EQ(answer->owner, "3000000 3000000 17 4 5000000000 leaselab");
  // A renewal's limit is a third of its ttl.
  const auto provider = with.make();
  EXPECT_TRUE(run(provider->renew_lease("k", "a", milliseconds(30))).value());
  EXPECT_FALSE(run(provider->renew_lease("k", "a", milliseconds(60))).value());
}

TEST(plugin, a_sleep_takes_the_hosts_time) {
  fixture with("probe.so");
  with.environment.clock = with.environment.at(milliseconds(1));
  EXPECT_TRUE(with.acquire("sleep", milliseconds(2))->acquired);
  EXPECT_EQ(with.environment.clock, with.environment.at(std::chrono::microseconds(3500)));
}

TEST(plugin, replies_are_trees_that_live_as_long_as_the_call) {
  fixture with("probe.so");
  reply tree;
  tree.kind = reply_kind::array;
  reply inner = tree;
  inner.items = {testing::text("b"), testing::nil()};
  tree.items = {testing::integer(-5), inner, testing::status("OK")};
  with.environment.replies = {tree, testing::error("ERR no")};
  EXPECT_EQ(with.acquire("replies")->owner, "[ -5 [ 2'b' nil ] 3'OK' ] 4'ERR no' ");
  ASSERT_EQ(with.environment.trips.size(), 2u);
  EXPECT_EQ(with.environment.trips[0].request.wire(), (std::vector<std::string>{"GET", "k"}));
  EXPECT_EQ(with.environment.trips[0].deadline, with.environment.at(milliseconds(6000)));
}

TEST(plugin, errors_stay_what_they_are) {
  fixture with("probe.so");
  with.environment.replies = {unknown(errc::timed_out)};
  const auto lost = with.acquire("replies");
  EXPECT_EQ(lost.error().kind, outcome::info);
  EXPECT_EQ(lost.error().code, errc::timed_out);
  const auto refused = with.acquire("replies");  // no reply is left
  EXPECT_EQ(refused.error().kind, outcome::fail);
  EXPECT_EQ(refused.error().code, errc::connection_refused);
  const auto busy = with.acquire("busy");
  EXPECT_EQ(busy.error().kind, outcome::info);
  EXPECT_EQ(busy.error().code, errc::busy);
  EXPECT_EQ(busy.error().text, "later");
  with.environment.step_error = definite(errc::timed_out);
  const auto late = run(with.make()->get_lease_owner("step"));
  EXPECT_EQ(late.error().kind, outcome::fail);
  EXPECT_EQ(late.error().code, errc::timed_out);
}

TEST(plugin, a_closed_one_fails) {
  fixture with("script_lease.so");
  const auto provider = with.make();
  provider->close();
  EXPECT_EQ(run(provider->release_lease("k", "a")).error().code, errc::closed);
  EXPECT_TRUE(with.environment.trips.empty());
}

TEST(plugin, one_that_breaks_the_rules_is_told_of_in_one_line) {
  fixture with("probe.so");
  const std::pair<const char*, const char*> all[] = {
      {"outcome", "probe.so: acquire_lease: it returned 7"},
      {"no words", "probe.so: acquire_lease: a command without words"},
      {"no such error", "probe.so: acquire_lease: there is no error 99; allowed: 1 to 12"},
  };
  for (const auto& [key, complaint] : all) {
    const auto text = with.failure(key);
    EXPECT_NE(text.find(complaint), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_THROW(run(with.make()->get_lease_owner("k")), host_failed);  // it names nobody
  fixture throws("thrower.so");
  try {
    run(throws.make()->release_lease("k", "a"));
    FAIL() << "the exception is gone";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("an exception left it: oh dear"), std::string::npos);
  }
}

// What a fault of the processor leaves of the program is one line. (Threadsafe: the watch is a
// thread, which a mere fork would not have.)
TEST(plugin, one_that_crashes_is_named) {
  if (sanitized) GTEST_SKIP() << "the sanitizer says more";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fixture with("probe.so");
  const auto exits = ::testing::ExitedWithCode(2);
  EXPECT_EXIT(with.acquire("null"), exits, "probe.so: acquire_lease: it touched memory");
  EXPECT_EXIT(with.acquire("abort"), exits, "probe.so: acquire_lease: it called abort");
  EXPECT_EXIT(with.acquire("full"), exits, "probe.so: acquire_lease: its stack of 256 KiB is full");
  EXPECT_EXIT(with.acquire("other call"), exits, "not under way on this thread");
}

TEST(plugin, one_that_hangs_is_named) {
  if (sanitized) GTEST_SKIP() << "there is no watch under a sanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        fixture with("probe.so");
        watch_stays(std::chrono::milliseconds(200));
        static_cast<void>(with.acquire("endless"));
      },
      ::testing::ExitedWithCode(2),
      "probe.so: acquire_lease: it neither returned nor asked for anything within 200 ms");
}

awaitable<bool> won_by(any_lease_provider& provider, std::string owner) {
  const auto answer = co_await provider.acquire_lease("k", std::move(owner), milliseconds(1));
  co_return answer->acquired;
}

awaitable<int> two_at_once(any_lease_provider& provider) {
  using namespace boost::asio::experimental::awaitable_operators;
  const auto [one, other] = co_await (won_by(provider, "a") && won_by(provider, "b"));
  co_return int(one) + int(other);
}

// Sleeps that end only when both calls wait.
class waiting_environment final : public environment {
 public:
  monotonic_time now() const override { return scripted_environment::at(nanoseconds(0)); }
  wall_time wall_now() const override { return {}; }
  std::uint64_t random() override { return 4; }
  awaitable<void> sleep_until(monotonic_time) override {
    for (++waiting; waiting < 2;) co_await asio::post(asio::use_awaitable);
  }
  awaitable<result<reply>> send(command, monotonic_time) override {
    co_return definite(errc::connection_refused);
  }
  awaitable<result<void>> step(monotonic_time) override { co_return result<void>(); }

  int waiting = 0;
};

// Both wait inside a handler: each has to find its own exception there afterwards.
TEST(plugin, calls_of_one_process_overlap) {
  fixture with("thrower.so");
  waiting_environment environment;
  plugin_provider provider(environment, with.host_clock, with.shared, with.stacks, {});
  EXPECT_EQ(run(two_at_once(provider)), 2);
  EXPECT_EQ(with.stacks->made(), 2u);
}

// A process crashes in the middle of its calls, again and again.
TEST(plugin, what_is_dropped_is_used_again) {
  fixture with("probe.so");
  void* const handle = ::dlopen((folder + "probe.so").c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto* const alive = static_cast<const int*>(::dlsym(handle, "probe_instances"));
  ASSERT_NE(alive, nullptr);
  for (int i = 0; i < 1000; ++i) {
    const auto provider = with.make();
    asio::io_context context;
    // It ends while the trip is under way: unwinding goes as far as the call's stack, no further.
    asio::co_spawn(context, provider->acquire_lease("replies", "a", milliseconds(10)),
                   asio::detached);
    context.run_one();
    EXPECT_EQ(*alive, 1);
    EXPECT_EQ(with.stacks->made(), 1u);
  }
  EXPECT_EQ(*alive, 0);
  EXPECT_TRUE(with.acquire("k")->acquired);
}

}  // namespace
}  // namespace leaselab::plugin
