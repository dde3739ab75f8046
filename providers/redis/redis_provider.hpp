// The provider `redis`: every operation is one Lua script, get is one GET.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab {

// The names of a lease in Redis. `fence_key` is the counter of its tokens.
// On a cluster both share a hash slot as long as the lease's name has no `}`; where it has one,
// the server refuses fenced calls with CROSSSLOT (fail, redirected).
std::string lease_key(std::string_view prefix, std::string_view key);
std::string fence_key(std::string_view prefix, std::string_view key);

// A call goes by EVALSHA and is repeated once, with the text, after NOSCRIPT; nothing else is
// ever sent twice. One deadline, fixed when the call begins, covers all its trips.
//
// Errors: what the trip ended with; fail with the reply's text where the server refused (loading,
// read_only, out_of_memory, busy, redirected, backend_error for all others); info protocol for a
// reply that is no answer.
class redis_provider : public any_lease_provider {
 public:
  // `environment` outlives the provider. Throws std::invalid_argument when the prefix contains
  // ":lease:" or ends in ":lease": its keys could meet those of a shorter prefix.
  explicit redis_provider(leaselab::environment& environment, provider_options options = {});

  static guarantees declare();
  // What a warm script cache holds.
  static std::vector<const script*> scripts();

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
  template <class... Arguments>
  command on_lease(const script& lua, const std::string& key, Arguments&&... arguments) const {
    command request;
    request.lua = &lua;
    request.words.push_back(name_of(key));
    (request.words.emplace_back(std::forward<Arguments>(arguments)), ...);
    return request;
  }
  static command by_text(command request);

  std::string name_of(const std::string& key) const { return stem_ + key; }
  monotonic_time deadline_of(const call_options& call) const;

  leaselab::environment& environment_;
  const provider_options options_;
  bool closed_ = false;

 private:
  const std::string stem_;  // how every lease's name begins
};

}  // namespace leaselab
