// explore/exhaustive: how many runs of an exhaustive search are made and judged in a second, each
// from its beginning; with reduction and, as `every_order`, without.
#include <benchmark/benchmark.h>

#include "properties/builtin.hpp"
#include "properties/search/exhaustive/walk.hpp"
#include "sim/redis/model_engine.hpp"

namespace {

using namespace leaselab::properties;

check_options asked_of(const char* provider) {
  check_options out;
  out.providers = {find_variant(provider)};
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  out.profiles = {"interleave"};
  out.workload = leaselab::sim::workload_kind::handoff;
  out.strategy = "exhaustive";
  out.engine = [] { return std::make_unique<leaselab::sim::redis::model_engine>(); };
  return out;
}

// One line-up, again and again: three processes that renew, hand over and give back.
void walk_lineup(benchmark::State& state, const char* provider, bool reduce) {
  const auto options = asked_of(provider);
  bench own(options);
  const auto of = make_campaign(*options.providers.front(), *find_profile("interleave"), options,
                                own.judged_by());
  const lineup who{0, 1, 2};
  const std::uint32_t time_moves = reduce ? 1 : 0;
  const walk_task task{&of, plan_of({3, 2}, programs_of(2), who), {reduce, time_moves, who}};
  std::uint64_t runs = 0, steps = 0;
  for (auto _ : state) {
    walk whole;
    go_on(whole, task, own, nullptr);
    if (!whole.complete) state.SkipWithError("it did not end");
    runs += whole.runs + whole.redundant;
    steps += whole.steps;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(runs));
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["runs"] = static_cast<double>(runs) / static_cast<double>(state.iterations());
}

void register_all() {
  for (const char* provider : {"memory", "redis", "release-then-acquire"}) {
    const auto name = "explore/exhaustive/" + std::string(provider);
    benchmark::RegisterBenchmark(name.c_str(), walk_lineup, provider, true)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/every_order").c_str(), walk_lineup, provider, false)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
