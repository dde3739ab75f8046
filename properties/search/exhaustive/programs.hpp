// What the processes of an exhaustive search do: every program of a strict client on one lease, up
// to a length, and every line-up of processes that run them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan.hpp"

namespace leaselab::properties {

// A sequence of acquire, renew, transfer, release. It begins with an acquire; what was released is
// asked for again under a fresh token; a transfer hands the lease to another token of the process.
using program = std::vector<sim::verb>;
std::vector<program> programs_of(std::uint32_t calls);

// Which program each process runs, by number. `symmetric`: without those that differ in the names
// of processes only.
using lineup = std::vector<std::uint32_t>;
std::vector<lineup> lineups_of(std::size_t programs, std::uint32_t processes, bool symmetric);

struct small_scope {
  std::uint32_t processes = 2;
  std::uint32_t calls = 3;
  std::int64_t ttl_ms = 100;
  std::int64_t margin_ppm = 100'000;
  bool fencing = false;
};
// The plan: every start, request and local step may come as late as anybody likes, no call gives
// up but a renewal that a provider gives up by itself, all clocks run alike.
sim::plan plan_of(const small_scope& scope, const std::vector<program>& programs,
                  const lineup& who);

}  // namespace leaselab::properties
