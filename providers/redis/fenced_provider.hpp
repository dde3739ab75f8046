// The provider `redis-fenced`: `redis` with a fencing token in the answers of acquire and transfer.
#pragma once

#include "providers/redis/redis_provider.hpp"

namespace leaselab {

// On one key a later record of another owner has a higher token. The counter at `fence_key` never
// expires; a refresh and a transfer to oneself keep their token.
class fenced_provider final : public redis_provider {
 public:
  using redis_provider::redis_provider;

  static guarantees declare();
  static std::vector<const script*> scripts();

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl,
                                                  call_options options = {}) override;
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options = {}) override;

 private:
  template <class... Arguments>
  command on_fenced_lease(const script& lua, const std::string& key,
                          Arguments&&... arguments) const {
    auto request =
        on_lease(lua, key, fence_key(options_.prefix, key), std::forward<Arguments>(arguments)...);
    request.key_count = 2;
    return request;
  }
};

}  // namespace leaselab
