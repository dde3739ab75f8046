// Each incident is as it is told: it ends as its file says, and no longer does once that is taken
// away which the file blames. A scenario that passes either way would tell nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "cli/registry.hpp"
#include "cli/scenario_run.hpp"
#include "properties/mutants/mutants.hpp"
#include "sim/names.hpp"

namespace leaselab::cli {
namespace {

using scenarios::expected;
using scenarios::scenario;

const std::vector<scenario>& incidents() {
  static const std::vector<scenario> all = [] {
    std::vector<scenario> out;
    for (const auto& file : scenarios::collect({"scenarios/incidents"}))
      for (auto& one : scenarios::load(file.path, known_names())) out.push_back(std::move(one));
    return out;
  }();
  return all;
}

std::string text_of(const scenario_run& run) {
  std::string out =
      run.scenario + " with " + run.provider + ": expected " + run.expected + ", got " + run.got;
  for (const auto& one : run.violations) out += "\n  " + one.property + ": " + one.text;
  return out;
}

scenario_run run(const scenario& value, const std::string& provider) {
  const auto deployed = provider.substr(0, provider.rfind('+'));
  execution world(provider_named(deployed), engine_named("model"));
  return run_scenario(value, provider, world, {}).report;
}

bool is_as_told(const scenario& value, const std::string& provider) {
  return run(value, provider).ended == run_end::ok;
}

bool violates(const scenarios::expectation& value) {
  return value.kind == expected::violates || value.kind == expected::violates_only;
}

// These coordinate nothing between processes: what goes wrong with them tells nothing of a file.
bool coordinates(const std::string& provider) {
  return provider != "noop" && provider != "memory-per-process";
}

// ---- what can be taken away

void remove_fault(scenario& from, std::size_t index) {
  from.plan.faults.erase(from.plan.faults.begin() + std::ptrdiff_t(index));
  from.faults.erase(from.faults.begin() + std::ptrdiff_t(index));
  for (std::size_t i = 0; i < from.plan.faults.size(); ++i)
    from.plan.faults[i].id = std::uint32_t(i);
}

void set_guard(scenario& of, bool guarded) {
  for (auto& call : of.plan.calls) call.guarded = guarded;
}

// Owners that are the same in two processes get different names.
void tell_names_apart(scenario& of) {
  const auto own = [&](sim::owner_id owner, sim::process_id process) {
    const auto name = of.plan.owners[owner] + "@" + of.plan.processes[process].name;
    auto& owners = of.plan.owners;
    const auto found = std::find(owners.begin(), owners.end(), name);
    if (found != owners.end()) return sim::owner_id(found - owners.begin());
    owners.push_back(name);
    return sim::owner_id(owners.size() - 1);
  };
  for (auto& call : of.plan.calls) {
    if (call.what == sim::verb::get || call.what == sim::verb::close) continue;
    call.owner = own(call.owner, call.process);
  }
}

struct change {
  std::string name;
  scenario after;
};

// Everything of which one may be to blame, changed alone.
std::vector<change> changes_of(const scenario& told) {
  std::vector<change> all;
  const auto add = [&](const std::string& name, const std::function<void(scenario&)>& alter) {
    all.push_back({name, told});
    alter(all.back().after);
  };
  for (std::size_t i = 0; i < told.plan.faults.size(); ++i) {
    const std::string kind(sim::name_of(told.plan.faults[i].kind));
    add("without " + kind, [i](scenario& of) { remove_fault(of, i); });
    add(kind + " of both clocks",
        [i](scenario& of) { of.plan.faults[i].clock = sim::which_clock::both; });
    add(kind + " with loss of data",
        [i](scenario& of) { of.plan.faults[i].data = sim::data_kept::lost; });
  }
  add("all writes guarded", [](scenario& of) { set_guard(of, true); });
  add("no write guarded", [](scenario& of) { set_guard(of, false); });
  add("names told apart", tell_names_apart);
  add("the strict client", [](scenario& of) { of.workload.client = {}; });
  return all;
}

bool some_change_matters(const scenario& told, const std::string& provider) {
  const auto all = changes_of(told);
  return std::any_of(all.begin(), all.end(),
                     [&](const change& one) { return !is_as_told(one.after, provider); });
}

bool another_holds(const scenario& told) {
  return std::any_of(told.providers.begin(), told.providers.end(), [&](const auto& provider) {
    return coordinates(provider) &&
           scenarios::expectation_of(told, provider).kind == expected::holds;
  });
}

// ---- the tests

TEST(incidents, each_ends_as_its_file_says) {
  for (const auto& told : incidents()) {
    EXPECT_FALSE(told.story.empty()) << told.file;
    EXPECT_FALSE(told.origin.empty()) << told.file;
    for (const auto& provider : scenarios::providers_of(told)) {
      ASSERT_EQ(reason_to_skip(told, provider, "model"), "") << told.file << " " << provider;
      const auto got = run(told, provider);
      EXPECT_EQ(got.ended, run_end::ok) << text_of(got);
    }
  }
}

TEST(incidents, a_mutant_is_blamed_only_for_what_its_base_does_not_do) {
  for (const auto& told : incidents()) {
    for (const auto& [name, expectation] : told.expect) {
      const auto* const mutant = properties::find_mutant(name);
      if (!mutant || !violates(expectation)) continue;
      scenario of_base = told;
      of_base.expect[mutant->base] = expectation;
      of_base.expect[mutant->base].kind = expected::violates;
      const auto got = run(of_base, mutant->base);
      EXPECT_EQ(got.ended, run_end::not_ok) << name << ": " << text_of(got);
    }
  }
}

// A provider that fails alone is to blame itself; otherwise it must be something in the file.
TEST(incidents, without_what_is_to_blame_nothing_happens) {
  for (const auto& told : incidents()) {
    for (const auto& provider : told.providers) {
      const auto expectation = scenarios::expectation_of(told, provider);
      if (!coordinates(provider) || !violates(expectation)) continue;
      EXPECT_TRUE(another_holds(told) || some_change_matters(told, provider))
          << told.file << " with " << provider << " violates whatever is taken away";
    }
  }
}

// Where all is well, it must be in spite of something.
TEST(incidents, what_holds_would_not_if_something_were_different) {
  for (const auto& told : incidents()) {
    const bool somebody_fails = std::any_of(
        told.expect.begin(), told.expect.end(),
        [&](const auto& entry) { return coordinates(entry.first) && violates(entry.second); });
    if (somebody_fails) continue;
    const auto providers = scenarios::providers_of(told);
    EXPECT_TRUE(
        std::any_of(providers.begin(), providers.end(),
                    [&](const auto& provider) { return some_change_matters(told, provider); }))
        << told.file << " passes whatever is taken away";
  }
}

// Wherever a client is to blame, the careful one is shown to do better, or a fence.
TEST(incidents, the_strict_client_stands_beside_each_other_one) {
  for (const auto& told : incidents()) {
    if (told.signals.empty()) continue;
    const bool blamed = !told.workload.client.policies.empty();
    const bool shown = std::any_of(told.expect.begin(), told.expect.end(), [](const auto& entry) {
      return entry.second.kind == expected::holds &&
             (entry.first.ends_with("+strict") || entry.first == "redis-fenced");
    });
    EXPECT_TRUE(shown) << told.file;
    EXPECT_TRUE(blamed || !told.plan.faults.empty()) << told.file;
  }
}

}  // namespace
}  // namespace leaselab::cli
