// Same seed, same digest: on every compiler, in debug and release builds and under sanitizers,
// which all run this test. The numbers change when what runs record changes, and only then.
#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/check.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

std::uint64_t digest_of(unsigned jobs) {
  check_options options;
  for (const char* name : {"memory", "redis", "redis-three-step", "release-then-acquire"})
    options.providers.push_back(find_variant(name));
  for (const auto& one : all_properties()) options.properties.emplace_back(one->id());
  options.profiles = {"interleave", "crash", "chaos"};
  options.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  options.seed = 7;
  options.schedules = 60;
  options.jobs = jobs;
  return check(options).digest.value_or(0);
}

TEST(digest, is_the_same_wherever_it_is_computed) {
  constexpr std::uint64_t known = 13847809751559728255u;
  EXPECT_EQ(digest_of(1), known);
  EXPECT_EQ(digest_of(2), known);
}

}  // namespace
}  // namespace leaselab::properties
