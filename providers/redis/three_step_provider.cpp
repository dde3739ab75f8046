#include "providers/redis/three_step_provider.hpp"

#include <utility>

#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab {
namespace {

template <class... Words>
command plain(Words&&... words) {
  command request;
  (request.words.emplace_back(std::forward<Words>(words)), ...);
  return request;
}

acquire_answer granted() { return {true, std::nullopt, std::nullopt}; }

}  // namespace

guarantees three_step_provider::declare() {
  auto declared = redis_provider::declare();
  declared.acquire_trips = 3;
  for (const char* property :
       {"acquire.honest_denial", "acquire.idempotent", "lease.linearizable"}) {
    declared.not_guaranteed.push_back({property, "*"});
  }
  return declared;
}

std::vector<const script*> three_step_provider::scripts() {
  return {&redis_scripts::refresh(), &redis_scripts::release(), &redis_scripts::renew(),
          &redis_scripts::transfer()};
}

awaitable<result<acquire_answer>> three_step_provider::acquire_lease(std::string key,
                                                                     std::string owner,
                                                                     milliseconds ttl,
                                                                     call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto ttl_ms = std::to_string(ttl.count());

  auto answer =
      co_await environment_.send(plain("SET", name_of(key), owner, "NX", "PX", ttl_ms), deadline);
  const auto set = redis_replies::was_set(answer);
  if (!set) co_return set.error();
  if (*set) co_return granted();

  const auto refresh = [&] { return on_lease(redis_scripts::refresh(), key, owner, ttl_ms); };
  answer = co_await environment_.send(refresh(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(refresh()), deadline);
  }
  const auto refreshed = redis_replies::flag(answer);
  if (!refreshed) co_return refreshed.error();
  if (*refreshed) co_return granted();

  answer = co_await environment_.send(plain("GET", name_of(key)), deadline);
  auto holder = redis_replies::text_or_none(std::move(answer));
  if (!holder) co_return holder.error();
  co_return acquire_answer{false, std::move(*holder), std::nullopt};
}

}  // namespace leaselab
