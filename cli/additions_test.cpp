// Providers that a program adds: what they may be called, and what is found out about them.
#include "cli/additions.hpp"

#include <gtest/gtest.h>

#include "cli/exit_status.hpp"
#include "cli/registry.hpp"
#include "providers/noop/noop_provider.hpp"

namespace leaselab::cli {
namespace {

// Some of the operations, by their names alone.
struct lock {
  awaitable<result<acquire_answer>> acquire_lease(std::string, std::string, milliseconds) {
    co_return acquire_answer{};
  }
  awaitable<result<void>> release_lease(std::string, std::string) { co_return result<void>(); }
};

struct around_noop : lock {
  explicit around_noop(environment& on) : inner(std::make_unique<noop_provider>(on)) {}
  std::unique_ptr<noop_provider>& get_lease_provider() { return inner; }
  std::unique_ptr<noop_provider> inner;
};

struct around_nothing : lock {
  lock* get_lease_provider() { return nullptr; }
};

template <class Made>
handed_in named(std::string name, std::function<Made(environment&)> make) {
  handed_in out;
  out.name = std::move(name);
  out.missing = handing_in::missing_of<typename handing_in::object_of<Made>::type>();
  out.make = [make](environment& on, void*, provider_options) {
    return handing_in::take_over<Made>(make(on));
  };
  return out;
}

handed_in whole(std::string name) {
  return named<std::unique_ptr<noop_provider>>(
      std::move(name), [](environment& on) { return std::make_unique<noop_provider>(on); });
}

std::string refusal_of(std::string name) {
  try {
    add_provider(whole(std::move(name)));
  } catch (const usage_error& error) {
    return error.what();
  }
  return "";
}

TEST(additions, a_name_that_is_taken_is_refused) {
  EXPECT_EQ(refusal_of("added"), "");
  EXPECT_EQ(refusal_of("added"), "two providers are called `added`");
  EXPECT_EQ(refusal_of("redis"), "`redis` is the name of a built-in provider; choose another");
  EXPECT_NE(find_provider("added"), nullptr);
  EXPECT_EQ(select_providers({}).back()->name, "added");
  EXPECT_EQ(select_providers({"add*"}).size(), 1u);
  EXPECT_TRUE(missing_of(provider_named("added")).empty());
}

TEST(additions, a_name_that_means_something_else_is_refused) {
  for (const char* name : {"", "mutant:M01", "exec:x", "a b", "a/b", "a*", "-a", ".", "default",
                           "redis+published", "none"}) {
    EXPECT_NE(refusal_of(name).find("a provider cannot be called `" + std::string(name) + "`"),
              std::string::npos)
        << name;
  }
}

TEST(additions, what_is_missing_is_found_behind_decorators) {
  add_provider(named<lock>("some", [](environment&) { return lock(); }));
  const std::vector<operation> missing{operation::get, operation::renew, operation::transfer};
  EXPECT_EQ(missing_of(provider_named("some")), missing);
  EXPECT_EQ(names_of(provider_list()).back(), "some");
  EXPECT_NE(provider_list().back().about.find(
                "2 of 5 operations (no get_lease_owner, renew_lease, transfer_lease)"),
            std::string::npos);

  add_provider(named<std::shared_ptr<around_noop>>(
      "wrapped", [](environment& on) { return std::make_shared<around_noop>(on); }));
  EXPECT_TRUE(missing_of(provider_named("wrapped")).empty());
  add_provider(named<around_nothing>("hollow", [](environment&) { return around_nothing(); }));
  EXPECT_EQ(missing_of(provider_named("hollow")), missing);
}

TEST(additions, a_factory_that_makes_nothing_is_told) {
  EXPECT_THROW(handing_in::take_over<std::unique_ptr<noop_provider>>(nullptr), host_failed);
  EXPECT_THROW(add_provider(named<std::unique_ptr<around_nothing>>(
                   "nothing", [](environment&) { return nullptr; })),
               host_failed);
  EXPECT_EQ(find_provider("nothing"), nullptr);
}

}  // namespace
}  // namespace leaselab::cli
