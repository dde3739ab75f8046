#include "providers/noop/noop_provider.hpp"

#include <utility>

#include "providers/call_rules.hpp"

namespace leaselab {

guarantees noop_provider::declare() {
  guarantees declared;
  declared.scope = scope::none;
  declared.reading = expiry_reading::at;
  declared.atomic_handoff = false;
  for (const char* property :
       {"single_owner.*", "handoff.*", "lease.*", "acquire.*", "release.*", "renew.*", "expiry.*",
        "key.*", "argument.*", "progress.*", "run.*", "signal.*"}) {
    declared.not_guaranteed.push_back({property, "*"});
  }
  // There is no lease for a run to be covered by or to lose, and no backend for faults to hit.
  declared.not_applicable = {{"run.covered", "*"}, {"loss.noticed", "*"}};
  for (const char* profile : {"lossy", "partition", "scripts", "backend-clock", "backend-restart",
                              "failover", "eviction"}) {
    declared.not_applicable.push_back({"*", profile});
  }
  return declared;
}

awaitable<result<acquire_answer>> noop_provider::acquire_lease(std::string key, std::string owner,
                                                               milliseconds ttl,
                                                               call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return acquire_answer{true, std::nullopt, std::nullopt};
}

awaitable<result<std::optional<std::string>>> noop_provider::get_lease_owner(std::string key,
                                                                             call_options options) {
  if (auto refusal = refuse_key(key)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return std::optional<std::string>();
}

awaitable<result<void>> noop_provider::release_lease(std::string key, std::string owner,
                                                     call_options options) {
  if (auto refusal = refuse_arguments(key, owner)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  co_return co_await environment_.step(deadline);
}

awaitable<result<bool>> noop_provider::renew_lease(std::string key, std::string owner,
                                                   milliseconds ttl, call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto limit = renewal_limit_of(options, options_, ttl);
  auto stepped = co_await environment_.step(deadline_after(environment_.now(), limit));
  if (!stepped) co_return stepped.error();
  co_return true;
}

awaitable<result<transfer_answer>> noop_provider::transfer_lease(std::string key, std::string from,
                                                                 std::string to, milliseconds ttl,
                                                                 call_options options) {
  if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
  if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
  auto stepped = co_await environment_.step(deadline);
  if (!stepped) co_return stepped.error();
  co_return transfer_answer{true, std::nullopt};
}

}  // namespace leaselab
