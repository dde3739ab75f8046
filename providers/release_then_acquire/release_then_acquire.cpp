#include "providers/release_then_acquire/release_then_acquire.hpp"

#include <utility>

#include "providers/call_rules.hpp"

namespace leaselab {

guarantees release_then_acquire::declare(guarantees base) {
  base.atomic_handoff = false;
  base.not_guaranteed.push_back({"handoff.*", "*"});
  base.not_guaranteed.push_back({"lease.linearizable", "*"});
  return base;
}

awaitable<result<acquire_answer>> release_then_acquire::acquire_lease(std::string key,
                                                                      std::string owner,
                                                                      milliseconds ttl,
                                                                      call_options options) {
  return base_->acquire_lease(std::move(key), std::move(owner), ttl, options);
}

awaitable<result<std::optional<std::string>>> release_then_acquire::get_lease_owner(
    std::string key, call_options options) {
  return base_->get_lease_owner(std::move(key), options);
}

awaitable<result<void>> release_then_acquire::release_lease(std::string key, std::string owner,
                                                            call_options options) {
  return base_->release_lease(std::move(key), std::move(owner), options);
}

awaitable<result<bool>> release_then_acquire::renew_lease(std::string key, std::string owner,
                                                          milliseconds ttl, call_options options) {
  return base_->renew_lease(std::move(key), std::move(owner), ttl, options);
}

awaitable<result<transfer_answer>> release_then_acquire::transfer_lease(
    std::string key, std::string from, std::string to, milliseconds ttl, call_options options) {
  if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
  if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
  options.limit = limit_of(options, options_);
  const auto deadline = deadline_after(environment_.now(), *options.limit);

  auto released = co_await base_->release_lease(key, std::move(from), options);
  if (!released) co_return released.error();

  options.limit = deadline - environment_.now();
  if (*options.limit <= nanoseconds::zero()) {
    co_return unknown(errc::timed_out, "after the release, before the acquire");
  }
  auto acquired = co_await base_->acquire_lease(std::move(key), std::move(to), ttl, options);
  if (!acquired) co_return unknown(acquired.error().code, acquired.error().text);
  co_return transfer_answer{acquired->acquired, acquired->token};
}

}  // namespace leaselab
