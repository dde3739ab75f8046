#include "providers/pipe/host_task.hpp"

#include <utility>

#include "providers/call_rules.hpp"

namespace leaselab::pipe {

void host_environment::refuse() {
  child_.fail("it asks for something, and of scope host: such a child answers each call at once");
}

awaitable<void> host_environment::sleep_until(monotonic_time) {
  refuse();
  co_return;
}

awaitable<result<reply>> host_environment::send(command, monotonic_time) {
  refuse();
  co_return reply();
}

awaitable<result<void>> host_environment::step(monotonic_time) {
  refuse();
  co_return result<void>();
}

// What has to be refused is refused before a step: the child is asked at once.
awaitable<result<void>> host_task::turn(nanoseconds limit, bool lawful) {
  if (closed_) co_return definite(errc::closed);
  if (!lawful) co_return result<void>();
  co_return co_await environment_.step(deadline_after(environment_.now(), limit));
}

awaitable<result<acquire_answer>> host_task::acquire_lease(std::string key, std::string owner,
                                                           milliseconds ttl, call_options options) {
  const bool lawful = !refuse_arguments(key, owner, ttl);
  const auto stepped = co_await turn(limit_of(options, options_), lawful);
  if (!stepped) co_return stepped.error();
  co_return co_await host_->provider.acquire_lease(std::move(key), std::move(owner), ttl, options);
}

awaitable<result<std::optional<std::string>>> host_task::get_lease_owner(std::string key,
                                                                         call_options options) {
  const bool lawful = !refuse_key(key);
  const auto stepped = co_await turn(limit_of(options, options_), lawful);
  if (!stepped) co_return stepped.error();
  co_return co_await host_->provider.get_lease_owner(std::move(key), options);
}

awaitable<result<void>> host_task::release_lease(std::string key, std::string owner,
                                                 call_options options) {
  const bool lawful = !refuse_arguments(key, owner);
  const auto stepped = co_await turn(limit_of(options, options_), lawful);
  if (!stepped) co_return stepped.error();
  co_return co_await host_->provider.release_lease(std::move(key), std::move(owner), options);
}

awaitable<result<bool>> host_task::renew_lease(std::string key, std::string owner, milliseconds ttl,
                                               call_options options) {
  const bool lawful = !refuse_arguments(key, owner, ttl);
  const auto limit =
      lawful ? renewal_limit_of(options, options_, ttl) : limit_of(options, options_);
  const auto stepped = co_await turn(limit, lawful);
  if (!stepped) co_return stepped.error();
  co_return co_await host_->provider.renew_lease(std::move(key), std::move(owner), ttl, options);
}

awaitable<result<transfer_answer>> host_task::transfer_lease(std::string key, std::string from,
                                                             std::string to, milliseconds ttl,
                                                             call_options options) {
  const bool lawful = !refuse_arguments(key, from) && !refuse_arguments(key, to, ttl);
  const auto stepped = co_await turn(limit_of(options, options_), lawful);
  if (!stepped) co_return stepped.error();
  co_return co_await host_->provider.transfer_lease(std::move(key), std::move(from), std::move(to),
                                                    ttl, options);
}

}  // namespace leaselab::pipe
