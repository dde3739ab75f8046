// Each mutant's own story: the smallest schedule that shows it, run on the mutant and on the
// provider that it was made from.
#include "properties/mutants/mutants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "properties/builtin.hpp"
#include "properties/search/judge.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/testing/plan_builder.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

using sim::fault_kind;
using sim::fault_spec;
using sim::ns_per_ms;
using sim::verb;

constexpr sim::process_id P1 = 0, P2 = 1, P3 = 2;

// A directed plan; instants in ms. Calls are numbered from 0 as they are told.
class story {
 public:
  story& acquires(int at_ms, sim::process_id who, const char* owner, std::int64_t ttl_ms = 100) {
    return call(at_ms, who, verb::acquire, owner, ttl_ms);
  }
  story& renews(int at_ms, sim::process_id who, const char* owner, std::int64_t ttl_ms = 100) {
    return call(at_ms, who, verb::renew, owner, ttl_ms);
  }
  story& releases(int at_ms, sim::process_id who, const char* owner) {
    return call(at_ms, who, verb::release, owner, 0);
  }
  story& looks(int at_ms, sim::process_id who) { return call(at_ms, who, verb::get, "", 0); }
  story& transfers(int at_ms, sim::process_id who, const char* from, const char* to) {
    call(at_ms, who, verb::transfer, from, 100);
    const auto receiver = plan_.owner(to);
    plan_.value.calls.back().to = receiver;
    return *this;
  }
  // Of the last call told.
  story& on(const char* key) {
    auto& keys = plan_.value.keys;
    keys.emplace_back(key);
    plan_.value.calls.back().key = static_cast<sim::key_id>(keys.size() - 1);
    return *this;
  }
  story& with_trip_held(std::uint16_t trip, int until_ms) {
    auto& fault = message(fault_kind::hold, trip);
    fault.until = until_ms * ns_per_ms;
    return *this;
  }
  story& with_trip_lost(std::uint16_t trip) {
    message(fault_kind::drop, trip);
    return *this;
  }
  story& answered_with(const char* error) {
    message(fault_kind::error_reply, 1).reply = error;
    return *this;
  }
  story& with_wall_clock_off_by(int ms, sim::process_id who) {
    plan_.value.processes[who].wall_offset = ms * ns_per_ms;
    return *this;
  }

  const sim::plan& plan() const { return plan_.value; }

 private:
  story& call(int at_ms, sim::process_id who, verb what, const char* owner, std::int64_t ttl_ms) {
    plan_.call(at_ms * ns_per_ms, who, what, owner, ttl_ms);
    return *this;
  }
  fault_spec& message(fault_kind kind, std::uint16_t trip) {
    auto& fault = plan_.value.faults.emplace_back();
    fault.id = static_cast<std::uint32_t>(plan_.value.faults.size() - 1);
    fault.kind = kind;
    fault.call = plan_.value.calls.back().id;
    fault.trip = trip;
    return fault;
  }

  sim::testing::plan_builder plan_;
};

// What a run answered, by the number of the call.
class answers {
 public:
  explicit answers(const sim::run_record& run) : run_(run) {}
  bool yes(std::size_t call) const {
    return run_.calls.at(call).ended == outcome::ok && run_.calls.at(call).yes;
  }
  bool no(std::size_t call) const {
    return run_.calls.at(call).ended == outcome::ok && !run_.calls.at(call).yes;
  }
  bool names(std::size_t call, std::string_view owner) const {
    return run_.calls.at(call).ended == outcome::ok &&
           run_.owners.at(run_.calls.at(call).named) == owner;
  }
  bool names_nobody(std::size_t call) const { return names(call, ""); }

 private:
  const sim::run_record& run_;
};

struct showing {
  story told;
  bool (*faulty)(const answers&);
};

