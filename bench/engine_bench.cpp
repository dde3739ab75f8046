// What one command costs on the engines of the simulator. The raw hiredis round trip on the same
// unix socket, in the same run, is the yardstick of the server engine: it must reach 80 % of it.
#include <benchmark/benchmark.h>
#include <hiredis/hiredis.h>

#include <memory>

#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"
#include "sim/redis/split_run.hpp"

namespace leaselab::sim::redis {
namespace {

const script renew("renew",
                   "if redis.call('GET', KEYS[1]) == ARGV[1] then\n"
                   "  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\n"
                   "end\n"
                   "return 0\n");

const std::string key = "leaselab:lease:thread-1";
const std::string owner = "process-1/1/1";

command set_lease() { return {.words = {"SET", key, owner, "PX", "15000"}}; }

command renew_lease() { return {.words = {key, owner, "15000"}, .lua = &renew}; }

// A world with one lease, held.
void prepare(engine& on) {
  on.reset(0);
  on.load(renew);
  on.execute(set_lease(), 0);
}

void report(benchmark::State& state) { state.SetItemsProcessed(state.iterations()); }

void run_script(benchmark::State& state, engine& on) {
  prepare(on);
  const command request = renew_lease();
  std::int64_t now_ms = 0;
  for (auto _ : state) benchmark::DoNotOptimize(on.execute(request, ++now_ms));
  report(state);
}

server_engine& shared_server() {
  static server_engine server;
  return server;
}

void model_script(benchmark::State& state) {
  model_engine model;
  run_script(state, model);
}
BENCHMARK(model_script);

void model_split_script(benchmark::State& state) {
  model_engine model;
  prepare(model);
  const command request = renew_lease();
  std::int64_t now_ms = 0;
  for (auto _ : state) {
    split_run run(model, request);
    while (!run.done()) run.step(++now_ms);
    benchmark::DoNotOptimize(run.result());
  }
  report(state);
}
BENCHMARK(model_split_script);

// A world's start: reset, load, and its first command.
void model_world_start(benchmark::State& state) {
  model_engine model;
  const command request = set_lease();
  for (auto _ : state) {
    model.reset(0);
    model.load(renew);
    benchmark::DoNotOptimize(model.execute(request, 0));
  }
  report(state);
}
BENCHMARK(model_world_start);

// Real time from here on: the work is done in another process.
void raw_script(benchmark::State& state) {
  prepare(shared_server());
  shared_server().execute(renew_lease(), 0);
  const std::unique_ptr<redisContext, decltype(&redisFree)> link(
      redisConnectUnix(shared_server().socket_path().c_str()), redisFree);
  const char* words[] = {"EVALSHA", renew.sha1.c_str(), "1", key.c_str(), owner.c_str(), "15000"};
  const std::size_t sizes[] = {7, 40, 1, key.size(), owner.size(), 5};
  for (auto _ : state) freeReplyObject(redisCommandArgv(link.get(), 6, words, sizes));
  report(state);
}
BENCHMARK(raw_script)->UseRealTime();

void server_script(benchmark::State& state) { run_script(state, shared_server()); }
BENCHMARK(server_script)->UseRealTime();

void server_script_and_peek(benchmark::State& state) {
  prepare(shared_server());
  const command request = renew_lease();
  const std::string_view keys[] = {key};
  std::vector<std::optional<stored>> after;
  std::int64_t now_ms = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(shared_server().execute_and_peek(request, keys, ++now_ms, after));
  }
  report(state);
}
BENCHMARK(server_script_and_peek)->UseRealTime();

void server_world_start(benchmark::State& state) {
  const command request = set_lease();
  for (auto _ : state) {
    shared_server().reset(0);
    shared_server().load(renew);
    benchmark::DoNotOptimize(shared_server().execute(request, 0));
  }
  report(state);
}
BENCHMARK(server_world_start)->UseRealTime();

}  // namespace
}  // namespace leaselab::sim::redis

BENCHMARK_MAIN();
