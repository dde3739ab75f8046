#include "properties/mutants/control_plans.hpp"

#include <algorithm>

namespace leaselab::properties::control_plans {
namespace {

using sim::call_spec;
using sim::fault_kind;
using sim::fault_spec;
using sim::ns_per_ms;
using sim::one_in;
using sim::true_duration;
using sim::verb;

constexpr std::int64_t longest_ttl_ms = (std::int64_t{1} << 53) - 1;

true_duration ttl_of(const sim::plan& plan) { return plan.ttl_ms * ns_per_ms; }

std::uint32_t next_call_id(const sim::plan& plan) {
  std::uint32_t next = 0;
  for (const auto& call : plan.calls) next = std::max(next, call.id + 1);
  return next;
}

call_spec& add_call(sim::plan& plan, verb what, sim::process_id process, sim::owner_id owner,
                    sim::true_time at) {
  const auto id = next_call_id(plan);
  auto& call = plan.calls.emplace_back();
  call.id = id;
  call.what = what;
  call.process = process;
  call.owner = owner;
  call.at = at;
  if (what == verb::acquire || what == verb::renew || what == verb::transfer)
    call.ttl_ms = plan.ttl_ms;
  return call;
}

fault_spec& add_fault(sim::plan& plan, fault_kind kind) {
  std::uint32_t id = 0;
  for (const auto& fault : plan.faults) id = std::max(id, fault.id + 1);
  auto& fault = plan.faults.emplace_back();
  fault.id = id;
  fault.kind = kind;
  return fault;
}

sim::process_id any_process(const sim::plan& plan, sim::random_source& random) {
  return static_cast<sim::process_id>(random.below(plan.processes.size()));
}

// Leaves a story of its own: one key, these owners, no faults.
void begin_anew(sim::plan& plan, std::initializer_list<const char*> owners) {
  plan.calls.clear();
  plan.faults.clear();
  plan.keys = {"K"};
  plan.owners = {""};
  for (const auto* owner : owners) plan.owners.emplace_back(owner);
}

}  // namespace

void rates_inside_margin(sim::plan& plan, sim::random_source& random) {
  std::erase_if(plan.faults, [](const fault_spec& one) { return one.kind == fault_kind::rate; });
  const auto margin = plan.margin_ppm * 1000;
  for (auto& process : plan.processes) {
    const auto by = random.uniform(-margin, margin);
    process.rate_ppb = sim::rate_one + (random.chance(one_in(2)) ? -margin : by);
  }
}

void strobing_clocks(sim::plan& plan, sim::random_source& random) {
  std::erase_if(plan.faults, [](const fault_spec& one) { return one.kind == fault_kind::rate; });
  for (auto count = random.uniform(1, 3); count > 0; --count) {
    auto& fault = add_fault(plan, fault_kind::strobe);
    fault.process = any_process(plan, random);
    fault.at = random.uniform(0, ttl_of(plan) * 2);
    fault.at_latest = fault.at + ttl_of(plan) / 10;
    fault.lasts = random.log_uniform(ttl_of(plan) / 10, ttl_of(plan) * 4);
    fault.period = std::max<true_duration>(fault.lasts / 40, 1);
    fault.by = random.log_uniform(ns_per_ms, ttl_of(plan) * 10);
  }
}

void storm_of_readers(sim::plan& plan, sim::random_source& random) {
  const auto processes = plan.processes.size();
  for (std::size_t p = 0; p < processes; ++p) {
    for (std::size_t k = 0; k < plan.keys.size(); ++k) {
      const auto at = random.uniform(0, ttl_of(plan) / 10);
      auto& look = add_call(plan, verb::get, static_cast<sim::process_id>(p), sim::nobody, at);
      look.key = static_cast<sim::key_id>(k);
      look.every = random.log_uniform(ttl_of(plan) / 40, ttl_of(plan) / 8);
      look.until = ttl_of(plan) * 3;
    }
  }
}

void full_recovery(sim::plan& plan, sim::random_source& random) {
  for (auto& fault : plan.faults) {
    if (fault.kind != fault_kind::crash) continue;
    if (fault.lasts == sim::never) fault.lasts = random.log_uniform(ns_per_ms, ttl_of(plan) * 2);
    fault.new_identity = fault.state_lost = false;
  }
  if (random.chance(one_in(2))) return;
  auto& down = add_fault(plan, fault_kind::backend_down);
  down.at = random.uniform(0, ttl_of(plan) * 2);
  down.at_latest = down.at + ttl_of(plan) / 2;
  down.lasts = random.log_uniform(ttl_of(plan) / 100, ttl_of(plan) * 2);
  down.data = sim::data_kept::kept;
}

void transfers_to_oneself(sim::plan& plan, sim::random_source& random) {
  for (auto& call : plan.calls) {
    if (call.what == verb::renew && random.chance(one_in(2))) call.what = verb::transfer;
    if (call.what == verb::transfer) call.to = call.owner;
  }
}

void below_the_longest_ttl(sim::plan& plan, sim::random_source&) {
  for (auto& call : plan.calls)
    if (call.ttl_ms == longest_ttl_ms) --call.ttl_ms;
}

void late_in_the_millisecond(sim::plan& plan, sim::random_source& random) {
  begin_anew(plan, {"A", "B"});
  const auto from_phase = [&](std::int64_t granule, std::int64_t within) {
    return granule * ns_per_ms - plan.backend_phase + within;
  };
  const auto set = random.uniform(1, 20);
  const auto late = ns_per_ms - random.log_uniform(1, ns_per_ms / 10);
  add_call(plan, verb::acquire, 0, 1, from_phase(set, late));
  const auto last = set + plan.ttl_ms;
  for (auto count = random.uniform(1, 4); count > 0; --count) {
    const auto early = random.chance(one_in(2));
    const auto off = random.log_uniform(1, ns_per_ms);
    const auto within = early ? off - 1 : ns_per_ms - off;
    const auto at = from_phase(last + random.uniform(-1, 1), within);
    const bool asks = random.chance(one_in(3));
    const auto who = any_process(plan, random);
    add_call(plan, asks ? verb::acquire : verb::get, who, asks ? 2 : sim::nobody, at);
  }
}

void shortened_ttl(sim::plan& plan, sim::random_source& random) {
  for (auto& call : plan.calls) {
    const bool sets =
        call.what == verb::acquire || call.what == verb::renew || call.what == verb::transfer;
    if (!sets || call.ttl_ms < 2 || random.chance(one_in(3))) continue;
    call.ttl_ms = random.log_uniform(1, call.ttl_ms);
  }
}

void late_renewal(sim::plan& plan, sim::random_source& random) {
  begin_anew(plan, {"A", "B"});
  const auto short_time = [&] { return random.log_uniform(ns_per_ms, ttl_of(plan)); };
  const auto first = add_call(plan, verb::acquire, 0, 1, 0).id;
  auto& renewal = add_call(plan, verb::renew, 0, 1, 0);
  renewal.after = first;
  const auto renewal_id = renewal.id;
  auto& release = add_call(plan, verb::release, 0, 1, 0);
  release.after = first;
  release.wait = short_time();
  const auto release_id = release.id;
  auto& again = add_call(plan, verb::acquire, 0, 1, 0);
  again.after = release_id;
  again.wait = random.chance(one_in(2)) ? 0 : short_time();
  const auto again_id = again.id;
  auto& held = add_fault(plan, fault_kind::hold);
  held.call = renewal_id;
  held.until_call = again_id;
  for (auto count = random.uniform(1, 5); count > 0; --count) {
    const auto who = any_process(plan, random);
    const bool asks = random.chance(one_in(2));
    const auto at = random.uniform(0, ttl_of(plan) * 3);
    add_call(plan, asks ? verb::acquire : verb::get, who, asks ? 2 : sim::nobody, at);
  }
}

}  // namespace leaselab::properties::control_plans
