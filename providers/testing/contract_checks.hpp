// What every provider does alike, as checks that a provider's test calls.
#pragma once

#include <gtest/gtest.h>

#include "providers/lease_provider.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::testing {

template <class T>
void expect_ends(const result<T>& ended, outcome kind, errc code) {
  ASSERT_FALSE(ended);
  EXPECT_EQ(to_string(ended.error().kind), to_string(kind));
  EXPECT_EQ(to_string(ended.error().code), to_string(code)) << ended.error().text;
}

// All five operations with lawful arguments.
inline void expect_all_end(any_lease_provider& provider, outcome kind, errc code) {
  const milliseconds ttl(100);
  expect_ends(run(provider.acquire_lease("k", "a", ttl)), kind, code);
  expect_ends(run(provider.get_lease_owner("k")), kind, code);
  expect_ends(run(provider.release_lease("k", "a")), kind, code);
  expect_ends(run(provider.renew_lease("k", "a", ttl)), kind, code);
  expect_ends(run(provider.transfer_lease("k", "a", "b", ttl)), kind, code);
}

// Arguments outside the contract, of each operation.
inline void expect_refuses_bad_arguments(any_lease_provider& provider,
                                         const scripted_environment& environment) {
  const auto kind = outcome::fail;
  const auto code = errc::invalid_argument;
  const milliseconds good(100);
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, max_ttl_ms + 1}) {
    expect_ends(run(provider.acquire_lease("k", "a", milliseconds(bad))), kind, code);
    expect_ends(run(provider.renew_lease("k", "a", milliseconds(bad))), kind, code);
    expect_ends(run(provider.transfer_lease("k", "a", "b", milliseconds(bad))), kind, code);
  }
  expect_ends(run(provider.acquire_lease("", "a", good)), kind, code);
  expect_ends(run(provider.acquire_lease("k", "", good)), kind, code);
  expect_ends(run(provider.get_lease_owner("")), kind, code);
  expect_ends(run(provider.release_lease("", "a")), kind, code);
  expect_ends(run(provider.release_lease("k", "")), kind, code);
  expect_ends(run(provider.renew_lease("", "a", good)), kind, code);
  expect_ends(run(provider.renew_lease("k", "", good)), kind, code);
  expect_ends(run(provider.transfer_lease("", "a", "b", good)), kind, code);
  expect_ends(run(provider.transfer_lease("k", "", "b", good)), kind, code);
  expect_ends(run(provider.transfer_lease("k", "a", "", good)), kind, code);
  EXPECT_EQ(environment.effects(), 0U) << "refused before anything is sent";
}

// Closes the provider.
inline void expect_fails_closed(any_lease_provider& provider,
                                const scripted_environment& environment) {
  const auto before = environment.effects();
  provider.close();
  provider.close();
  expect_all_end(provider, outcome::fail, errc::closed);
  EXPECT_EQ(environment.effects(), before);
}

}  // namespace leaselab::testing
