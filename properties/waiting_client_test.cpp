// Children with a Redis client of their own that waits there (BLPOP), or sends all its commands at
// once: what the front, the world and the engine make of them together.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "properties/foreign.hpp"
#include "properties/search/search.hpp"
#include "properties/search/shrink.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"
#include "sim/testing/plan_builder.hpp"

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;
using sim::verb;

const std::string folder = LEASELAB_PIPE_FOLDER;
const std::string sample = folder + "/python/samples/waiting_lease.py";

const sim::variant& waiting_lease() { return find_foreign("exec:" + sample).variant; }

// The same with a line of it changed by sed.
const sim::variant& changed(const std::string& script) {
  return find_foreign("exec:python3 -c \"$(sed '" + script +
                      "; s|^sys.path.insert.*|sys.path.insert(0, \"" + folder + "/python\")|' " +
                      sample + ")\"")
      .variant;
}

std::unique_ptr<sim::redis::engine> on_model() {
  return std::make_unique<sim::redis::model_engine>();
}
std::unique_ptr<sim::redis::engine> on_server() {
  return std::make_unique<sim::redis::server_engine>();
}
using making = std::unique_ptr<sim::redis::engine> (*)();

check_options options_on(making engine) {
  check_options out;
  out.engine = engine;
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  return out;
}

TEST(waiting_client, keeps_the_contract_whatever_is_lost_and_whoever_dies) {
  auto options = options_on(on_model);
  options.providers = {&waiting_lease()};
  options.profiles = {"interleave", "skew", "pause", "crash", "lossy", "partition"};
  options.schedules = 12;
  const auto once = check(options);
  for (const auto& cell : once.cells)
    EXPECT_NE(cell.result, cell_result::broken) << cell.property << " " << cell.profile;
  EXPECT_TRUE(once.nondeterminism.empty());
  options.jobs = 2;
  EXPECT_EQ(check(options).digest, once.digest);
}

TEST(waiting_client, cannot_tell_the_engines_apart) {
  const auto model = options_on(on_model);
  const auto server = options_on(on_server);
  bench one(model), other(server);
  const judge judge(model.properties);
  for (const char* faults : {"lossy", "crash"}) {
    const auto of = make_campaign(waiting_lease(), *find_profile(faults), model, judge);
    for (std::uint64_t index = 0; index < 12; ++index) {
      const auto expected = one.run_schedule(of, index).history_digest;
      EXPECT_EQ(other.run_schedule(of, index).history_digest, expected) << faults << index;
    }
  }
}

// A signal is no lease: whoever was woken has to ask. This one takes it for one.
TEST(waiting_client, that_takes_the_signal_for_the_lease_is_found_shrunk_and_replayed) {
  const auto& trusting = changed(
      "s/^            answer = self.run(ACQUIRE.*/"
      "            self.client.command(\"SET\", f\"{self.host.prefix}:lease:{key}\", owner, "
      "\"PX\", ttl); answer = 1/");
  auto options = options_on(on_server);
  options.workload = sim::workload_kind::contend;
  bench at(options);
  const judge judge(options.properties);
  const auto of = make_campaign(trusting, *find_profile("interleave"), options, judge);
  const auto grant = at.judged_by().index_of("single_owner.grant");
  const auto violates = [&](sim::plan& plan, const sim::run_record& run) {
    const auto found = at.judged_by().look(at.world_of(trusting), run, plan, trusting.declared,
                                           ~property_set{0}, true);
    return (found.violated >> grant & 1) != 0;
  };
  std::optional<sim::plan> found;
  for (std::uint64_t index = 0; index < 300 && !found; ++index) {
    const auto& run = at.run_schedule(of, index);
    sim::plan plan = at.plan();
    if (violates(plan, run)) found = plan;
  }
  ASSERT_TRUE(found);
  auto smaller = shrink(
      *found,
      [&](sim::plan& plan) {
        const auto& run = at.replay(trusting, plan);
        return violates(plan, run);
      },
      200);
  EXPECT_LT(smaller.plan.decisions.size(), found->decisions.size());
  const auto digest = at.replay(trusting, smaller.plan).digest;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(at.replay(trusting, smaller.plan).digest, digest);
}

// ---- directed worlds: no message takes time

struct directed_world {
  directed_world(const sim::variant& of, making engine) : where(of, keep(engine())) {
    plan.value.one_at_a_time = false;
  }
  std::unique_ptr<sim::redis::engine> keep(std::unique_ptr<sim::redis::engine> made) {
    backend = made.get();
    return made;
  }
  const sim::run_record& run() { return where.run(plan.value, order); }

  sim::redis::engine* backend = nullptr;
  sim::world where;
  sim::testing::plan_builder plan;
  sim::testing::earliest_first order;
};

class waiting : public ::testing::TestWithParam<making> {};
INSTANTIATE_TEST_SUITE_P(on, waiting, ::testing::Values(on_model, on_server), [](const auto& info) {
  return std::string(info.param == making{on_model} ? "model" : "server");
});

