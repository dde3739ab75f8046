#include "cli/scenario_plans.hpp"

#include <algorithm>

#include "properties/mutants/mutants.hpp"
#include "properties/search/drawing.hpp"
#include "sim/random.hpp"

namespace leaselab::cli {
namespace {

using properties::drawing;
using sim::purpose;
using sim::true_duration;

// Whose filters a mutant obeys.
std::string base_of(const std::string& provider) {
  const auto* const mutant = properties::find_mutant(provider);
  return mutant ? mutant->base : "";
}

// A nemesis table gives each kind its chance; between themselves they are weights.
properties::profile table_profile(const scenarios::nemesis& table,
                                  std::vector<properties::injection>& injects) {
  for (const auto& [kind, chance] : table.chance_ppb) injects.push_back({kind, chance});
  properties::profile out = *properties::find_profile("interleave");
  out.injects = injects;
  out.most_faults = table.budget;
  return out;
}

std::uint32_t drawn_from(const scenarios::range& range, sim::random_source& random) {
  return static_cast<std::uint32_t>(random.uniform(range.least, range.most));
}

// What the file says of a signal, with its place for an id.
sim::signal_spec spec_of(const scenarios::signal& value, std::uint32_t id) {
  sim::signal_spec out;
  out.id = id;
  out.name = value.id;
  out.process = value.process;
  out.key = value.key;
  out.at = value.at;
  out.run = value.run;
  out.plain = value.plain;
  out.suspend_at = value.suspend_at;
  out.resume_at = value.resume_at;
  out.resume_in = value.resume_in;
  return out;
}

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return index;
}

// Where what one plan numbers stands in another.
struct renumbering {
  std::vector<sim::process_id> processes;
  std::vector<sim::key_id> keys;
  std::vector<sim::owner_id> owners;
  std::uint32_t first_call = 0, first_fault = 0;

  std::uint32_t call(std::uint32_t id) const {
    return id == sim::no_spec || sim::is_runtime_subject(id) ? id : first_call + id;
  }
  sim::process_id process(sim::process_id id) const {
    return id < processes.size() ? processes[id] : id;
  }
};

template <class Spec>
std::uint32_t next_id(const std::vector<Spec>& all) {
  std::uint32_t next = 0;
  for (const auto& one : all) next = std::max(next, one.id + 1);
  return next;
}

renumbering renumber(sim::plan& into, const sim::plan& from) {
  renumbering out;
  for (const auto& process : from.processes) {
    const auto same = std::find_if(into.processes.begin(), into.processes.end(),
                                   [&](const auto& one) { return one.name == process.name; });
    out.processes.push_back(static_cast<sim::process_id>(same - into.processes.begin()));
    if (same == into.processes.end()) into.processes.push_back(process);
  }
  for (const auto& key : from.keys) {
    out.keys.push_back(static_cast<sim::key_id>(index_of(into.keys, key)));
  }
  for (const auto& owner : from.owners) {
    out.owners.push_back(static_cast<sim::owner_id>(index_of(into.owners, owner)));
  }
  out.first_call = next_id(into.calls);
  out.first_fault = next_id(into.faults);
  return out;
}

sim::call_spec moved(sim::call_spec call, const renumbering& to) {
  call.id = to.call(call.id);
  call.after = to.call(call.after);
  call.process = to.process(call.process);
  call.key = to.keys[call.key];
  call.owner = to.owners[call.owner];
  call.to = to.owners[call.to];
  return call;
}

sim::fault_spec moved(sim::fault_spec fault, const renumbering& to) {
  fault.id += to.first_fault;
  fault.call = to.call(fault.call);
  fault.until_call = to.call(fault.until_call);
  fault.process = to.process(fault.process);
  if (fault.point) fault.point->call = to.call(fault.point->call);
  if (fault.key < to.keys.size()) fault.key = to.keys[fault.key];
  return fault;
}

// Long enough for whatever the stated calls do.
true_duration horizon_of(const sim::plan& value, true_duration ttl) {
  true_duration last = ttl;
  for (const auto& call : value.calls) last = std::max({last, call.at + ttl, call.until});
  return last;
}

void set_delays(sim::plan& value, true_duration ttl) {
  value.one_at_a_time = false;
  value.bounds.delay_min = ttl / 1000;
  value.bounds.delay_max = ttl / 10;
  value.bounds.lateness = ttl / 100;
}

}  // namespace

sim::plan joined(sim::plan stated, const sim::plan& drawn) {
  const renumbering to = renumber(stated, drawn);
  for (const auto& call : drawn.calls) stated.calls.push_back(moved(call, to));
  for (const auto& fault : drawn.faults) stated.faults.push_back(moved(fault, to));
  return stated;
}

