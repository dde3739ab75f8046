// Lease providers that talk to Redis by redis-py, blocking and by asyncio, through the front.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "properties/foreign.hpp"
#include "properties/testing/denials.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;  // of properties

class python_client : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system(LEASELAB_PYTHON " -c 'import redis.asyncio' 2>/dev/null") != 0) {
      GTEST_SKIP() << "skipped: " LEASELAB_PYTHON " has no redis-py (Debian: python3-redis)";
    }
  }
};

const sim::variant& sample(const std::string& file) {
  return find_foreign("exec:" LEASELAB_PYTHON " " LEASELAB_PIPE_FOLDER "/python/samples-redis/" +
                      file)
      .variant;
}

TEST_F(python_client, denies_what_nobody_holds) {
  expect_found_shrunk_and_replayed(sample("three_trips.py"), lost_to_nobody, 3);
}

TEST_F(python_client, one_script_keeps_the_contract) {
  expect_no_accusation(few(sample("one_script_asyncio.py")));
}

// Each crash ends a child between two of its commands.
TEST_F(python_client, one_script_keeps_the_contract_through_crashes) {
  auto options = few(sample("one_script_asyncio.py"));
  options.profiles = {"crash"};
  options.schedules = 15;
  expect_no_accusation(options);
}

TEST_F(python_client, the_same_seed_gives_the_same_digest_on_any_number_of_threads) {
  for (const char* file : {"three_trips.py", "one_script_asyncio.py"}) {
    auto options = few(sample(file));
    options.properties = {"single_owner.grant"};
    options.schedules = 20;
    const auto once = check(options).digest;
    options.jobs = 2;
    EXPECT_EQ(check(options).digest, once) << file;
  }
}

}  // namespace
}  // namespace leaselab::properties
