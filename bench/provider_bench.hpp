// The live providers, and those of one address space, beside their yardsticks.
//
//   provider/<provider>/<operation>/<tcp|unix|local>/clients:N/depth:M
//   provider/<provider>/<operation>/<tcp|unix>/shared:N
//
// clients:N are N connections as redis-benchmark's -c, depth:M are M callers on each as its -P;
// shared:N are N callers on one pipelined connection. Everything of ours runs on one thread, as
// redis-benchmark does.
//
// An iteration is one call: real_time is a batch's time over its calls, cpu_time what this process
// needed of it. Counters, of each repetition: p50_us, p90_us, p99_us, p999_us of a call;
// ratio_to_redis_benchmark, ratio_to_hiredis, ratio_to_mutex_map: our calls a second over those of
// the yardstick, which ran right before or after (yardsticks.hpp).
//
// Own flags: --redis=URL, a server that is there instead of one that is started (random key
// prefix, removed afterwards); --progress, lines for `leaselab bench`. --benchmark_min_time is the
// length of a batch in seconds; without it as much as fits into eight minutes, 0.1 to 2. Below
// 0.05 it is a smoke run, of a few shapes.
//
// Exit status: 0, 2 a server that cannot be used, 3 a wrong command line, 130 stopped by a signal.
#pragma once

#include <vector>

#include "providers/handed_in.hpp"

namespace leaselab::bench {

// The whole program, beside the built-in providers for those of `added` that have all operations.
// A live one is told a key prefix, and its leases are put in place by its own operations.
int provider_bench(int count, char** arguments, const std::vector<handed_in>& added = {});

}  // namespace leaselab::bench
