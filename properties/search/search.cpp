#include "properties/search/search.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "properties/lock.hpp"
#include "properties/search/strategy.hpp"

namespace leaselab::properties {
namespace {

// One run in so many is run twice and compared.
constexpr std::uint64_t repeat_every = 64;

// A lock that cannot be handed over, or serves no runtime, is not asked to.
bool serves(const guarantees& declared, sim::workload_kind workload) {
  if (workload == sim::workload_kind::runtime) return !declared.as_lock;
  return workload != sim::workload_kind::handoff || !lacks(declared, operation::transfer);
}

std::vector<sim::workload_kind> workloads_of(const guarantees& declared,
                                             const check_options& options) {
  std::vector<sim::workload_kind> out;
  const auto plain = plain_workloads();
  if (options.workload) {
    out = {*options.workload};
  } else {
    std::copy_if(plain.begin(), plain.end(), std::back_inserter(out),
                 [&](sim::workload_kind one) { return serves(declared, one); });
  }
  return out;
}

}  // namespace

campaign make_campaign(const sim::variant& provider, const profile& faults,
                       const check_options& options, const judge& judge) {
  campaign made;
  made.provider = &provider;
  made.faults = &faults;
  const auto client = provider.policy.value_or(options.client);
  const bool strict = client == sim::client_policy{};
  const auto workloads = workloads_of(provider.declared, options);
  for (std::size_t i = 0; i < judge.size(); ++i) {
    made.standings.push_back(
        standing_of(judge.at(i), provider.declared, faults, workloads, strict));
  }
  for (const auto workload : workloads) {
    auto& world = made.worlds.emplace_back(world_for(workload, faults, provider.declared));
    world.processes = options.processes;
    world.calls = options.calls;
    world.margin_ppm = provider.clocks ? provider.clocks->margin_ppm : options.margin_ppm;
    world.clocks = provider.clocks;
    if (provider.clocks) world.ttl_ms = provider.clocks->ttl_ms;
    world.client = client;
    property_set wanted = 0;
    for (std::size_t i = 0; i < judge.size(); ++i) {
      const bool applies = made.standings[i] != standing::not_applicable;
      if (applies && judged_in(judge.at(i), workload)) wanted |= property_set{1} << i;
    }
    made.judged.push_back(wanted);
  }
  // What a client that is not strict reaches is its own affair.
  if (strict) made.owed = owed_by(faults, provider.declared, workloads);
  return made;
}

void tally::add(const tally& later) {
  judged += later.judged;
  violations += later.violations;
  unknown += later.unknown;
  first_violation = std::min(first_violation, later.first_violation);
  violating.insert(violating.end(), later.violating.begin(), later.violating.end());
}

std::uint64_t fold_digest(std::uint64_t so_far, std::uint64_t next) {
  auto x = std::rotl(so_far, 23) * 0x9e3779b97f4a7c15 ^ next;
  x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9;
  return x ^ (x >> 29);
}

bench::bench(const check_options& options)
    : options_(options),
      judge_(options.properties),
      // An exhaustive search makes its choices itself.
      strategy_(make_strategy(options.strategy == "exhaustive" ? "replay" : options.strategy,
                              options.seed)),
      replay_(make_strategy("replay")),
      in_order_(make_strategy("in_order")) {
  for (std::size_t i = 0; i < judge_.size(); ++i)
    if (judge_.at(i).at() == level::provider) provider_level_ |= property_set{1} << i;
}

bench::~bench() = default;

sim::world& bench::world_of(const sim::variant& provider) {
  auto& world = worlds_[&provider];
  if (!world) {
    std::unique_ptr<sim::redis::engine> engine;
    if (provider.needs_engine) {
      if (!options_.engine) throw std::logic_error(provider.name + " needs a Redis engine");
      engine = options_.engine();
    }
    world = std::make_unique<sim::world>(provider, std::move(engine));
  }
  return *world;
}

block_result bench::run_block(const campaign& of, std::uint64_t first, std::uint64_t last,
                              bool whole) {
  block_result result;
  result.tallies.resize(judge_.size());
  result.statistics = search_statistics(options_.schedules, pct_depth(options_.strategy) > 0);
  auto& world = world_of(*of.provider);
  std::optional<sample> repeat;
  for (auto index = first; index < last; ++index) {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return result;
    generate(of.worlds[index % of.worlds.size()], options_.seed, index, plan_);
    const auto& run = world.run(plan_, *strategy_);
    ++result.runs;
    result.statistics.see(plan_, run, world.decisions());
    if (whole) {
      result.digest = fold_digest(result.digest, run.digest);
    } else {
      result.digests.push_back(run.digest);
    }
    judge_run(of, index, run, result);
    // Not at once: what one run leaves behind shows in another only after a different one.
    const sample now{index, run.digest};
    if (repeat) run_again(of, *repeat, result);
    repeat.reset();
    if (index % repeat_every == 0) repeat = now;
  }
  if (repeat) run_again(of, *repeat, result);
  result.complete = true;
  return result;
}

void bench::judge_run(const campaign& of, std::uint64_t index, const sim::run_record& run,
                      block_result& result) {
  result.blind |= !run.instrumented;
  auto wanted = of.judged[index % of.judged.size()];
  // A client that falls back though the provider is whole: nothing to blame the provider for.
  if (plan_.client.detection == sim::detection_policy::outermost &&
      of.provider->declared.scope != scope::none && world_of(*of.provider).fallback_selected())
    wanted &= ~provider_level_;
  const auto passed =
      judge_.look(world_of(*of.provider), run, plan_, of.provider->declared, wanted);
  for (auto left = wanted & ~passed.not_applicable; left != 0; left &= left - 1) {
    const auto bit = left & -left;
    auto& tally = result.tallies[std::size_t(std::countr_zero(left))];
    ++tally.judged;
    tally.unknown += (passed.unknown & bit) != 0;
    if (!(passed.violated & bit)) continue;
    ++tally.violations;
    ++result.violations;
    tally.first_violation = std::min(tally.first_violation, index);
    if (options_.for_comparison) tally.violating.push_back(index);
  }
  for (auto left = reached_by(run, plan_); left != 0; left &= left - 1)
    ++result.reached[std::size_t(std::countr_zero(left))];
}

void bench::run_again(const campaign& of, const sample& before, block_result& result) {
  generate(of.worlds[before.index % of.worlds.size()], options_.seed, before.index, plan_);
  const auto& run = world_of(*of.provider).run(plan_, *strategy_);
  if (run.digest == before.digest) return;
  result.nondeterminism.push_back(of.provider->name + ", " + std::string(of.faults->id) +
                                  ", schedule " + std::to_string(before.index));
}

const sim::run_record& bench::run_schedule(const campaign& of, std::uint64_t index) {
  generate(of.worlds[index % of.worlds.size()], options_.seed, index, plan_);
  auto& world = world_of(*of.provider);
  const auto& run = world.run(plan_, *strategy_);
  plan_.decisions = world.decisions();
  return run;
}

const sim::run_record& bench::run_drawn(const sim::variant& provider, const sim::plan& plan) {
  return world_of(provider).run(plan, *strategy_);
}

const sim::run_record& bench::replay(const sim::variant& provider, sim::plan& plan) {
  auto& world = world_of(provider);
  const auto& run = world.run(plan, *replay_);
  plan.decisions = world.decisions();
  return run;
}

const sim::run_record& bench::run_in_order(const sim::variant& provider, sim::plan& plan) {
  auto& world = world_of(provider);
  const auto& run = world.run(plan, *in_order_);
  plan.decisions = world.decisions();
  return run;
}

}  // namespace leaselab::properties
