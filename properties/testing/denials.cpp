#include "properties/testing/denials.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "properties/search/search.hpp"
#include "properties/search/shrink.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::properties::testing {
namespace {

using sim::call_record;
using sim::run_record;

// What the first step of a call found.
sim::owner_id found_by(const run_record& run, sim::call_index call) {
  for (const auto& each : run.events)
    if (each.kind == sim::event_kind::step && each.call == call) return each.before.owner;
  return sim::nobody;
}

bool names_nobody(const run_record& run, sim::call_index call) {
  return run.calls[call].named == sim::nobody;
}

bool any_denial(const run_record& run, const kind_of_denial& kind) {
  for (sim::call_index i = 0; i < run.calls.size(); ++i) {
    const call_record& call = run.calls[i];
    const bool denied = call.what == sim::verb::acquire && call.completed != sim::never &&
                        call.ended == outcome::ok && !call.yes && !call.contender;
    if (denied && call.arguments_lawful && kind(run, i)) return true;
  }
  return false;
}

// The first such run of a search; its plan is complete with its decisions.
std::optional<sim::plan> search_for(bench& at, const campaign& of, const kind_of_denial& kind,
                                    std::uint64_t most) {
  for (std::uint64_t index = 0; index < most; ++index)
    if (any_denial(at.run_schedule(of, index), kind)) return at.plan();
  return std::nullopt;
}

}  // namespace

bool lost_to_nobody(const run_record& run, sim::call_index call) {
  const auto found = found_by(run, call);
  return names_nobody(run, call) && found != sim::nobody && found != run.calls[call].owner;
}
bool lost_alone(const run_record& run, sim::call_index call) {
  return names_nobody(run, call) && found_by(run, call) == run.calls[call].owner;
}
bool names_itself(const run_record& run, sim::call_index call) {
  return run.calls[call].named == run.calls[call].owner;
}

check_options on_server() {
  check_options out;
  out.engine = [] { return std::make_unique<sim::redis::server_engine>(); };
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  return out;
}

check_options few(const sim::variant& provider) {
  check_options out = on_server();
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  out.providers = {&provider};
  out.profiles = {"interleave", "skew", "pause", "lossy", "partition", "scripts"};
  out.schedules = 40;
  return out;
}

void expect_found_shrunk_and_replayed(const sim::variant& provider, const kind_of_denial& kind,
                                      std::uint32_t processes) {
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

}  // namespace leaselab::properties::testing
