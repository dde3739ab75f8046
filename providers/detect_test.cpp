#include "providers/detect.hpp"

#include "providers/memory/memory_provider.hpp"
#include "providers/noop/noop_provider.hpp"
#include "providers/testing/contract_checks.hpp"

// Not anonymous: g++ warns of coroutines in headers that are instantiated with local types.
namespace leaselab::detect_test {

using testing::run;

const milliseconds ttl(100);

// Providers by their members alone: no base class, no call_options, arguments by reference.

struct four_of_five {
  awaitable<result<acquire_answer>> acquire_lease(const std::string& key, const std::string& owner,
                                                  milliseconds) {
    co_return acquire_answer{false, key + " by " + owner, std::nullopt};
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string) {
    co_return std::optional<std::string>("four");
  }
  awaitable<result<void>> release_lease(std::string, std::string) {
    result<void> done;
    co_return done;
  }
  awaitable<result<bool>> renew_lease(std::string, std::string, milliseconds) { co_return false; }
};

struct complete : four_of_five {
  std::string name = "five";
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string) { co_return name; }
  awaitable<result<transfer_answer>> transfer_lease(std::string, std::string, std::string,
                                                    milliseconds) {
    co_return transfer_answer{};
  }
};

// All five names, one with an answer that is not the contract's.
struct other_answer : complete {
  bool renew_lease(std::string, std::string, milliseconds) { return true; }
};

struct wrapped {
  std::function<std::optional<provider_entries>()> inner;
  std::optional<provider_entries> get_lease_provider() { return inner(); }
};

// A decorator of a decorator of ... of `innermost`.
template <class Innermost>
provider_entries nested(Innermost& innermost, int depth) {
  auto entries = describe(innermost);
  for (; depth > 0; --depth) {
    provider_entries outer;
    outer.get_lease_provider = [entries] { return std::optional(entries); };
    entries = std::move(outer);
  }
  return entries;
}

struct detect : ::testing::Test {
  testing::scripted_environment environment;
  complete five;

  std::string owner_by(any_lease_provider& provider) {
    return run(provider.get_lease_owner("k")).value().value_or("none");
  }
};

TEST_F(detect, values_are_checked_by_the_concept) {
  static_assert(lease_provider<complete>);
  static_assert(!lease_provider<four_of_five>);
  static_assert(!lease_provider<other_answer>);
  static_assert(!lease_provider<int>);

  EXPECT_EQ(owner_by(*adapt(five)), "five");
  const auto owned = make_provider(complete{{}, "owned"});
  EXPECT_EQ(owner_by(*owned), "owned");
  testing::expect_fails_closed(*owned, environment);
}

TEST_F(detect, arguments_by_reference_outlive_the_call) {
  const std::string key(100, 'k');
  const auto denied = run(adapt(five)->acquire_lease(key, "a", ttl)).value();
  EXPECT_EQ(denied.owner, key + " by a");
}

TEST_F(detect, options_and_close_are_handed_on_where_they_are_taken) {
  testing::manual_granule_clock clock;
  memory_store store(clock);
  memory_provider memory(environment, store);
  const auto handle = adapt(memory);
  run(handle->acquire_lease("k", "a", ttl, {milliseconds(7)}));
  EXPECT_EQ(environment.step_limits.at(0), environment.clock + milliseconds(7));
  handle->close();
  testing::expect_all_end(memory, outcome::fail, errc::closed);

  const auto own = make_provider(memory_provider(environment, store));
  EXPECT_NE(dynamic_cast<memory_provider*>(own.get()), nullptr) << "no handle around it";
  EXPECT_EQ(resolve_object(memory, environment).missing.size(), 0U);
}

TEST_F(detect, a_complete_object_is_the_provider) {
  const auto found = resolve_object(five, environment);
  EXPECT_FALSE(found.fallback);
  EXPECT_EQ(found.depth, 0);
  EXPECT_TRUE(found.missing.empty());
  EXPECT_EQ(found.warning, "");
  EXPECT_EQ(owner_by(*found.provider), "five");
  testing::expect_fails_closed(*found.provider, environment);
}

TEST_F(detect, four_of_five_fall_back_visibly) {
  four_of_five four;
  const auto found = resolve_object(four, environment);
  EXPECT_TRUE(found.fallback);
  EXPECT_EQ(found.missing, std::vector{operation::transfer});
  EXPECT_EQ(found.warning,
            "no lease provider: the backend lacks transfer_lease; using the no-op provider, which "
            "coordinates nothing between processes");
  EXPECT_EQ(owner_by(*found.provider), "none");
  EXPECT_TRUE(run(found.provider->renew_lease("k", "a", ttl)).value());

  other_answer odd;
  EXPECT_EQ(resolve_object(odd, environment).missing, std::vector{operation::renew});
  int nothing = 0;
  EXPECT_EQ(resolve_object(nothing, environment).missing.size(), 5U);
}