// By the mutant's id.
std::map<std::string, showing> make_showings() {
  std::map<std::string, showing> all;
  all["M01"] = {story().acquires(0, P1, "A").releases(10, P2, "B").looks(20, P2),
                [](const answers& got) { return got.names_nobody(2); }};
  all["M02"] = {story()
                    .acquires(0, P1, "A")
                    .releases(50, P1, "A")
                    .with_trip_held(2, 120)
                    .acquires(110, P2, "B")
                    .looks(130, P2),
                [](const answers& got) { return got.yes(2) && got.names_nobody(3); }};
  all["M03"] = {story().acquires(0, P1, "A").with_trip_lost(2).looks(200, P2),
                [](const answers& got) { return got.names(1, "A"); }};
  all["M04"] = {story()
                    .acquires(0, P1, "A")
                    .acquires(90, P1, "A")
                    .with_trip_held(2, 120)
                    .acquires(105, P2, "B"),
                [](const answers& got) { return got.yes(1) && got.yes(2); }};
  all["M05"] = {story().acquires(0, P1, "A").with_trip_held(2, 10).acquires(5, P2, "B"),
                [](const answers& got) { return got.yes(0) && got.yes(1); }};
  all["M07"] = {story().acquires(0, P1, "A").acquires(10, P1, "A"),
                [](const answers& got) { return got.no(1); }};
  all["M09"] = {story().acquires(0, P1, "A").acquires(20, P1, "A").looks(150, P2),
                [](const answers& got) { return got.names(2, "A"); }};
  all["M10"] = {story().acquires(0, P1, "A").acquires(95, P2, "B").with_trip_held(2, 110),
                [](const answers& got) { return got.no(1) && got.names_nobody(1); }};
  all["M11"] = {story().acquires(0, P1, "A").acquires(10, P2, "B"),
                [](const answers& got) { return got.no(1) && got.names(1, "B"); }};
  all["M12"] = {story().acquires(0, P1, "A").acquires(200, P2, "B"),
                [](const answers& got) { return got.no(1) && got.names(1, "A"); }};
  all["M13"] = {story().acquires(0, P1, "A").acquires(10, P2, "B").answered_with("LOADING"),
                [](const answers& got) { return got.yes(1); }};
  all["M15"] = {story().acquires(0, P1, "A").renews(10, P2, "B"),
                [](const answers& got) { return got.yes(1); }};
  all["M16"] = {story().renews(0, P1, "A").looks(10, P2),
                [](const answers& got) { return got.yes(0) && got.names(1, "A"); }};
  all["M18"] = {story().renews(0, P1, "A").looks(10, P2),
                [](const answers& got) { return got.yes(0) && got.names_nobody(1); }};
  all["M19"] = {story().acquires(0, P1, "A").renews(50, P1, "A").looks(120, P2),
                [](const answers& got) { return got.yes(1) && got.names_nobody(2); }};
  all["M22"] = {story()
                    .acquires(0, P1, "A")
                    .renews(50, P1, "A")
                    .looks(130, P2)
                    .with_wall_clock_off_by(-40, P1),
                [](const answers& got) { return got.yes(1) && got.names_nobody(2); }};
  all["M23"] = {story().acquires(0, P1, "A").acquires(10, P2, "B").with_wall_clock_off_by(180, P2),
                [](const answers& got) { return got.yes(0) && got.yes(1); }};
  all["M24"] = {story().acquires(0, P1, "A").looks(200, P2),
                [](const answers& got) { return got.names(1, "A"); }};
  all["M25"] = {story().acquires(0, P1, "A").looks(10, P2),
                [](const answers& got) { return got.yes(0) && got.names_nobody(1); }};
  all["M26"] = {story().acquires(0, P1, "A").renews(10, P1, "A", 0).looks(20, P2),
                [](const answers& got) { return got.yes(1) && got.names_nobody(2); }};
  all["M28"] = {story().acquires(0, P1, "A").looks(100, P2).acquires(100, P3, "B"),
                [](const answers& got) { return got.names(1, "A") && got.yes(2); }};
  all["M30"] = {story().acquires(0, P1, "A").looks(10, P2),
                [](const answers& got) { return got.names_nobody(1); }};
  all["M32"] = {story()
                    .acquires(0, P1, "A")
                    .transfers(50, P1, "A", "B")
                    .with_trip_held(2, 70)
                    .acquires(60, P3, "C"),
                [](const answers& got) { return got.no(1) && got.yes(2); }};
  all["M33"] = {story().acquires(0, P1, "A").transfers(10, P2, "C", "B"),
                [](const answers& got) { return got.yes(1); }};
  all["M35"] = {story().acquires(0, P1, "A").transfers(10, P1, "A", "B").looks(500, P3),
                [](const answers& got) { return got.names(2, "B"); }};
  all["M36"] = {story()
                    .acquires(0, P1, "A")
                    .transfers(90, P1, "A", "B")
                    .with_trip_held(2, 120)
                    .acquires(105, P3, "C"),
                [](const answers& got) { return got.yes(1) && got.yes(2); }};
  all["M37"] = {story().transfers(0, P1, "A", "B"), [](const answers& got) { return got.yes(0); }};
  all["M40"] = {story().acquires(0, P1, "A").acquires(10, P2, "B").on("L"),
                [](const answers& got) { return got.no(1); }};
  all["N02"] = all.at("M23");
  all["N12"] = {story()
                    .acquires(0, P1, "A")
                    .answered_with("LOADING")
                    .acquires(10, P2, "B")
                    .acquires(20, P1, "A"),
                [](const answers& got) { return got.yes(1) && got.yes(2); }};
  all["N14"] = {
      story().acquires(0, P1, "A").releases(10, P2, "B").releases(20, P3, "C").looks(30, P2),
      [](const answers& got) { return got.names_nobody(3); }};
  all["N15"] = {story().acquires(0, P1, "A").looks(100, P2).looks(100, P3),
                [](const answers& got) { return got.names_nobody(1) && got.names(2, "A"); }};
  return all;
}

const std::map<std::string, showing>& showings() {
  static const auto all = make_showings();
  return all;
}

// A world of one variant, and its judge.
class court {
 public:
  explicit court(const sim::variant& variant)
      : variant_(variant),
        world_(variant,
               variant.needs_engine ? std::make_unique<sim::redis::model_engine>() : nullptr) {}

