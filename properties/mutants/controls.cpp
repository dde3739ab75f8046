#include "properties/mutants/controls.hpp"

#include <algorithm>

#include "properties/builtin.hpp"
#include "properties/deployments.hpp"
#include "properties/mutants/control_plans.hpp"
#include "properties/mutants/making.hpp"
#include "properties/search/search.hpp"

namespace leaselab::properties {
namespace {

using sim::workload_kind;

// ---- the other reading of expiry: a map that is dead after its deadline, not at it

constexpr milliseconds longest_ttl{(std::int64_t{1} << 53) - 1};

// Dead after d is dead at d + 1.
milliseconds one_more(milliseconds ttl) {
  const bool lawful = ttl.count() >= 1 && ttl < longest_ttl;
  return lawful ? ttl + milliseconds(1) : ttl;
}

class dead_after final : public memory_provider {
 public:
  using memory_provider::memory_provider;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    return memory_provider::acquire_lease(std::move(key), std::move(owner), one_more(ttl), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    return memory_provider::renew_lease(std::move(key), std::move(owner), one_more(ttl), options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    return memory_provider::transfer_lease(std::move(key), std::move(from), std::move(to),
                                           one_more(ttl), options);
  }
};

class shown_by_the_other_reading final : public mutations::deployment_over {
 public:
  using mutations::deployment_over::deployment_over;
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    auto record = inner_->peek(store, key);
    if (record) --record->deadline;
    return record;
  }
};

const sim::variant& memory_dead_after() {
  static const sim::variant made = [] {
    auto declared = memory_provider::declare();
    declared.reading = expiry_reading::after;
    auto value = memory_variant("control:dead-after", "a map with the other reading of expiry",
                                std::move(declared), mutations::make_over_memory<dead_after>);
    value.deploy = [inner = std::move(value.deploy)](const sim::host& where) {
      return std::make_unique<shown_by_the_other_reading>(inner(where));
    };
    return value;
  }();
  return made;
}

// ---- a map of its own for each process is a map, as long as there is one process

const sim::variant& memory_of_one_process() {
  static const sim::variant made = [] {
    auto value = *find_variant("memory-per-process");
    value.name = "control:one-process";
    value.declared = memory_provider::declare();
    return value;
  }();
  return made;
}

// ---- the list

std::vector<control> make_controls() {
  namespace plans = control_plans;
  std::vector<control> all;
  for (const auto& one : builtin_variants()) {
    if (one.name == "memory-per-process") continue;  // it guarantees nothing to two processes
    all.push_back({one.name, "where it guarantees the property", &one, {}, {}, nullptr});
  }
  const auto* const redis = find_variant("redis");
  const auto* const memory = find_variant("memory");
  const std::vector<workload_kind> strict = {workload_kind::contend, workload_kind::handoff,
                                             workload_kind::churn};
  auto clients = strict;
  clients.push_back(workload_kind::runtime);
  const std::vector<workload_kind> calls = {workload_kind::calls};
  auto plain = strict;
  plain.push_back(workload_kind::calls);
  // No quiet phase: its contender would be a second process.
  all.push_back({"memory-per-process",
                 "one process, so that one map is all there is",
                 &memory_of_one_process(),
                 {"calm", "interleave", "skew"},
                 plain,
                 nullptr,
                 1});
  all.push_back({"rate inside the margin",
                 "the strict client, its clocks as slow as they may be",
                 redis,
                 {"skew"},
                 clients,
                 plans::rates_inside_margin});
  all.push_back({"storm of readers",
                 "everybody looks at every key all the time",
                 redis,
                 {"interleave", "lossy"},
                 strict,
                 plans::storm_of_readers});
  all.push_back({"strobing clocks",
                 "wall clocks jump to and fro, monotonic ones keep the margin",
                 redis,
                 {"skew"},
                 clients,
                 plans::strobing_clocks});
  all.push_back({"full recovery",
                 "whatever crashes comes back with all it had, the backend too",
                 redis,
                 {"crash"},
                 clients,
                 plans::full_recovery});
  all.push_back({"transfer to oneself",
                 "which is a renewal",
                 redis,
                 {"interleave", "lossy"},
                 {workload_kind::handoff, workload_kind::calls},
                 plans::transfers_to_oneself});
  all.push_back({"the other reading",
                 "a map that is dead after its deadline",
                 &memory_dead_after(),
                 {},
                 {},
                 plans::below_the_longest_ttl});
  all.push_back({"late in the millisecond",
                 "a lease set late in its millisecond, read in its last",
                 redis,
                 {"calm"},
                 calls,
                 plans::late_in_the_millisecond});
  all.push_back({"shortened ttl",
                 "holders ask for less than they have",
                 memory,
                 {"interleave", "pause"},
                 calls,
                 plans::shortened_ttl});
  all.push_back({"late renewal",
                 "of a released lease, under an owner who has acquired again",
                 redis,
                 {"interleave", "lossy"},
                 calls,
                 plans::late_renewal});
  return all;
}

// ---- running them

check_options for_control(const control& of, check_options asked) {
  asked.providers = {of.provider};
  asked.properties.clear();
  for (const auto& one : all_properties()) asked.properties.emplace_back(one->id());
  asked.workload.reset();
  asked.client = {};
  asked.processes = of.processes;
  return asked;
}

bool runs_under(const control& of, const profile& faults) {
  if (of.profiles.empty()) return faults.in_model;
  return std::find(of.profiles.begin(), of.profiles.end(), faults.id) != of.profiles.end();
}

// Of a campaign what is guaranteed, in the control's workloads.
void restrict_to(const control& of, campaign& made) {
  property_set guaranteed = 0;
  for (std::size_t i = 0; i < made.standings.size(); ++i)
    if (made.standings[i] == standing::guaranteed) guaranteed |= property_set{1} << i;
  for (auto& judged : made.judged) judged &= guaranteed;
  if (of.workloads.empty()) return;
  for (std::size_t i = made.worlds.size(); i-- > 0;) {
    const auto kind = made.worlds[i].workload;
    if (std::find(of.workloads.begin(), of.workloads.end(), kind) != of.workloads.end()) continue;
    made.worlds.erase(made.worlds.begin() + std::ptrdiff_t(i));
    made.judged.erase(made.judged.begin() + std::ptrdiff_t(i));
  }
}

std::vector<campaign> campaigns_of(const control& of, const check_options& options,
                                   const judge& judge) {
  std::vector<campaign> all;
  for (const auto& one : profiles()) {
    if (!runs_under(of, one)) continue;
    auto made = make_campaign(*of.provider, one, options, judge);
    restrict_to(of, made);
    const bool any = std::any_of(made.judged.begin(), made.judged.end(),
                                 [](property_set judged) { return judged != 0; });
    if (any) all.push_back(std::move(made));
  }
  return all;
}

sim::plan plan_of(const control& of, const campaign& from, std::uint64_t seed,
                  std::uint64_t index) {
  sim::plan plan;
  generate(from.worlds[index % from.worlds.size()], seed, index, plan);
  if (of.change) {
    sim::random_source random(sim::split(plan.seed, sim::purpose::world, 1));
    of.change(plan, random);
  }
  return plan;
}

witness alarm(bench& own, const control& of, const campaign& from, std::uint64_t index,
              sim::plan plan) {
  witness made;
  made.provider = of.provider->name;
  made.profile = from.faults->id;
  made.index = index;
  made.property = own.judged_by().found().front().property;
  const auto& run = own.run_drawn(*of.provider, plan);
  plan.decisions = own.world_of(*of.provider).decisions();
  made.digest = run.digest;
  made.events = std::uint32_t(plan.decisions.size());
  const auto wanted = property_set{1} << own.judged_by().index_of(made.property);
  own.judged_by().look(own.world_of(*of.provider), run, plan, of.provider->declared, wanted, true);
  made.text = own.judged_by().found().front().text;
  made.plan = std::move(plan);
  return made;
}

}  // namespace

std::span<const control> controls() {
  static const std::vector<control> all = make_controls();
  return all;
}

const sim::variant* find_control_variant(const std::string& name) {
  for (const auto* one : {&memory_dead_after(), &memory_of_one_process()})
    if (one->name == name) return one;
  return nullptr;
}

control_result run_control(const control& of, const check_options& asked, std::uint64_t first,
                           std::uint64_t last) {
  const auto options = for_control(of, asked);
  bench own(options);
  const auto campaigns = campaigns_of(of, options, own.judged_by());
  control_result result;
  for (auto i = first; i < last && !campaigns.empty(); ++i) {
    if (options.stop && options.stop->load(std::memory_order_relaxed)) break;
    const auto& from = campaigns[i % campaigns.size()];
    const auto index = i / campaigns.size();
    const auto plan = plan_of(of, from, options.seed, index);
    const auto& run = own.run_drawn(*of.provider, plan);
    const auto passed =
        own.judged_by().look(own.world_of(*of.provider), run, plan, of.provider->declared,
                             from.judged[index % from.judged.size()]);
    ++result.schedules;
    if (passed.violated == 0) continue;
    ++result.alarms;
    if (!result.first) result.first = alarm(own, of, from, index, plan);
  }
  return result;
}

}  // namespace leaselab::properties
