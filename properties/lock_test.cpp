// Providers tested as locks: what they have is judged, what they lack is asked by nobody.
#include "properties/lock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "properties/builtin.hpp"
#include "properties/conformance_world.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/check.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

std::unique_ptr<sim::redis::engine> model() { return std::make_unique<sim::redis::model_engine>(); }

// As if it came from elsewhere and had not those.
sim::variant lacking(const sim::variant& base, std::vector<operation> missing) {
  sim::variant out = base;
  out.missing = std::move(missing);
  return out;
}

const sim::variant& three_of_five() {
  static const sim::variant one =
      lacking(*find_variant("redis"), {operation::get, operation::transfer});
  return one;
}

check_result checked(const sim::variant& provider, std::uint64_t schedules = 300) {
  check_options out;
  out.providers = {&provider};
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  out.profiles = {"interleave", "crash"};
  out.schedules = schedules;
  out.engine = model;
  return check(out);
}

std::set<std::string> with(const check_result& result, cell_result wanted) {
  std::set<std::string> out;
  for (const auto& one : result.cells) {
    if (one.result == wanted && one.profile == "interleave") out.insert(one.property);
  }
  return out;
}

TEST(lock, what_needs_a_missing_operation_does_not_apply_and_the_rest_holds) {
  const auto result = checked(lock_variant(three_of_five()));
  const auto aside = with(result, cell_result::not_applicable);
  for (const char* id : {"handoff.no_gap", "handoff.no_steal", "handoff.honest", "handoff.full_ttl",
                         "acquire.honest_denial", "noop.selected", "run.serialized", "signal.once",
                         "loss.noticed"}) {
    EXPECT_TRUE(aside.contains(id)) << id;
  }
  const auto holds = with(result, cell_result::holds);
  for (const char* id :
       {"single_owner.grant", "release.owner_only", "renew.honest", "lease.linearizable",
        "acquire.idempotent", "expiry.on_time", "argument.refused", "single_owner.belief"}) {
    EXPECT_TRUE(holds.contains(id)) << id;
  }
  EXPECT_TRUE(with(result, cell_result::broken).empty());
  for (const auto& one : result.cells) {
    if (one.result == cell_result::holds) {
      EXPECT_GT(one.schedules, 0u) << one.property;
    }
  }
}

TEST(lock, one_that_can_renew_is_held_to_its_renewals) {
  static const auto base = lacking(find_mutant("M15")->variant, {operation::get});
  const auto broken = with(checked(lock_variant(base)), cell_result::broken);
  EXPECT_TRUE(broken.contains("renew.honest"));
  // The same fault in an operation that is not there hurts nobody.
  static const auto without =
      lacking(find_mutant("M15")->variant, {operation::get, operation::renew});
  EXPECT_TRUE(with(checked(lock_variant(without)), cell_result::broken).empty());
}

TEST(lock, a_release_of_anothers_lease_is_found) {
  static const auto base =
      lacking(find_mutant("M01")->variant, {operation::get, operation::renew, operation::transfer});
  const auto broken = with(checked(lock_variant(base)), cell_result::broken);
  EXPECT_TRUE(broken.contains("release.owner_only"));
  EXPECT_TRUE(broken.contains("lease.linearizable"));
}

// Denials near the deadline that name the caller, or nobody: as a lease a departure, as a lock
// nobody asks. Its refusals of a lone owner stay one.
TEST(lock, whom_a_denial_names_is_not_asked) {
  const auto& three = *find_variant("redis-three-step");
  auto held = three;
  held.declared.not_guaranteed.clear();
  static const sim::variant strict = held;
  const auto as_lease = with(checked(strict, 3000), cell_result::broken);
  EXPECT_TRUE(as_lease.contains("acquire.honest_denial"));
  const auto as_lock = checked(lock_variant(strict), 3000);
  EXPECT_TRUE(with(as_lock, cell_result::not_applicable).contains("acquire.honest_denial"));
  EXPECT_FALSE(with(as_lock, cell_result::broken).contains("acquire.honest_denial"));
}

TEST(lock, what_is_missing_is_never_called) {
  sim::plan plan;
  plan.one_at_a_time = true;
  const auto call = [&](sim::verb what, std::uint32_t after) {
    sim::call_spec one;
    one.id = static_cast<std::uint32_t>(plan.calls.size());
    one.what = what;
    one.owner = 1;
    one.to = 1;
    one.ttl_ms = 100;
    one.after = after;
    plan.calls.push_back(one);
    return one.id;
  };
  plan.processes = {{"P1"}};
  plan.keys = {"K"};
  plan.owners = {"", "A"};
  auto last = call(sim::verb::acquire, sim::no_spec);
  for (const auto what :
       {sim::verb::get, sim::verb::renew, sim::verb::transfer, sim::verb::release})
    last = call(what, last);
  const auto& variant = lock_variant(three_of_five());
  sim::world world(variant, model());
  const auto& run = world.run(plan, *make_strategy("in_order"));
  std::vector<sim::verb> made;
  for (const auto& one : run.calls) {
    made.push_back(one.what);
    EXPECT_EQ(one.ended, outcome::ok);
  }
  const std::vector<sim::verb> wanted{sim::verb::acquire, sim::verb::renew, sim::verb::release};
  EXPECT_EQ(made, wanted);
  EXPECT_FALSE(world.fallback_selected());
}

TEST(lock, conforms_in_what_it_has) {
  using namespace conformance;
  const auto rows = run_in_worlds(lock_variant(three_of_five()), model);
  std::size_t ok = 0;
  for (const auto& one : rows) {
    EXPECT_NE(one.ended, row_end::departed) << one.edge << ": " << one.why;
    const bool absent = one.what == operation::get || one.what == operation::transfer;
    if (absent) {
      EXPECT_EQ(one.ended, row_end::not_run) << one.edge;
    }
    ok += one.ended == row_end::ok;
  }
  EXPECT_GE(ok, 20u);
  static const auto faulty = lacking(find_mutant("M15")->variant, {operation::transfer});
  const auto broken = run_in_worlds(lock_variant(faulty), model);
  EXPECT_TRUE(std::any_of(broken.begin(), broken.end(), [](const row& one) {
    return one.broken() && one.property == "renew.honest";
  }));
}

TEST(lock, wants_acquire_and_release_of_a_backend) {
  static const auto no_release = lacking(*find_variant("redis"), {operation::release});
  EXPECT_THROW(lock_variant(no_release), std::invalid_argument);
  static const auto no_acquire = lacking(*find_variant("redis"), {operation::acquire});
  EXPECT_THROW(lock_variant(no_acquire), std::invalid_argument);
  EXPECT_THROW(lock_variant(*find_variant("noop")), std::invalid_argument);
  EXPECT_EQ(lock_variant(*find_variant("memory")).name, "lock:memory");
}

}  // namespace
}  // namespace leaselab::properties
