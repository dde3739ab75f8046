#include "providers/memory/memory_provider.hpp"

#include <utility>

#include "providers/declaration.hpp"

#include "providers/call_rules.hpp"

namespace leaselab {

guarantees memory_provider::declare() {
  guarantees declared;
  declared.scope = scope::host;
  declared.reading = expiry_reading::at;
  declare_within_host(declared);
  return declared;
}

guarantees memory_provider::declare_per_process() {
  auto declared = declare();
  declared.not_guaranteed.push_back({"*", "*"});
  return declared;
}

awaitable<result<acquire_answer>> memory_provider::acquire_lease(std::string key, std::string owner,
                                                                 milliseconds ttl,
                                                                 call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return store_.acquire(std::move(key), std::move(owner), ttl);
}

awaitable<result<std::optional<std::string>>> memory_provider::get_lease_owner(
    std::string key, call_options options) {
  if (auto refusal = refuse_key(key)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return store_.owner_of(key);
}

awaitable<result<void>> memory_provider::release_lease(std::string key, std::string owner,
                                                       call_options options) {
  if (auto refusal = refuse_arguments(key, owner)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  store_.release(key, owner);
  co_return stepped;
}

awaitable<result<bool>> memory_provider::renew_lease(std::string key, std::string owner,
                                                     milliseconds ttl, call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto limit = renewal_limit_of(options, options_, ttl);
  auto stepped = co_await environment_.step(deadline_after(environment_.now(), limit));
  if (!stepped) co_return stepped.error();
  co_return store_.renew(key, owner, ttl);
}

awaitable<result<transfer_answer>> memory_provider::transfer_lease(std::string key,
                                                                   std::string from, std::string to,
                                                                   milliseconds ttl,
                                                                   call_options options) {
  if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
  if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return transfer_answer{store_.transfer(key, from, std::move(to), ttl), std::nullopt};
}

}  // namespace leaselab
