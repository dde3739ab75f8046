#include "providers/plugin/plugin_provider.hpp"

#include "providers/call_rules.hpp"
#include "providers/plugin/entered.hpp"

namespace leaselab::plugin {
namespace {

lease_text text_of(const std::string& from) { return {from.data(), from.size()}; }

}  // namespace

plugin_provider::plugin_provider(environment& environment, granule_clock& host_clock,
                                 std::shared_ptr<const host_memory> shared,
                                 std::shared_ptr<stack_pool> stacks, provider_options options)
    : environment_(environment),
      host_clock_(host_clock),
      shared_(std::move(shared)),
      stacks_(std::move(stacks)),
      options_(std::move(options)) {
  const auto create = shared_->of().entry.create;
  const lease_setup setup{sizeof(lease_setup), LEASE_PLUGIN_VERSION, text_of(options_.prefix),
                          shared_->shared()};
  if (create == nullptr) return;
  const entered here({nullptr, shared_->of().path().c_str(), "lease_plugin_create", nullptr});
  instance_ = create(&setup);
}

plugin_provider::~plugin_provider() {
  const auto destroy = shared_->of().entry.destroy;
  if (destroy == nullptr) return;
  const entered here({nullptr, shared_->of().path().c_str(), "lease_plugin_destroy", nullptr});
  destroy(instance_);
}

surroundings plugin_provider::around() const {
  return {shared_->of(), environment_, host_clock_, *stacks_, instance_, text_of(options_.prefix)};
}

template <class Enter>
awaitable<result<said>> plugin_provider::call(operation what, nanoseconds limit,
                                              const Enter& enter) {
  if (closed_) co_return definite(errc::closed);
  plugin_call call(around(), what, limit, enter);
  for (call.go_on(); !call.returned(); call.go_on()) co_await call.grant();
  said answer = call.take();
  if (answer.outcome > LEASE_YES) co_return std::move(answer.error);
  co_return answer;
}

// What enters the library is named: it lies in the coroutine's frame as long as the call.

awaitable<result<acquire_answer>> plugin_provider::acquire_lease(std::string key, std::string owner,
                                                                 milliseconds ttl,
                                                                 call_options options) {
  const auto enter = [&](lease_call* call) {
    return shared_->of().entry.acquire_lease(call, text_of(key), text_of(owner), ttl.count());
  };
  const auto limit = limit_of(options, options_);
  auto answer = co_await call(operation::acquire, limit, enter);
  if (!answer) co_return answer.error();
  co_return acquire_answer{answer->outcome == LEASE_YES, std::move(answer->owner), answer->token};
}

awaitable<result<std::optional<std::string>>> plugin_provider::get_lease_owner(
    std::string key, call_options options) {
  const auto enter = [&](lease_call* call) {
    return shared_->of().entry.get_lease_owner(call, text_of(key));
  };
  const auto limit = limit_of(options, options_);
  auto answer = co_await call(operation::get, limit, enter);
  if (!answer) co_return answer.error();
  std::optional<std::string> owner;
  if (answer->outcome == LEASE_YES) owner = std::move(answer->owner);
  co_return owner;
}

awaitable<result<void>> plugin_provider::release_lease(std::string key, std::string owner,
                                                       call_options options) {
  const auto enter = [&](lease_call* call) {
    return shared_->of().entry.release_lease(call, text_of(key), text_of(owner));
  };
  const auto limit = limit_of(options, options_);
  auto answer = co_await call(operation::release, limit, enter);
  if (!answer) co_return answer.error();
  co_return result<void>();
}

awaitable<result<bool>> plugin_provider::renew_lease(std::string key, std::string owner,
                                                     milliseconds ttl, call_options options) {
  const auto enter = [&](lease_call* call) {
    return shared_->of().entry.renew_lease(call, text_of(key), text_of(owner), ttl.count());
  };
  const auto limit = renewal_limit_of(options, options_, ttl);
  auto answer = co_await call(operation::renew, limit, enter);
  if (!answer) co_return answer.error();
  co_return answer->outcome == LEASE_YES;
}

awaitable<result<transfer_answer>> plugin_provider::transfer_lease(std::string key,
                                                                   std::string from, std::string to,
                                                                   milliseconds ttl,
                                                                   call_options options) {
  const auto enter = [&](lease_call* call) {
    return shared_->of().entry.transfer_lease(call, text_of(key), text_of(from), text_of(to),
                                              ttl.count());
  };
  const auto limit = limit_of(options, options_);
  auto answer = co_await call(operation::transfer, limit, enter);
  if (!answer) co_return answer.error();
  co_return transfer_answer{answer->outcome == LEASE_YES, answer->token};
}

}  // namespace leaselab::plugin