std::string provider_part(const std::string& name) {
  return std::string(scenarios::without_client(name));
}

// The loader lets only names through that exist.
sim::client_policy client_for(const scenarios::scenario& value, const std::string& name) {
  const auto plain = scenarios::without_client(name);
  if (plain.size() < name.size()) return sim::preset(name.substr(plain.size() + 1));
  sim::client_policy out = sim::preset(value.workload.client.base);
  for (const auto& [key, word] : value.workload.client.policies) sim::set_policy(out, key, word);
  return out;
}

scenario_plans::scenario_plans(const scenarios::scenario& value, const sim::variant& provider,
                               const sim::client_policy& client, std::uint64_t seed)
    : value_(value),
      provider_(provider),
      seed_(seed),
      client_(client),
      directed_(scenarios::plan_for(value, provider.name, base_of(provider.name))),
      faults_(*properties::find_profile("interleave")) {
  // Whoever runs on the no-op provider has a backend that lacks an operation.
  if (provider.declared.scope == scope::none) directed_.lacking = 1 << int(operation::transfer);
  for (const auto& signal : value.signals)
    directed_.signals.push_back(spec_of(signal, std::uint32_t(directed_.signals.size())));
  if (!directed_.signals.empty()) {
    directed_.workload = sim::workload_kind::runtime;
    directed_.client = client_;
  }
  if (!value.nemesis) return;
  const auto* const named = properties::find_profile(value.nemesis->profile);
  faults_ = named ? *named : table_profile(*value.nemesis, injects_);
}

std::uint64_t scenario_plans::schedules() const {
  return value_.explore ? value_.explore->schedules : 1;
}

sim::plan scenario_plans::make(std::uint64_t index) const {
  if (value_.workload.generated) return generated(index);
  if (value_.nemesis) return with_drawn_faults(index);
  sim::plan out = directed_;
  // What a strategy does hangs on the plan's seed.
  if (value_.explore) out.seed = sim::split(seed_, purpose::plan, index);
  return out;
}

properties::world_options scenario_plans::world(std::uint64_t index) const {
  const auto& work = value_.workload;
  const auto kind = value_.signals.empty() ? work.kind : sim::workload_kind::runtime;
  auto options = properties::world_for(kind, faults_, provider_.declared);
  options.margin_ppm = work.margin_ppm;
  options.ttl_ms = value_.plan.ttl_ms;
  options.client = client_;
  sim::random_source random(sim::split(seed_, purpose::world, index));
  options.processes = drawn_from(work.processes, random);
  options.keys = drawn_from(work.keys, random);
  options.calls = drawn_from(work.calls, random);
  return options;
}

sim::plan scenario_plans::generated(std::uint64_t index) const {
  sim::plan drawn;
  properties::generate(world(index), seed_, index, drawn);
  drawn.bounds.safety = value_.plan.bounds.safety;
  // A runtime's quiet phase lasts until all its signals have run, and nobody else asks meanwhile.
  const bool runtime = !drawn.signals.empty();
  const auto needed = runtime ? drawn.bounds.quiet : 0;
  drawn.bounds.quiet = std::max(needed, value_.plan.bounds.quiet);
  if (drawn.bounds.quiet > 0 && !runtime)
    drawn.bounds.asking_period = drawn.ttl_ms * sim::ns_per_ms * 3 / 10;
  if (value_.plan.calls.empty() && value_.plan.faults.empty()) return drawn;
  // The world is the drawn one; only who calls what is stated besides.
  sim::plan stated = drawn;
  stated.processes = directed_.processes;
  stated.keys = directed_.keys;
  stated.owners = directed_.owners;
  stated.calls = directed_.calls;
  stated.faults = directed_.faults;
  return joined(std::move(stated), drawn);
}

sim::plan scenario_plans::with_drawn_faults(std::uint64_t index) const {
  sim::plan out = directed_;
  out.profile = faults_.id;
  out.seed = sim::split(seed_, purpose::plan, index);
  const auto options = world(index);
  drawing now{options, out, sim::random_source(sim::split(out.seed, purpose::faults))};
  now.ttl = out.ttl_ms * sim::ns_per_ms;
  now.horizon = horizon_of(out, now.ttl);
  set_delays(out, now.ttl);
  const auto stated = out.faults;
  out.faults.clear();
  properties::draw_faults(now);
  for (auto& fault : out.faults) fault.id += next_id(stated);
  out.faults.insert(out.faults.begin(), stated.begin(), stated.end());
  return out;
}

}  // namespace leaselab::cli
