// Lease providers that talk to Redis by packages of npm, through the front: what they do between
// two commands is the scheduler's to choose, so their faults are found, shrunk and replayed.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "properties/foreign.hpp"
#include "properties/search/search.hpp"
#include "properties/search/shrink.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::properties {
namespace {

using sim::call_record;
using sim::run_record;

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

check_options on_server() {
  check_options out;
  out.engine = [] { return std::make_unique<sim::redis::server_engine>(); };
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  return out;
}

// What the first step of a call found.
sim::owner_id found_by(const run_record& run, sim::call_index call) {
  for (const auto& each : run.events)
    if (each.kind == sim::event_kind::step && each.call == call) return each.before.owner;
  return sim::nobody;
}

// Some denied acquire is like that.
using kind_of_denial = std::function<bool(const run_record&, sim::call_index)>;
bool any_denial(const run_record& run, const kind_of_denial& kind) {
  for (sim::call_index i = 0; i < run.calls.size(); ++i) {
    const call_record& call = run.calls[i];
    const bool denied = call.what == sim::verb::acquire && call.completed != sim::never &&
                        call.ended == outcome::ok && !call.yes && !call.contender;
    if (denied && call.arguments_lawful && kind(run, i)) return true;
  }
  return false;
}

bool names_nobody(const run_record& run, sim::call_index call) {
  return run.calls[call].named == sim::nobody;
}

// B02: another's lease had ended meanwhile.
bool lost_to_nobody(const run_record& run, sim::call_index call) {
  const auto found = found_by(run, call);
  return names_nobody(run, call) && found != sim::nobody && found != run.calls[call].owner;
}
// B03: its own had, and nobody else was there.
bool lost_alone(const run_record& run, sim::call_index call) {
  return names_nobody(run, call) && found_by(run, call) == run.calls[call].owner;
}
// B04.
bool names_itself(const run_record& run, sim::call_index call) {
  return run.calls[call].named == run.calls[call].owner;
}

// The first such run of a search; its plan is complete with its decisions.
std::optional<sim::plan> search_for(bench& at, const campaign& of, const kind_of_denial& kind,
                                    std::uint64_t most) {
  for (std::uint64_t index = 0; index < most; ++index)
    if (any_denial(at.run_schedule(of, index), kind)) return at.plan();
  return std::nullopt;
}

void expect_found_shrunk_and_replayed(const kind_of_denial& kind, std::uint32_t processes) {
  const auto& provider = sample("three_trips.js");
  check_options options = on_server();
  options.workload = sim::workload_kind::shared;
  options.processes = processes;
  bench at(options);
  const judge judge(options.properties);
  const campaign of = make_campaign(provider, *find_profile("interleave"), options, judge);
  const auto found = search_for(at, of, kind, 1'000);
  ASSERT_TRUE(found);
  auto smaller = shrink(
      *found, [&](sim::plan& plan) { return any_denial(at.replay(provider, plan), kind); }, 400);
  EXPECT_LE(smaller.plan.decisions.size(), 24u);
  EXPECT_LT(smaller.plan.decisions.size(), found->decisions.size());

  const auto digest = at.replay(provider, smaller.plan).digest;
  for (int i = 0; i < 3; ++i) {
    const auto& again = at.replay(provider, smaller.plan);
    EXPECT_EQ(again.digest, digest);
    EXPECT_TRUE(any_denial(again, kind));
  }
  const auto passed = at.judged_by().look(at.world_of(provider), at.replay(provider, smaller.plan),
                                          smaller.plan, provider.declared, ~property_set{0}, true);
  const auto honest = at.judged_by().index_of("acquire.honest_denial");
  EXPECT_TRUE(passed.violated >> honest & 1);
}

TEST_F(redis_client, denies_what_nobody_holds) {
  expect_found_shrunk_and_replayed(lost_to_nobody, 3);
}
TEST_F(redis_client, denies_its_own_lease_to_a_lone_process) {
  expect_found_shrunk_and_replayed(lost_alone, 1);
}
TEST_F(redis_client, denies_in_its_own_name) { expect_found_shrunk_and_replayed(names_itself, 3); }

check_options few(const sim::variant& provider) {
  check_options out;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  out.providers = {&provider};
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  out.profiles = {"interleave", "skew", "pause", "lossy", "partition", "scripts"};
  out.schedules = 40;
  return out;
}

void expect_no_accusation(const check_options& options) {
  const auto result = check(options);
  for (const auto& cell : result.cells) {
    EXPECT_NE(cell.result, cell_result::broken) << cell.property << " " << cell.profile;
    if (cell.guaranteed) {
      EXPECT_EQ(cell.violations, 0u) << cell.property << " " << cell.profile;
    }
  }
  EXPECT_TRUE(result.nondeterminism.empty());
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