  const sim::run_record& run(const story& told) {
    plan_ = told.plan();
    return *(run_ = &world_.run(plan_, order_));
  }
  // What the last run violates, by id.
  std::set<std::string> violated() {
    judge all(ids());
    all.look(world_, *run_, plan_, variant_.declared, ~property_set{0}, true);
    std::set<std::string> found;
    for (const auto& one : all.found())
      if (promised(one.property)) found.insert(std::string(one.property));
    return found;
  }

 private:
  // What a no-op provider promises, none of them does.
  static bool promised(std::string_view property) {
    return property == "noop.selected" || !property.starts_with("noop.");
  }
  static std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const auto& one : all_properties()) all.emplace_back(one->id());
    return all;
  }

  const sim::variant& variant_;
  sim::world world_;
  sim::testing::earliest_first order_;
  sim::plan plan_;
  const sim::run_record* run_ = nullptr;
};

std::string list(const std::set<std::string>& ids) {
  std::string text;
  for (const auto& id : ids) text += " " + id;
  return text;
}

// Those whose fault shows in what is answered. Faults of clients are searched for, in
// hunt_test.cpp.
std::vector<mutant> mutants_of_providers() {
  auto all = mutants();
  std::erase_if(all, [](const mutant& one) { return one.in_clients(); });
  return all;
}

TEST(mutants, every_one_has_a_name_and_a_base) {
  std::set<std::string> ids;
  for (const auto& one : mutants()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_EQ(one.variant.name, "mutant:" + one.id);
    EXPECT_FALSE(one.name.empty()) << one.id;
    EXPECT_FALSE(one.sentence.empty()) << one.id;
    EXPECT_NE(find_variant(one.base), nullptr) << one.id;
  }
  EXPECT_EQ(ids.size(), 43u);
}

TEST(mutants, of_providers_have_a_story_each) {
  const auto all = mutants_of_providers();
  for (const auto& one : all) EXPECT_EQ(showings().count(one.id), 1u) << one.id;
  EXPECT_EQ(all.size(), showings().size());
}

TEST(mutants, are_found_by_id_and_by_variant_name) {
  EXPECT_EQ(find_mutant("M10"), find_mutant("mutant:M10"));
  EXPECT_EQ(find_mutant("M10")->id, "M10");
  EXPECT_EQ(find_mutant("M99"), nullptr);
}

TEST(mutants, are_killed_by_properties_that_exist) {
  std::set<std::string> known;
  for (const auto& one : all_properties()) known.emplace(one->id());
  for (const auto& one : mutants()) {
    EXPECT_FALSE(one.killed_by.empty()) << one.id;
    for (const auto& id : one.killed_by) EXPECT_EQ(known.count(id), 1u) << one.id << ": " << id;
  }
}

// All but the number of trips, which is a fact and no promise.
TEST(mutants, declare_what_their_bases_declare) {
  for (const auto& one : mutants()) {
    const auto& base = find_variant(one.base)->declared;
    const auto& declared = one.variant.declared;
    EXPECT_EQ(declared.scope, base.scope) << one.id;
    EXPECT_EQ(declared.reading, base.reading) << one.id;
    EXPECT_EQ(declared.atomic_handoff, base.atomic_handoff) << one.id;
    EXPECT_EQ(declared.not_guaranteed.size(), base.not_guaranteed.size()) << one.id;
    EXPECT_EQ(declared.not_applicable.size(), base.not_applicable.size()) << one.id;
  }
}

TEST(mutants, answer_wrongly_where_their_bases_do_not) {
  for (const auto& one : mutants_of_providers()) {
    const auto& [told, faulty] = showings().at(one.id);
    EXPECT_TRUE(faulty(answers(court(one.variant).run(told)))) << one.id;
    EXPECT_FALSE(faulty(answers(court(*find_variant(one.base)).run(told)))) << one.id;
  }
}

TEST(mutants, start_every_world_anew) {
  for (const auto& one : mutants_of_providers()) {
    const auto& told = showings().at(one.id).told;
    court again(one.variant);
    const auto first = again.run(told).digest;
    EXPECT_EQ(again.run(told).digest, first) << one.id;
    EXPECT_EQ(court(one.variant).run(told).digest, first) << one.id;
  }
}

TEST(mutants, are_convicted_by_what_is_said_to_kill_them) {
  for (const auto& one : mutants_of_providers()) {
    const auto& told = showings().at(one.id).told;
    court of_mutant(one.variant);
    of_mutant.run(told);
    const auto found = of_mutant.violated();
    EXPECT_TRUE(std::any_of(one.killed_by.begin(), one.killed_by.end(),
                            [&](const auto& id) { return found.count(id) > 0; }))
        << one.id << ":" << list(found);
    for (const auto& id : found)
      EXPECT_NE(std::count(one.killed_by.begin(), one.killed_by.end(), id), 0)
          << one.id << " also breaks " << id;
  }
}

TEST(mutants, bases_are_acquitted_of_the_same_stories) {
  for (const auto& one : mutants_of_providers()) {
    court of_base(*find_variant(one.base));
    of_base.run(showings().at(one.id).told);
    const auto found = of_base.violated();
    EXPECT_TRUE(found.empty()) << one.id << ":" << list(found);
  }
}

}  // namespace
}  // namespace leaselab::properties
