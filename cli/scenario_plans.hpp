// The plans of a scenario for one provider: the one that it states, or as many as it explores.
#pragma once

#include <cstdint>
#include <string>

#include "properties/search/generate.hpp"
#include "properties/search/profile.hpp"
#include "scenarios/scenario.hpp"
#include "sim/deployment.hpp"

namespace leaselab::cli {

// "redis+published" is the provider "redis" under the client "published"; without a client the
// scenario's own.
std::string provider_part(const std::string& name);
sim::client_policy client_for(const scenarios::scenario& value, const std::string& name);

class scenario_plans {
 public:
  // `value` must outlive the plans.
  scenario_plans(const scenarios::scenario& value, const sim::variant& provider,
                 const sim::client_policy& client, std::uint64_t seed);

  std::uint64_t schedules() const;
  // What the file states, as this provider meets it.
  const sim::plan& stated() const { return directed_; }
  // Plan `index` of the scenario. The calls that the file states come first and keep their ids,
  // which are their places in it.
  sim::plan make(std::uint64_t index) const;

 private:
  sim::plan generated(std::uint64_t index) const;
  sim::plan with_drawn_faults(std::uint64_t index) const;
  properties::world_options world(std::uint64_t index) const;

  const scenarios::scenario& value_;
  const sim::variant& provider_;
  std::uint64_t seed_;
  sim::client_policy client_;
  sim::plan directed_;
  std::vector<properties::injection> injects_;
  properties::profile faults_;  // of the nemesis; without one, plain interleaving
};

// Puts the calls and faults of `drawn` behind those of `stated`, under ids of their own; what both
// name alike is the same process, key or owner.
sim::plan joined(sim::plan stated, const sim::plan& drawn);

}  // namespace leaselab::cli
