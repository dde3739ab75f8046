// A decorator for backends that cannot move ownership atomically.
#pragma once

#include <memory>

#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab {

// Hands every operation on to its base, but makes transfer of two of them: release(from), then
// acquire(to), and answers what the acquire answers. Between the two the key is free for anyone.
//
// One limit covers both halves. Errors of a transfer: what the release ended with, as nothing
// more is sent after it; later ones are always info, even where the acquire definitely failed,
// because the release has had its effect.
class release_then_acquire final : public any_lease_provider {
 public:
  // `environment` outlives the provider. `adapt` makes a base of a provider that lives elsewhere.
  // The options give a transfer's limit; the other calls keep the base's own.
  release_then_acquire(leaselab::environment& environment, std::unique_ptr<any_lease_provider> base,
                       provider_options options = {})
      : environment_(environment), base_(std::move(base)), options_(std::move(options)) {}

  // What is left of the base's promises.
  static guarantees declare(guarantees base);

  any_lease_provider& get_lease_provider() { return *base_; }

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
  void close() override { base_->close(); }

 private:
  leaselab::environment& environment_;
  std::unique_ptr<any_lease_provider> base_;
  provider_options options_;
};

}  // namespace leaselab
