#include "properties/search/generate.hpp"

#include <algorithm>

#include "properties/search/drawing.hpp"

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;
using sim::one_in;
using sim::purpose;

// Empties the plan and keeps its memory.
void clear(sim::plan& out) {
  out.processes.clear();
  out.keys.clear();
  out.owners.resize(1);
  out.owners[0].clear();
  out.calls.clear();
  out.client = {};
  out.signals.clear();
  out.faults.clear();
  out.decisions.clear();
}

std::int64_t draw_ttl_ms(drawing& now) {
  if (now.options.ttl_ms) return *now.options.ttl_ms;
  // A granule of time is much of a short one and next to nothing of a long one.
  constexpr std::int64_t lengths[] = {10, 100, 100, 15'000, 15'000, 15'000};
  return lengths[now.random.below(6)];
}

// D is 0.1 ttl; some worlds are faster, so that things meet which are close together.
void draw_bounds(drawing& now) {
  auto& bounds = now.out.bounds;
  bounds = {};
  constexpr std::int64_t limits_percent[] = {25, 50, 200};
  bounds.call_limit = now.ttl * limits_percent[now.random.below(3)] / 100;
  bounds.lateness = now.ttl / 100;
  if (now.options.faults->one_at_a_time) {
    bounds.lateness = 0;
  } else {
    bounds.delay_min = now.ttl / 1000;
    const auto slowest = now.ttl / 10;
    bounds.delay_max =
        now.random.chance(one_in(2)) ? slowest : now.random.log_uniform(bounds.delay_min, slowest);
  }
}

std::int64_t draw_rate(drawing& now, clock_courses courses) {
  if (courses == clock_courses::exact || now.random.chance(one_in(3))) return sim::rate_one;
  if (courses == clock_courses::anywhere) {
    const auto slow = now.random.uniform(300'000'000, 930'000'000);
    const auto fast = now.random.uniform(1'070'000'000, 3'000'000'000);
    return now.random.chance(one_in(2)) ? slow : fast;
  }
  // The edges find most.
  const auto half_margin = now.options.margin_ppm * 1000 / 2;
  switch (now.random.below(4)) {
    case 0:
      return sim::rate_one - half_margin;
    case 1:
      return sim::rate_one + half_margin;
    default:
      return sim::rate_one + now.random.uniform(-half_margin, half_margin);
  }
}

std::int64_t draw_wall_offset(drawing& now) {
  constexpr std::int64_t hour = 3'600'000 * ns_per_ms;
  if (now.random.chance(one_in(3))) return 0;
  const bool behind = now.random.chance(one_in(2));
  const auto by = now.random.log_uniform(ns_per_ms, hour);
  return behind ? -by : by;
}

// Slow ones at the edge, more often than not.
void bound_clocks(drawing& now, const sim::clock_bounds& bounds, sim::process_spec& process) {
  const auto drawn = now.random.uniform(bounds.least_rate_ppb, sim::rate_one);
  process.rate_ppb = now.random.chance(one_in(4)) ? drawn : bounds.least_rate_ppb;
  now.standing_left.push_back(now.ttl / 1'000'000 * bounds.standing_ppm);
}

void draw_processes(drawing& now) {
  const auto drawn = 2 + now.random.below(3);
  auto count = now.options.processes.value_or(std::uint32_t(drawn));
  // A runtime alone must not notice that its provider coordinates nothing.
  if (now.options.workload == sim::workload_kind::runtime && now.options.incomplete &&
      !now.options.processes && now.random.chance(one_in(4)))
    count = 1;
  const auto& faults = *now.options.faults;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& process = now.out.processes.emplace_back();
    process.name = "P";
    if (i >= 9) process.name += char('0' + (i + 1) / 10 % 10);
    process.name += char('0' + (i + 1) % 10);
    if (now.options.clocks) {
      bound_clocks(now, *now.options.clocks, process);
      continue;
    }
    if (faults.clocks == clock_courses::exact) continue;
    process.wall_offset = draw_wall_offset(now);
    process.rate_ppb = draw_rate(now, faults.clocks);
    process.clock_stands_in_pause = faults.clocks_stand && now.random.chance(one_in(4));
  }
}

}  // namespace

void draw_world(drawing& now) {
  auto& out = now.out;
  out.workload = now.options.workload;
  out.profile = now.options.faults->id;
  out.ttl_ms = draw_ttl_ms(now);
  now.ttl = out.ttl_ms * ns_per_ms;
  out.margin_ppm = now.options.margin_ppm;
  out.backend_phase = now.random.uniform(0, ns_per_ms - 1);
  out.resource = now.options.fencing ? sim::resource_kind::fenced : sim::resource_kind::local;
  out.one_at_a_time = now.options.faults->one_at_a_time;
  const bool wrapped = now.random.chance(one_in(4));
  out.decorators = wrapped ? std::uint8_t(now.random.uniform(1, 3)) : 0;
  out.lacking = now.options.incomplete ? std::uint8_t(now.random.uniform(1, 31)) : 0;
  draw_bounds(now);
  draw_processes(now);
}

// Long enough for the bound of progress.after_heal, at most four trips an acquire (see
// docs/PROPERTIES.md): D + ttl + 1 granule + period + lateness + 4kD.
static sim::true_duration contenders_time(const drawing& now) {
  std::int64_t longest_ms = now.out.ttl_ms;
  for (const auto& call : now.out.calls) {
    if (call.ttl_ms <= 4 * now.out.ttl_ms) longest_ms = std::max(longest_ms, call.ttl_ms);
  }
  const auto& bounds = now.out.bounds;
  return longest_ms * ns_per_ms + 5 * ns_per_ms + bounds.asking_period + 2 * bounds.lateness +
         18 * bounds.delay_max;
}

static void set_phases(drawing& now) {
  auto& bounds = now.out.bounds;
  const bool contends = now.options.faults->quiet_phase;
  if (contends) {
    bounds.asking_period = now.ttl * 3 / 10;
    bounds.quiet = contenders_time(now);
  }
  // First, everything that was submitted has to run.
  if (now.options.workload == sim::workload_kind::runtime)
    bounds.quiet += std::int64_t(now.out.signals.size() + 2) * 3 * now.ttl;
}

world_options world_for(sim::workload_kind workload, const profile& faults,
                        const guarantees& declared) {
  world_options options;
  options.workload = workload;
  options.faults = &faults;
  options.injects = injections_for(faults, declared);
  options.fencing = declared.fencing;
  options.incomplete = declared.scope == scope::none;
  return options;
}

void generate(const world_options& options, std::uint64_t seed, std::uint64_t index,
              sim::plan& out) {
  clear(out);
  out.seed = split(seed, purpose::plan, index);
  drawing now{options, out, sim::random_source(split(out.seed, purpose::world))};
  now.crashes = std::any_of(options.injects.begin(), options.injects.end(),
                            [](const auto& one) { return one.kind == sim::fault_kind::crash; });
  draw_world(now);
  now.random.reseed(split(out.seed, purpose::calls));
  if (options.workload == sim::workload_kind::runtime) {
    draw_runtime(now);
  } else {
    draw_calls(now);
  }
  now.random.reseed(split(out.seed, purpose::faults));
  draw_faults(now);
  set_phases(now);
}

}  // namespace leaselab::properties
