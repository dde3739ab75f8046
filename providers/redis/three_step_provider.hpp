// The provider `redis-three-step`: acquire in up to three round trips, as Mastra publishes it.
#pragma once

#include "providers/redis/redis_provider.hpp"

namespace leaselab {

// Acquire: SET NX PX; if the key is taken, the refresh script; if that finds another owner, GET,
// to name it. Each trip is atomic, the call is not: a lease that ends between two of them makes
// the answer {false, none}, {false, the caller itself}, or refuses a lone owner near its deadline.
//
// Once a trip has proved that nothing was changed, an error is that of the trip after it.
class three_step_provider final : public redis_provider {
 public:
  using redis_provider::redis_provider;

  static guarantees declare();
  static std::vector<const script*> scripts();

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl,
                                                  call_options options = {}) override;
};

}  // namespace leaselab
