// What the providers are held against, in the same minute on the same machine. All rates are
// calls a second; 0 where the yardstick does not apply or could not be run.
//
// For every provider a call's yardstick is the one command that the provider `redis` makes of it:
// so the ratio of one that needs three round trips shows what they cost.
#pragma once

#include "bench/callers.hpp"
#include "bench/server.hpp"

namespace leaselab::bench {

struct load {
  kind operation = kind::renew;
  std::string transport;
  int clients = 1;  // connections
  int depth = 1;    // callers on each
};

// Whether the operation is commands that can be repeated; a mix is not.
bool has_command(kind operation);

// redis-benchmark with as many connections and that pipeline, about `calls` of them. It cannot
// alternate between commands: acquire-release is half a run of each, where the release finds
// nothing (so it is cheaper than ours), and transfer is one to the owner itself.
double redis_benchmark_rate(server& on, const load& wanted, double calls);

// hiredis, one blocking round trip after the other.
double hiredis_rate(server& on, const load& wanted, steady::duration length);

// A std::map under a mutex, called directly.
double mutex_map_rate(kind operation, steady::duration length);

}  // namespace leaselab::bench
