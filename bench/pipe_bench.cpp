// Lock-step operations through a pipe: what one call costs that a program answers. The yardstick,
// in the same run, is a program in C++ that answers lines of the same length and reads none of
// them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "providers/pipe/child.hpp"
#include "providers/pipe/pipe_provider.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::pipe {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr const char* echo_flag = "--echo";
constexpr const char* echo_answer = R"({"do":[{"call":1000,"answer":true}]})";
const std::string folder = LEASELAB_PIPE_FOLDER;

int echo() {
  std::string answer = echo_answer;
  answer += '\n';
  char buffer[4096];
  for (ssize_t got; (got = ::read(0, buffer, sizeof buffer)) > 0;) {
    if (buffer[got - 1] != '\n') continue;
    if (::write(1, answer.data(), answer.size()) < 0) return 1;
  }
  return 0;
}

void yardstick(benchmark::State& state) {
  child program(std::filesystem::read_symlink("/proc/self/exe").string() + " " + echo_flag,
                patience);
  const arguments with{"thread-1", "process-1/1/1", {}, milliseconds(15'000)};
  const clocks at{monotonic_time(milliseconds(123)), wall_time(milliseconds(123))};
  const std::string line = call_line(1000, operation::renew, with, std::chrono::seconds(5), at);
  for (auto _ : state) benchmark::DoNotOptimize(program.exchange(line));
  state.SetItemsProcessed(state.iterations());
}

// Whatever it asks of Redis is answered with 1.
class answering final : public environment {
 public:
  monotonic_time now() const override { return monotonic_time(milliseconds(123)); }
  wall_time wall_now() const override { return wall_time(milliseconds(123)); }
  std::uint64_t random() override { return 4; }
  awaitable<void> sleep_until(monotonic_time) override { co_return; }
  awaitable<result<reply>> send(command, monotonic_time) override { co_return testing::integer(1); }
  awaitable<result<void>> step(monotonic_time) override { co_return result<void>(); }
};

void renew(benchmark::State& state, const std::string& command) {
  child program(command, patience);
  program.exchange(hello_line("leaselab"));
  program.exchange(reset_line());
  answering environment;
  pipe_provider provider(environment, program, {});
  for (auto _ : state) {
    auto renewed =
        testing::run(provider.renew_lease("thread-1", "process-1/1/1", milliseconds(15'000), {}));
    if (!renewed || !*renewed) state.SkipWithError("it did not renew");
  }
  state.SetItemsProcessed(state.iterations());
}

void with_node(benchmark::State& state, const std::string& arguments) {
  const std::string node = LEASELAB_NODE;
  if (node.empty()) return state.SkipWithError("skipped: there is no node on this machine");
  renew(state, node + " " + arguments);
}

// A program that asks for nothing, and one that makes a trip to Redis in each call.
void node_call(benchmark::State& state) {
  with_node(state, "-e 'require(\"" + folder +
                       "/node/lease_adapter.js\").serve(() => ({ async renewLease() { return true; "
                       "} }))'");
}
void node_trip(benchmark::State& state) {
  with_node(state, folder + "/node/samples/script_lease.js");
}
void python_call(benchmark::State& state) {
  renew(state, "python3 -c 'import sys; sys.path.insert(0, \"" + folder +
                   "/python\")\n"
                   "from lease_adapter import serve\n"
                   "class Lease:\n"
                   "    async def renew_lease(self, key, owner, ttl):\n"
                   "        return True\n"
                   "serve(lambda host: Lease())'");
}
void python_trip(benchmark::State& state) {
  renew(state, "python3 " + folder + "/python/samples/script_lease.py");
}

BENCHMARK(yardstick)->UseRealTime();
BENCHMARK(node_call)->UseRealTime();
BENCHMARK(node_trip)->UseRealTime();
BENCHMARK(python_call)->UseRealTime();
BENCHMARK(python_trip)->UseRealTime();

}  // namespace
}  // namespace leaselab::pipe

int main(int count, char** words) {
  if (count == 2 && std::string(words[1]) == leaselab::pipe::echo_flag) {
    return leaselab::pipe::echo();
  }
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
