// How fast worlds run: short random ones as `check` runs them, and `sim/standard`, the lease
// simulation by which discrete-event testers are compared.
#include <benchmark/benchmark.h>

#include "properties/builtin.hpp"
#include "properties/foreign.hpp"
#include "properties/property.hpp"
#include "properties/search/generate.hpp"
#include "properties/search/strategy.hpp"
#include "properties/timeline.hpp"
#include "sim/random.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/world.hpp"

namespace {

using namespace leaselab;
using namespace leaselab::properties;

std::unique_ptr<sim::world> world_of(const sim::variant& kind) {
  std::unique_ptr<sim::redis::engine> engine;
  if (kind.needs_engine) engine = std::make_unique<sim::redis::model_engine>();
  return std::make_unique<sim::world>(kind, std::move(engine));
}

// Judges a run by every property that it has a bearing on.
class judge {
 public:
  explicit judge(const sim::variant& kind) : kind_(kind) {}

  std::size_t operator()(const sim::run_record& run, const sim::plan& plan) {
    timeline_.build(run, plan, kind_.declared);
    found_.clear();
    const run_context context{run, plan, kind_.declared, timeline_};
    for (const auto& each : properties_) each->check(context, found_);
    return found_.size();
  }

 private:
  const sim::variant& kind_;
  timeline timeline_;
  std::vector<std::unique_ptr<property>> properties_ = all_properties();
  std::vector<violation> found_;
};

const sim::variant& variant_named(const std::string& name) {
  return is_foreign(name) ? find_foreign(name).variant : *find_variant(name);
}

// 3 processes, 2 keys, 20 calls in all, under `interleave`.
void short_worlds(benchmark::State& state, const char* provider, bool judged) {
  const sim::variant& kind = variant_named(provider);
  const auto world = world_of(kind);
  const auto choices = make_strategy("random");
  world_options options =
      world_for(sim::workload_kind::contend, *find_profile("interleave"), kind.declared);
  options.processes = 3;
  options.calls = 7;
  judge oracles(kind);
  sim::plan plan;
  std::uint64_t index = 0;
  std::uint64_t steps = 0;
  for (auto _ : state) {
    generate(options, 1, index++, plan);
    const sim::run_record& run = world->run(plan, *choices);
    steps += world->decisions().size();
    if (judged) benchmark::DoNotOptimize(oracles(run, plan));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(index));
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

// One backend, three clients with 200 requests each, one lease of 1000 ms, one-way delay 1-20 ms.
class standard_plan {
 public:
  standard_plan() {
    plan_.workload = sim::workload_kind::contend;
    plan_.ttl_ms = 1000;
    plan_.bounds.delay_min = sim::ns_per_ms;
    plan_.bounds.delay_max = 20 * sim::ns_per_ms;
    plan_.bounds.calls_each = 200;
    plan_.keys = {"K"};
    plan_.processes = {{"P1"}, {"P2"}, {"P3"}};
  }

  const sim::plan& draw(std::uint64_t seed) {
    plan_.seed = seed;
    plan_.calls.clear();
    plan_.owners.resize(1);
    sim::random_source random(seed);
    for (sim::process_id process = 0; process < 3; ++process) draw_client(random, process);
    return plan_;
  }

 private:
  void draw_client(sim::random_source& random, sim::process_id process) {
    previous_ = sim::no_spec;
    for (int term = 0; term < 200; ++term) {
      plan_.owners.push_back("P" + std::to_string(process + 1) + "." + std::to_string(term));
      const auto owner = static_cast<sim::owner_id>(plan_.owners.size() - 1);
      const std::uint64_t pause = random.below(101);
      add(process, sim::verb::acquire, owner, 50 + static_cast<std::int64_t>(pause), false);
      const std::uint64_t late = random.below(20);
      std::int64_t wait = late == 0 ? 1500 : 300;
      const std::uint64_t renewals = 1 + random.below(5);
      for (std::uint64_t i = 0; i < renewals; ++i) {
        add(process, sim::verb::renew, owner, wait, true);
        wait = 300;
      }
      add(process, sim::verb::release, owner, 300, true);
    }
  }

  void add(sim::process_id process, sim::verb what, sim::owner_id owner, std::int64_t wait_ms,
           bool if_held) {
    sim::call_spec call;
    call.id = static_cast<std::uint32_t>(plan_.calls.size());
    call.what = what;
    call.process = process;
    call.owner = owner;
    call.ttl_ms = 1000;
    call.wait = wait_ms * sim::ns_per_ms;
    call.after = previous_;
    call.if_held = if_held;
    previous_ = call.id;
    plan_.calls.push_back(call);
  }

  sim::plan plan_;
  std::uint32_t previous_ = sim::no_spec;
};

void standard(benchmark::State& state, const char* provider, bool judged) {
  const sim::variant& kind = *find_variant(provider);
  const auto world = world_of(kind);
  const auto choices = make_strategy("random");
  judge oracles(kind);
  standard_plan plans;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;
  std::uint64_t calls = 0;
  for (auto _ : state) {
    const sim::plan& plan = plans.draw(++seed);
    const sim::run_record& run = world->run(plan, *choices);
    steps += world->decisions().size();
    calls += run.calls.size();
    if (judged && oracles(run, plan) != 0) state.SkipWithError("a property is violated");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(seed));
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["calls_per_seed"] = static_cast<double>(calls) / static_cast<double>(seed);
}

BENCHMARK_CAPTURE(short_worlds, memory, "memory", true)->Name("sim/short/memory");
BENCHMARK_CAPTURE(short_worlds, memory_bare, "memory", false)->Name("sim/short/memory/unjudged");
BENCHMARK_CAPTURE(short_worlds, redis, "redis", true)->Name("sim/short/redis");
BENCHMARK_CAPTURE(short_worlds, redis_bare, "redis", false)->Name("sim/short/redis/unjudged");
// The same two as shared libraries in C.
BENCHMARK_CAPTURE(short_worlds, plugin_memory, LEASELAB_PLUGINS "memory_lease.so", true)
    ->Name("sim/short/memory/plugin");
BENCHMARK_CAPTURE(short_worlds, plugin_redis, LEASELAB_PLUGINS "script_lease.so", true)
    ->Name("sim/short/redis/plugin");
BENCHMARK_CAPTURE(standard, redis, "redis", true)->Name("sim/standard");
BENCHMARK_CAPTURE(standard, redis_bare, "redis", false)->Name("sim/standard/unjudged");

}  // namespace

BENCHMARK_MAIN();