TEST_P(waiting, ends_as_the_holder_releases_first_come_first_served) {
  directed_world at(waiting_lease(), GetParam());
  at.plan.call(0, 0, verb::acquire, "A", 3000).call(ns_per_ms, 1, verb::acquire, "B", 3000);
  at.plan.call(2 * ns_per_ms, 2, verb::acquire, "C", 3000);
  at.plan.call(700 * ns_per_ms, 0, verb::release, "A", 0);
  at.plan.call(900 * ns_per_ms, 1, verb::release, "B", 0);
  const auto& run = at.run();
  EXPECT_TRUE(run.calls[1].yes);
  EXPECT_EQ(run.calls[1].completed, 700 * ns_per_ms);
  EXPECT_TRUE(run.calls[2].yes);
  EXPECT_EQ(run.calls[2].completed, 900 * ns_per_ms);
}

// The server's rule: in the millisecond after the last of the 3,000.
TEST_P(waiting, ends_at_its_virtual_deadline) {
  directed_world at(waiting_lease(), GetParam());
  at.plan.call(0, 0, verb::acquire, "A", 4000).call(ns_per_ms, 1, verb::acquire, "B", 3000);
  const auto& run = at.run();
  EXPECT_FALSE(run.calls[1].yes);
  EXPECT_EQ(run.owners[run.calls[1].named], "A");
  EXPECT_EQ(run.calls[1].completed, 3002 * ns_per_ms);
}

// The signal is for the one that lives.
TEST_P(waiting, is_over_for_the_dead) {
  directed_world at(waiting_lease(), GetParam());
  at.plan.call(0, 0, verb::acquire, "A", 3000).call(ns_per_ms, 1, verb::acquire, "B", 3000);
  at.plan.call(2 * ns_per_ms, 2, verb::acquire, "C", 3000);
  at.plan.call(700 * ns_per_ms, 0, verb::release, "A", 0);
  at.plan.fault(sim::fault_kind::crash, 1, 300 * ns_per_ms, sim::never);
  const auto& run = at.run();
  EXPECT_EQ(run.calls[1].completed, sim::never);
  EXPECT_TRUE(run.calls[2].yes);
  EXPECT_EQ(run.calls[2].completed, 700 * ns_per_ms);
}

// A time limit of the client's own closes the connection: nothing is taken for it any more.
TEST_P(waiting, is_over_when_the_client_hangs_up) {
  const auto& impatient = changed(
      "s/^            self.client.command(\"BLPOP\".*/            "
      "self.client.socket.settimeout(0.2)"
      "; self.client.command(\"BLPOP\", self.signal(key), 0)/");
  directed_world at(impatient, GetParam());
  at.plan.call(0, 0, verb::acquire, "A", 3000).call(ns_per_ms, 1, verb::acquire, "B", 3000);
  at.plan.call(700 * ns_per_ms, 0, verb::release, "A", 0);
  const auto& run = at.run();
  EXPECT_EQ(run.calls[1].ended, outcome::info);
  EXPECT_EQ(run.calls[1].completed, 201 * ns_per_ms);
  const std::int64_t now = 700;
  EXPECT_EQ(at.backend->execute({.words = {"LLEN", "leaselab:signal:K"}}, now).integer, 1);
}

// ---- all at once

// By whoever wrote them: the entries of each call in order, those of its transaction together.
void expect_in_order(const std::vector<reply>& log, bool& mixed) {
  std::map<std::string, int> last;
  std::string before;
  for (const auto& entry : log) {
    const auto at = entry.text.rfind('/');
    const std::string call = entry.text.substr(0, at);
    const int number = std::stoi(entry.text.substr(at + 1));
    EXPECT_EQ(number, last[call] + 1) << entry.text;
    last[call] = number;
    if (number == 4) {
      EXPECT_EQ(call, before) << "something came into its transaction";
    }
    mixed |= number > 1 && call != before;
    before = call;
  }
}

TEST(pipelined_client, keeps_its_order_and_its_transactions_whole) {
  const auto& child = find_foreign("exec:python3 " + folder + "/testdata/pipelined.py").variant;
  sim::redis::engine* backend = nullptr;
  auto options = options_on(on_model);
  options.engine = [&] {
    auto made = on_model();
    backend = made.get();
    return made;
  };
  options.workload = sim::workload_kind::contend;
  bench at(options);
  const judge judge(options.properties);
  bool mixed = false;
  for (const char* faults : {"interleave", "lossy"}) {
    const auto of = make_campaign(child, *find_profile(faults), options, judge);
    for (std::uint64_t index = 0; index < 20; ++index) {
      const auto ended = at.run_schedule(of, index).ended / ns_per_ms;
      const command all{.words = {"LRANGE", "log", "0", "-1"}};
      expect_in_order(backend->execute(all, ended).items, mixed);
    }
  }
  EXPECT_TRUE(mixed) << "no call was ever between two commands of another";
}

}  // namespace
}  // namespace leaselab::properties
