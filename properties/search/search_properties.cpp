// What holds of any world: the providers' promises, and the machinery's own.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/plan_gen.hpp"
#include "properties/search/standing.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const auto& one : all_properties()) ids.emplace_back(one->id());
  return ids;
}

// One provider, with a world that is used again and again.
class testbed {
 public:
  explicit testbed(const char* name)
      : provider_(*find_variant(name)),
        world_(provider_, std::make_unique<sim::redis::model_engine>()),
        judge_(all_ids()) {}

  const sim::run_record& run(const sim::plan& plan, const char* strategy = "portfolio") {
    return world_.run(plan, *make_strategy(strategy));
  }
  void record(sim::plan& plan) {
    run(plan);
    plan.decisions = world_.decisions();
  }
  // Any kind of world that can occur with the provider, and one of its plans.
  sim::plan draw_plan(bool in_model_only) {
    std::vector<const profile*> possible;
    for (const auto& one : profiles()) {
      if (!provider_.declared.inapplicable("*", one.id) && (one.in_model || !in_model_only))
        possible.push_back(&one);
    }
    faults_ = *rc::gen::elementOf(possible);
    const auto plain = plain_workloads();
    workload_ = *rc::gen::elementOf(std::vector<sim::workload_kind>(plain.begin(), plain.end()));
    return *any_plan(world_for(workload_, *faults_, provider_.declared),
                     [this](sim::plan& plan) { record(plan); });
  }
  // The first guaranteed property that the plan's run breaks; empty: none.
  std::string broken(const sim::plan& plan) {
    const auto& ran = run(plan, "replay");
    const std::array workloads{workload_};
    property_set wanted = 0;
    for (std::size_t i = 0; i < judge_.size(); ++i) {
      const bool promised = standing_of(judge_.at(i), provider_.declared, *faults_, workloads) ==
                            standing::guaranteed;
      if (promised) wanted |= property_set{1} << i;
    }
    judge_.look(world_, ran, plan, provider_.declared, wanted, true);
    const auto& found = judge_.found();
    return found.empty() ? "" : std::string(found.front().property) + ": " + found.front().text;
  }
  bool violates(const sim::plan& plan, std::string_view id) {
    const auto wanted = property_set{1} << judge_.index_of(id);
    const auto& ran = run(plan, "replay");
    return judge_.look(world_, ran, plan, provider_.declared, wanted).violated != 0;
  }
  const guarantees& declared() const { return provider_.declared; }
  sim::world& world() { return world_; }

 private:
  const sim::variant& provider_;
  sim::world world_;
  judge judge_;
  const profile* faults_ = nullptr;
  sim::workload_kind workload_ = sim::workload_kind::contend;
};

void keeps_its_promises(const char* name) {
  testbed bed(name);
  const auto plan = bed.draw_plan(true);
  const auto broken = bed.broken(plan);
  if (!broken.empty()) RC_FAIL(broken);
}

RC_GTEST_PROP(worlds, memory_keeps_its_promises, ()) { keeps_its_promises("memory"); }
RC_GTEST_PROP(worlds, redis_keeps_its_promises, ()) { keeps_its_promises("redis"); }
RC_GTEST_PROP(worlds, redis_fenced_keeps_its_promises, ()) { keeps_its_promises("redis-fenced"); }
RC_GTEST_PROP(worlds, redis_three_step_keeps_its_promises, ()) {
  keeps_its_promises("redis-three-step");
}
RC_GTEST_PROP(worlds, release_then_acquire_keeps_its_promises, ()) {
  keeps_its_promises("release-then-acquire");
}
RC_GTEST_PROP(worlds, noop_keeps_its_promises, ()) { keeps_its_promises("noop"); }

RC_GTEST_PROP(worlds, replay_reproduces_the_run, ()) {
  testbed bed("redis");
  auto plan = bed.draw_plan(false);
  bed.record(plan);
  const auto recorded = bed.run(plan).digest;
  RC_ASSERT(bed.run(plan, "replay").digest == recorded);
  RC_ASSERT(bed.world().decisions() == plan.decisions);
}

RC_GTEST_PROP(worlds, a_plan_survives_its_json, ()) {
  testbed bed("memory");
  const auto plan = bed.draw_plan(false);
  const auto again = sim::plan_from_json(to_json(plan));
  RC_ASSERT(to_json(again) == to_json(plan));
  RC_ASSERT(bed.run(again, "replay").digest == bed.run(plan, "replay").digest);
}

// Two copies of one message would have one name, and a replay could take them for each other.
TEST(worlds, a_message_is_copied_once) {
  testbed bed("redis");
  sim::plan plan;
  plan.processes.emplace_back().name = "P1";
  plan.keys = {"K"};
  plan.owners.emplace_back("A");
  plan.calls.emplace_back().owner = 1;
  plan.calls.back().ttl_ms = plan.ttl_ms;
  plan.bounds.delay_max = 10 * sim::ns_per_ms;
  for (const std::uint32_t id : {0U, 1U}) {
    auto& copy = plan.faults.emplace_back();
    copy.id = id;
    copy.kind = sim::fault_kind::duplicate;
    copy.call = 0;
  }
  for (plan.seed = 1; plan.seed <= 20; ++plan.seed) {
    plan.decisions.clear();
    bed.record(plan);
    EXPECT_EQ(
        std::count_if(plan.decisions.begin(), plan.decisions.end(),
                      [](const auto& one) { return one.event.what == sim::event_label::copy; }),
        1);
    bed.run(plan, "replay");
    EXPECT_EQ(bed.world().decisions(), plan.decisions);
  }
}

// A runtime that is never told yes asks until the world is cut short: where messages take no time
// it asks on at one instant, and where its clock is so fast that no call is answered within its
// limit it asks for ever. A world in which anything else goes on has no such end.
bool asks_without_end(const sim::run_record& ran) {
  constexpr auto many = 100;
  const auto& calls = ran.calls;
  return calls.size() >= many && std::all_of(calls.end() - many, calls.end(), [](const auto& call) {
           return call.by_runtime() && (call.ended != outcome::ok || !call.yes);
         });
}

RC_GTEST_PROP(worlds, a_simpler_plan_runs_too, ()) {
  testbed bed("redis");
  const auto plan = bed.draw_plan(false);
  auto simpler = shrink_plan(plan);
  for (int i = 0; i < 200; ++i) {
    const auto candidate = simpler.next();
    if (!candidate) break;
    const auto& ran = bed.run(*candidate, "replay");
    RC_ASSERT(!ran.step_limit_reached || asks_without_end(ran));
  }
}

RC_GTEST_PROP(worlds, shrinking_keeps_the_failure, ()) {
  constexpr auto id = "single_owner.grant";
  testbed bed("memory-per-process");
  auto plan =
      *any_plan(world_for(sim::workload_kind::contend, *find_profile("interleave"), bed.declared()),
                [&](sim::plan& fresh) { bed.record(fresh); });
  RC_PRE(bed.violates(plan, id));
  const auto found = shrink(
      plan,
      [&](sim::plan& candidate) {
        const bool fails = bed.violates(candidate, id);
        candidate.decisions = bed.world().decisions();
        return fails;
      },
      2000);
  RC_ASSERT(bed.violates(found.plan, id));
  RC_ASSERT(bed.world().decisions() == found.plan.decisions);
  RC_ASSERT(found.plan.calls.size() == 2U);
}

}  // namespace
}  // namespace leaselab::properties
