// Lease providers that talk to Redis by packages of npm, through the front: what they do between
// two commands is the scheduler's to choose, so their faults are found, shrunk and replayed.
#include <gtest/gtest.h>

#include <string>

#include "properties/foreign.hpp"
#include "properties/search/search.hpp"
#include "properties/testing/denials.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

using namespace testing;  // of properties

class redis_client : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(LEASELAB_NODE).empty()) GTEST_SKIP() << "skipped: there is no Node or npm here";
  }
};

const sim::variant& sample(const std::string& file) {
  const std::string command = "env NODE_PATH=" LEASELAB_NODE_MODULES " " LEASELAB_NODE " ";
  return find_foreign("exec:" + command + LEASELAB_PIPE_FOLDER "/node/samples-npm/redis/" + file)
      .variant;
}

TEST_F(redis_client, denies_what_nobody_holds) {
  expect_found_shrunk_and_replayed(sample("three_trips.js"), lost_to_nobody, 3);
}
TEST_F(redis_client, denies_its_own_lease_to_a_lone_process) {
  expect_found_shrunk_and_replayed(sample("three_trips.js"), lost_alone, 1);
}
TEST_F(redis_client, denies_in_its_own_name) {
  expect_found_shrunk_and_replayed(sample("three_trips.js"), names_itself, 3);
}

TEST_F(redis_client, one_script_keeps_the_contract) {
  expect_no_accusation(few(sample("one_script.js")));
}

// Each crash ends a child between two of its commands.
TEST_F(redis_client, one_script_keeps_the_contract_through_crashes) {
  auto options = few(sample("one_script.js"));
  options.profiles = {"crash"};
  options.schedules = 15;
  expect_no_accusation(options);
}

TEST_F(redis_client, a_mutex_keeps_what_it_declares) {
  expect_no_accusation(few(sample("mutex.js")));
}

TEST_F(redis_client, the_same_seed_gives_the_same_digest_on_any_number_of_threads) {
  auto options = few(sample("three_trips.js"));
  options.properties = {"single_owner.grant"};
  options.schedules = 20;
  const auto once = check(options).digest;
  options.jobs = 2;
  EXPECT_EQ(check(options).digest, once);
}

// The client cannot tell the engines apart.
TEST_F(redis_client, both_engines_make_the_same_history) {
  const auto& provider = sample("three_trips.js");
  check_options model = on_server();
  model.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  const check_options server = on_server();
  bench on_model(model), with_server(server);
  const judge judge(model.properties);
  const campaign of = make_campaign(provider, *find_profile("lossy"), model, judge);
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto expected = on_model.run_schedule(of, index).history_digest;
    EXPECT_EQ(with_server.run_schedule(of, index).history_digest, expected) << index;
  }
}

}  // namespace
}  // namespace leaselab::properties
