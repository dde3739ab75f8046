// The provider `memory`: leases among the tasks of one host.
#pragma once

#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"
#include "providers/memory/memory_store.hpp"

namespace leaselab {

// Every call: the argument rules, then whether it is closed, then one `step` of the environment,
// then the whole effect in that step. A call whose limit passes before its step ends as the
// environment says, without effect.
//
// The prefix of the options is not used: a store is a name space of its own.
class memory_provider : public any_lease_provider {
 public:
  // `environment` and `store` outlive the provider; many providers may share a store.
  memory_provider(leaselab::environment& environment, memory_store& store,
                  provider_options options = {})
      : environment_(environment), store_(store), options_(std::move(options)) {}

  static guarantees declare();
  // One store for each process instead of one for all: the code is the same, the deployment
  // leaves the scope, and nothing is promised across processes.
  static guarantees declare_per_process();

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

 protected:
  leaselab::environment& environment_;
  memory_store& store_;
  provider_options options_;
  bool closed_ = false;
};

}  // namespace leaselab
