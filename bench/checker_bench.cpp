// checker/histories: recorded histories, and generated ones of the same shape up to 1,000,000
// operations. Figures of other tools on the same work stand in docs/HISTORIES.md.
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <tuple>

#include "properties/judge_file.hpp"
#include "properties/testing/long_histories.hpp"

namespace leaselab::properties {
namespace {

void judge_operations(benchmark::State& state, const std::vector<history_operation>& operations,
                      verdict expected) {
  history_checker checker;
  for (auto _ : state) {
    const auto result = checker.check(operations, {reading_of::at});
    if (result.value != expected) state.SkipWithError("another verdict than expected");
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations.size()));
}

void recorded(benchmark::State& state, const std::string& name, verdict expected) {
  const auto history = read_history("properties/testdata/" + name + ".jsonl.gz");
  judge_operations(state, history.keys.at(0).operations, expected);
}

void generated(benchmark::State& state, testing::long_history shape) {
  shape.operations = static_cast<std::size_t>(state.range(0));
  if (shape.bad_at == 0) shape.bad_at = shape.operations * 95 / 100;
  const bool bad = shape.bad_at < shape.operations;
  judge_operations(state, testing::make_long_history(shape),
                   bad ? verdict::violated : verdict::holds);
}

void read_file(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(read_history("properties/testdata/lease-n10000-c10.jsonl.gz"));
  }
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK(read_file)->Name("checker/read/lease-n10000-c10")->Unit(benchmark::kMillisecond);

void register_all() {
  for (const auto& [name, expected] : std::initializer_list<std::pair<const char*, verdict>>{
           {"lease-n1000-c10", verdict::holds},
           {"lease-n10000-c10", verdict::holds},
           {"lease-unk5pct-n10000-c10", verdict::holds},
           {"lock-n10000-c10", verdict::holds},
           {"lease-bad-n1000-c10", verdict::violated},
           {"lock-bad-n1000-c5", verdict::violated}}) {
    benchmark::RegisterBenchmark((std::string("checker/histories/") + name).c_str(), recorded,
                                 std::string(name), expected)
        ->Unit(benchmark::kMillisecond);
  }
  const auto of_shape = [](const char* name, const testing::long_history& shape) {
    benchmark::RegisterBenchmark((std::string("checker/histories/generated/") + name).c_str(),
                                 generated, shape)
        ->RangeMultiplier(10)
        ->Range(10'000, 1'000'000)
        ->Unit(benchmark::kMillisecond);
  };
  of_shape("lease", {});
  of_shape("lock", {.ttl = no_expiry});
  of_shape("lease-unk5pct", {.info_percent = 5});
  of_shape("lease-bad", {.bad_at = 0});
  of_shape("lease-without-tokens", {.tokens = false});
}

}  // namespace
}  // namespace leaselab::properties

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  leaselab::properties::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
