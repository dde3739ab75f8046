// A provider's calls as a worker makes them: each written down when it begins and when it ends.
#pragma once

#include "cli/live/worker_log.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab::cli::live {

class logged_calls {
 public:
  logged_calls(any_lease_provider& provider, worker_log& log, milliseconds ttl)
      : provider_(provider), log_(log), ttl_(ttl) {}

  awaitable<result<acquire_answer>> acquire(int key, std::string owner);
  awaitable<result<bool>> renew(int key, std::string owner);
  awaitable<result<void>> release(int key, std::string owner, nanoseconds limit);
  awaitable<void> get(int key);

 private:
  any_lease_provider& provider_;
  worker_log& log_;
  const milliseconds ttl_;
};

}  // namespace leaselab::cli::live
