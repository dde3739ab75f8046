// Draws plans. Integers only, and fast: a world has to cost less to draw than to run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/search/profile.hpp"
#include "sim/deployment.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// A kind of world. `world_for` fills it in for a provider.
struct world_options {
  sim::workload_kind workload = sim::workload_kind::contend;
  const profile* faults = nullptr;
  std::vector<injection> injects;  // those of the profile that can occur
  bool fencing = false;            // writes go to a fenced resource
  bool incomplete = false;         // the backend lacks operations: what a no-op stands in for
  std::int64_t margin_ppm = 100'000;
  std::optional<std::uint32_t> processes, calls;  // calls: of one process
  std::optional<std::uint32_t> keys;
  std::optional<std::int64_t> ttl_ms;
  sim::client_policy client;                // of runtimes
  std::optional<sim::clock_bounds> clocks;  // instead of what the profile says
};

world_options world_for(sim::workload_kind workload, const profile& faults,
                        const guarantees& declared);

// Draws plan number `index` of `seed` into `out`, whose memory it reuses. Same arguments, same
// plan. The workload is any but directed; a strict client's rules
// hold in the first three: a token is used by one incarnation only, by nothing but releases and
// transfers once one of these was sent, and with one ttl.
void generate(const world_options& options, std::uint64_t seed, std::uint64_t index,
              sim::plan& out);

}  // namespace leaselab::properties
