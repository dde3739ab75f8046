// The live provider beside the yardsticks, on a real server of its own.
//
// provider/redis/renew/<socket>/clients:C/depth:D - C connections, D callers on each. Every
// repetition runs redis-benchmark with the same script, connections and depth next to it, so that
// the machine's moods hit both: the counter ratio_to_redis_benchmark is theirs.
#include <benchmark/benchmark.h>
#include <hiredis/hiredis.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "providers/environment_asio.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/scripts.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab {
namespace {

const milliseconds ttl(600000);
const std::string key = "thread-1";
const std::string owner = "process-1/1/1";

testing::redis_server& server() {
  static testing::redis_server started;
  return started;
}

void hold_the_lease() {
  server().ask({"SCRIPT", "LOAD", redis_scripts::renew().text});
  server().ask({"SET", lease_key(provider_options{}.prefix, key), owner, "PX", "600000"});
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct client {
  environment_asio environment;
  redis_provider provider;

  client(asio::io_context& context, const std::string& url)
      : environment(context.get_executor(), {.redis = url}), provider(environment) {}
};

awaitable<void> renew_until_none_is_left(redis_provider& provider, int& left, int& failed) {
  while (left > 0) {
    --left;
    const auto renewed = co_await provider.renew_lease(key, owner, ttl);
    if (!renewed || !*renewed) ++failed;
  }
}

// Renewals a second.
double provider_rate(benchmark::State& state, const std::string& url, int clients, int depth,
                     int count) {
  asio::io_context context(1);
  std::vector<std::unique_ptr<client>> all;
  for (int i = 0; i < clients; ++i) all.push_back(std::make_unique<client>(context, url));
  int failed = 0;
  const auto run = [&](int left) {
    context.restart();
    int open = clients * depth;
    for (int i = 0; i < clients * depth; ++i) {
      asio::co_spawn(context, renew_until_none_is_left(all[i % clients]->provider, left, failed),
                     [&open](std::exception_ptr) { --open; });
    }
    while (open > 0) context.run_one();
  };
  run(10 * clients * depth);  // connects
  const auto start = std::chrono::steady_clock::now();
  run(count);
  const double seconds = seconds_since(start);
  all.clear();
  context.restart();
  context.run();
  if (failed > 0) state.SkipWithError("a renewal failed");
  return count / seconds;
}

std::string output_of(const std::string& line) {
  std::string text;
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  while (std::fgets(part, sizeof(part), pipe) != nullptr) text += part;
  ::pclose(pipe);
  return text;
}

// Requests a second, 0 if it did not run. Its --csv has the figure in the second column.
double redis_benchmark_rate(bool tcp, int clients, int depth, int count) {
  const std::string where =
      tcp ? "-h 127.0.0.1 -p " + std::to_string(server().port()) : "-s " + server().socket_path();
  const std::string text =
      output_of("redis-benchmark --csv " + where + " -c " + std::to_string(clients) + " -P " +
                std::to_string(depth) + " -n " + std::to_string(count) + " evalsha " +
                redis_scripts::renew().sha1 + " 1 " + lease_key(provider_options{}.prefix, key) +
                " " + owner + " 600000 2>/dev/null");
  const auto line = text.rfind("\"EVALSHA");
  const auto lower = line == std::string::npos ? text.rfind("\"evalsha") : line;
  if (lower == std::string::npos) return 0;
  const auto figure = text.find("\",\"", lower);
  return figure == std::string::npos ? 0 : std::atof(text.c_str() + figure + 3);
}

// Half a second or so of each.
int batch_size(int clients, int depth) {
  if (depth > 1) return 80000;
  return clients > 1 ? 40000 : 12000;
}

void provider_renew(benchmark::State& state, bool tcp, int clients, int depth) {
  hold_the_lease();
  const std::string url = tcp ? server().tcp_url() : server().unix_url();
  const int count = batch_size(clients, depth);
  double ours = 0;
  double theirs = 0;
  for (auto _ : state) {
    ours = provider_rate(state, url, clients, depth, count);
    state.SetIterationTime(count / ours);
    theirs = redis_benchmark_rate(tcp, clients, depth, count);
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["redis_benchmark_per_second"] = theirs;
  if (theirs > 0) state.counters["ratio_to_redis_benchmark"] = ours / theirs;
}

// The floor of any client: one round trip after the other, blocking.
void raw_hiredis(benchmark::State& state, bool tcp) {
  hold_the_lease();
  const std::unique_ptr<redisContext, decltype(&redisFree)> link(
      tcp ? redisConnect("127.0.0.1", server().port())
          : redisConnectUnix(server().socket_path().c_str()),
      &redisFree);
  const std::string name = lease_key(provider_options{}.prefix, key);
  for (auto _ : state) {
    void* answer = redisCommand(link.get(), "EVALSHA %s 1 %s %s 600000",
                                redis_scripts::renew().sha1.c_str(), name.c_str(), owner.c_str());
    if (answer == nullptr) return state.SkipWithError("no answer");
    freeReplyObject(answer);
  }
  state.SetItemsProcessed(state.iterations());
}

void enlist() {
  for (const bool tcp : {true, false}) {
    const std::string socket = tcp ? "tcp" : "unix";
    benchmark::RegisterBenchmark(("hiredis/renew/" + socket).c_str(), raw_hiredis, tcp)
        ->UseRealTime();
    for (const auto& [clients, depth] : {std::pair(1, 1), {50, 1}, {1, 16}, {8, 1}, {50, 16}}) {
      const std::string name = "provider/redis/renew/" + socket +
                               "/clients:" + std::to_string(clients) +
                               "/depth:" + std::to_string(depth);
      benchmark::RegisterBenchmark(name.c_str(), provider_renew, tcp, clients, depth)
          ->UseManualTime()
          ->Iterations(1);
    }
  }
}

}  // namespace
}  // namespace leaselab

int main(int count, char** arguments) {
  leaselab::enlist();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
