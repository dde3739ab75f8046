// The no-op provider: what a runtime falls back to when its backend is no lease provider.
#pragma once

#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab {

// Keeps the behaviour of a single process and coordinates nothing: acquire, renew and transfer
// succeed for every caller, get answers none, release does nothing. Arguments are refused and a
// closed provider fails as everywhere. Every call makes one `step`, so that calls interleave.
class noop_provider final : public any_lease_provider {
 public:
  // `environment` outlives the provider.
  explicit noop_provider(leaselab::environment& environment, provider_options options = {})
      : environment_(environment), options_(std::move(options)) {}

  // Nothing but noop.*.
  static guarantees declare();

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl,
                                                  call_options options = {}) override;
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options = {}) override;
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options = {}) override;
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options = {}) override;
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options = {}) override;
  void close() override { closed_ = true; }

 private:
  leaselab::environment& environment_;
  provider_options options_;
  bool closed_ = false;
};

}  // namespace leaselab
