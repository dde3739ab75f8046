#include "providers/redis/fenced_provider.hpp"

#include <utility>

#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab {

guarantees fenced_provider::declare() {
  auto declared = redis_provider::declare();
  declared.fencing = true;
  return declared;
}

std::vector<const script*> fenced_provider::scripts() {
  return {&redis_scripts::fenced_acquire(), &redis_scripts::release(), &redis_scripts::renew(),
          &redis_scripts::fenced_transfer()};
}

awaitable<result<acquire_answer>> fenced_provider::acquire_lease(std::string key, std::string owner,
                                                                 milliseconds ttl,
                                                                 call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto request = [&] {
    return on_fenced_lease(redis_scripts::fenced_acquire(), key, owner,
                           std::to_string(ttl.count()));
  };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  co_return redis_replies::acquire(std::move(answer), true);
}

awaitable<result<transfer_answer>> fenced_provider::transfer_lease(std::string key,
                                                                   std::string from, std::string to,
                                                                   milliseconds ttl,
                                                                   call_options options) {
  if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
  if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto request = [&] {
    return on_fenced_lease(redis_scripts::fenced_transfer(), key, from, to,
                           std::to_string(ttl.count()));
  };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  const auto token = redis_replies::count(answer);
  if (!token) co_return token.error();
  if (*token == 0) co_return transfer_answer{false, std::nullopt};
  co_return transfer_answer{true, *token};
}

}  // namespace leaselab
