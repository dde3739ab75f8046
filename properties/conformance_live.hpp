// The contract suite on real time, against any provider: through environment_asio, on as many
// connections as there are processes.
//
// It never takes the machine's slowness for the provider's fault. Where an expectation depends on a
// deadline, the deadline is known only within the call that set it: "alive" counts when the call
// ended before the earliest it can be, "over" waits for the latest. A case that came too late is
// made again with everything stretched to twice its length.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "properties/conformance.hpp"
#include "providers/environment_asio.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab::properties::conformance {

struct live_setup {
  environment_asio_options where;
  guarantees declared;
  // Makes the provider of one process. What it refers to besides the environment outlives the run.
  std::function<std::unique_ptr<any_lease_provider>(environment&, provider_options)> make;
  // Keys begin with it; different for every run on one backend, or old leases get in the way.
  std::string prefix = "leaselab-conform";
  int stretch = 2;   // how many times as long as in the simulator the first attempt takes; >= 1
  int attempts = 5;  // each twice as long as the one before
};

// All cases, a row each, in the order of cases(); those that need exact instants are not run. All
// run at the same time, each on keys of its own, so that it takes about as long as the longest.
// Calls that the backend could not be asked for (refused, lost, timed out) depart from nothing:
// they leave their case not run.
std::vector<row> run_live(const live_setup& setup);

}  // namespace leaselab::properties::conformance