TEST_F(detect, any_missing_entry_is_named) {
  for (int absent = 0; absent < operation_count; ++absent) {
    auto entries = describe(five);
    if (absent == 0) entries.acquire_lease = nullptr;
    if (absent == 1) entries.get_lease_owner = nullptr;
    if (absent == 2) entries.release_lease = nullptr;
    if (absent == 3) entries.renew_lease = nullptr;
    if (absent == 4) entries.transfer_lease = nullptr;
    const auto found = resolve(std::move(entries), environment);
    EXPECT_TRUE(found.fallback);
    EXPECT_EQ(found.missing, std::vector{static_cast<operation>(absent)});
  }
}

TEST_F(detect, looks_through_up_to_64_decorators) {
  for (int depth = 0; depth <= max_detection_depth; ++depth) {
    const auto found = resolve(nested(five, depth), environment);
    ASSERT_FALSE(found.fallback) << depth;
    EXPECT_EQ(found.depth, depth);
    EXPECT_EQ(found.missing.size(), depth == 0 ? 0U : 5U);
    EXPECT_EQ(owner_by(*found.provider), "five");
  }
  const auto too_deep = resolve(nested(five, max_detection_depth + 1), environment);
  EXPECT_TRUE(too_deep.fallback);
  EXPECT_EQ(too_deep.depth, 0);
}

TEST_F(detect, the_policy_outermost_does_not_look_inside) {
  const auto policy = detection::outermost;
  EXPECT_FALSE(resolve(nested(five, 0), environment, {}, policy).fallback);
  EXPECT_TRUE(resolve(nested(five, 1), environment, {}, policy).fallback);
}

TEST_F(detect, a_cycle_is_not_found) {
  wrapped self;
  self.inner = [&] { return std::optional(describe(self)); };
  const auto found = resolve_object(self, environment);
  EXPECT_TRUE(found.fallback);
  EXPECT_EQ(found.missing.size(), 5U);
}

TEST_F(detect, the_outermost_complete_object_wins) {
  struct : complete {
    four_of_five inner;
    four_of_five& get_lease_provider() { return inner; }
  } outer;
  outer.name = "outer";
  const auto found = resolve_object(outer, environment);
  EXPECT_EQ(found.depth, 0);
  EXPECT_EQ(owner_by(*found.provider), "outer");
}

TEST_F(detect, an_incomplete_inner_object_is_no_provider) {
  four_of_five four;
  const auto found = resolve(nested(four, 2), environment);
  EXPECT_TRUE(found.fallback);
  EXPECT_EQ(found.missing.size(), 5U) << "of the outermost object";
}

struct by_pointer {
  complete* inner = nullptr;
  complete* get_lease_provider() { return inner; }
};
struct by_shared_pointer {
  std::shared_ptr<complete> get_lease_provider() {
    return std::make_shared<complete>(complete{{}, "shared"});
  }
};
struct by_unique_pointer {
  std::unique_ptr<by_shared_pointer> inner = std::make_unique<by_shared_pointer>();
  std::unique_ptr<by_shared_pointer>& get_lease_provider() { return inner; }
};
struct by_value {
  complete get_lease_provider() { return {{}, "value"}; }
};
struct hands_on_nothing {
  void get_lease_provider() {}
};

TEST_F(detect, an_inner_object_may_come_in_any_form) {
  by_pointer pointer;
  EXPECT_TRUE(resolve_object(pointer, environment).fallback) << "null";
  pointer.inner = &five;
  EXPECT_EQ(owner_by(*resolve_object(pointer, environment).provider), "five");

  by_unique_pointer unique;
  const auto found = resolve_object(unique, environment);
  EXPECT_EQ(found.depth, 2);
  EXPECT_EQ(owner_by(*found.provider), "shared");

  by_value value;
  EXPECT_EQ(owner_by(*resolve_object(value, environment).provider), "value");
  hands_on_nothing nothing;
  EXPECT_TRUE(resolve_object(nothing, environment).fallback);
}

// N12: a backend error at start must not select the no-op provider.
TEST_F(detect, an_error_never_selects_the_fallback) {
  auto failing = describe(five);
  failing.get_lease_owner = [](std::string, call_options) {
    return adapting::ended<std::optional<std::string>>(definite(errc::loading));
  };
  const auto found = resolve(std::move(failing), environment);
  EXPECT_FALSE(found.fallback);
  testing::expect_ends(run(found.provider->get_lease_owner("k")), outcome::fail, errc::loading);

  wrapped throwing;
  throwing.inner = []() -> std::optional<provider_entries> { throw std::runtime_error("down"); };
  EXPECT_THROW(resolve_object(throwing, environment), std::runtime_error);
}

}  // namespace leaselab::detect_test
