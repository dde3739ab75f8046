#include "properties/search/sweep_world.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;
using sim::true_duration;
using sim::true_time;

constexpr true_duration ttl_ns = sweep_ttl_ms * ns_per_ms;

true_duration share_of_ttl(std::int64_t ppm) { return ttl_ns / 1'000'000 * ppm; }

sim::call_spec call(std::uint32_t id, sim::process_id process, sim::verb what, true_time at) {
  sim::call_spec made;
  made.id = id;
  made.process = process;
  made.what = what;
  made.owner = 1;  // the holder's
  made.ttl_ms = sweep_ttl_ms;
  made.at = at;
  return made;
}

// Work from the grant on, and closely spaced steps around the end of the belief.
void add_holder(sim::plan& plan, const sweep_point& at) {
  plan.calls.push_back(call(0, sweep_holder, sim::verb::acquire, 0));
  auto work = call(1, sweep_holder, sim::verb::write, 0);
  work.after = 0;
  work.if_held = true;
  work.lasts = ttl_ns;
  work.pace = ttl_ns / 100;
  plan.calls.push_back(work);
  const auto end = static_cast<true_time>(belief_ends_ns(at));
  auto last = call(2, sweep_holder, sim::verb::write, std::max<true_time>(1, end - 15 * ns_per_ms));
  last.if_held = true;
  last.lasts = 30 * ns_per_ms;
  last.pace = last.lasts / 900;
  plan.calls.push_back(last);
}

// A token that was denied is never believed in again, so every question has one of its own.
void add_question(sim::plan& plan, true_time at) {
  const auto id = static_cast<std::uint32_t>(plan.calls.size());
  auto ask = call(id, sweep_contender, sim::verb::acquire, at);
  ask.owner = static_cast<sim::owner_id>(plan.owners.size());
  plan.owners.push_back("B" + std::to_string(plan.owners.size() - 1));
  auto work = call(id + 1, sweep_contender, sim::verb::write, 0);
  work.owner = ask.owner;
  work.after = id;
  work.if_held = true;
  plan.calls.push_back(ask);
  plan.calls.push_back(work);
}

// Now and then while the lease lasts, and closely spaced around its end.
void add_contender(sim::plan& plan, const guarantees& declared, true_duration spread) {
  constexpr int before = 20, around = 100;
  const auto end = static_cast<true_time>(lease_ends_ns(declared));
  const true_time from = end - 2 * ns_per_ms, until = end + 3 * ns_per_ms + 2 * spread;
  for (int i = 0; i < before; ++i) add_question(plan, from * (i + 1) / (before + 1));
  for (int i = 0; i < around; ++i) add_question(plan, from + (until - from) / around * i);
}

}  // namespace

double belief_ends_ns(const sweep_point& at) {
  const auto local = ttl_ns - share_of_ttl(at[sweep_axis::margin]) - ns_per_ms;
  const double rate = static_cast<double>(at[sweep_axis::clock_rate]) / 1e6;
  return static_cast<double>(local) / rate +
         static_cast<double>(share_of_ttl(at[sweep_axis::pause]));
}

// The step may come late in its granule. Dead at: the deadline itself is one granule less away.
double lease_ends_ns(const guarantees& declared) {
  const std::int64_t lost = declared.reading == expiry_reading::at ? declared.granule_ms : 0;
  return static_cast<double>((sweep_ttl_ms - lost) * ns_per_ms);
}

sim::choice worst_case_chooser::choose(const sim::moment& now) {
  const auto key = [](const sim::candidate& one) {
    const bool lingers =
        one.event.what == sim::event_label::landing && one.event.process == sweep_holder;
    const auto at = lingers ? std::max(one.earliest, one.latest) : one.earliest;
    return std::tuple(at, one.rank, one.born);
  };
  const auto first = std::min_element(
      now.candidates.begin(), now.candidates.end(),
      [&](const sim::candidate& a, const sim::candidate& b) { return key(a) < key(b); });
  const auto at = std::max(first->earliest, std::min(std::get<0>(key(*first)), now.limit));
  return {static_cast<std::size_t>(first - now.candidates.begin()), at};
}

sim::plan sweep_plan(const sweep_point& at, const guarantees& declared, true_duration spread) {
  sim::plan plan;
  plan.workload = sim::workload_kind::directed;
  plan.ttl_ms = sweep_ttl_ms;
  plan.margin_ppm = at[sweep_axis::margin];
  plan.backend_phase = declared.granule_ms * ns_per_ms - 1;
  if (declared.scope == scope::none) plan.lacking = 31;  // a backend that has no operation
  plan.keys = {"K"};
  plan.owners = {"", "A"};
  plan.processes.resize(2);
  plan.processes[sweep_holder].name = "holder";
  plan.processes[sweep_holder].rate_ppb = at[sweep_axis::clock_rate] * 1000;
  plan.processes[sweep_contender].name = "contender";
  const auto delay = share_of_ttl(at[sweep_axis::delay]);
  plan.bounds.delay_max = std::max(delay, spread);
  plan.bounds.call_limit = 20 * ttl_ns;
  plan.bounds.step_limit = 100'000;
  plan.bounds.safety =
      static_cast<true_time>(std::max(belief_ends_ns(at), lease_ends_ns(declared))) + ttl_ns / 10 +
      4 * plan.bounds.delay_max;
  plan.resource = declared.fencing ? sim::resource_kind::fenced
                  : delay > 0      ? sim::resource_kind::remote
                                   : sim::resource_kind::local;
  add_holder(plan, at);
  add_contender(plan, declared, plan.bounds.delay_max);
  if (const auto pause = share_of_ttl(at[sweep_axis::pause]); pause > 0) {
    auto& stop = plan.faults.emplace_back();
    stop.kind = sim::fault_kind::pause;
    stop.process = sweep_holder;
    stop.at = stop.at_latest = ns_per_ms;  // the worst case is granted at once
    stop.lasts = pause;
    stop.clock_stands = true;
  }
  return plan;
}

}  // namespace leaselab::properties
