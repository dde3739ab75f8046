#include "providers/redis/redis_provider.hpp"

#include <stdexcept>

#include "providers/call_rules.hpp"
#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab {
namespace {

constexpr std::string_view separator = ":lease:";

std::string stem_of(const std::string& prefix) {
  auto stem = prefix;
  stem += separator;
  if (stem.find(separator) != prefix.size()) {
    throw std::invalid_argument("the prefix must not contain or end in \":lease:\": " + prefix);
  }
  return stem;
}

}  // namespace

std::string lease_key(std::string_view prefix, std::string_view key) {
  std::string name;
  name.reserve(prefix.size() + separator.size() + key.size());
  name.append(prefix).append(separator).append(key);
  return name;
}

std::string fence_key(std::string_view prefix, std::string_view key) {
  return "{" + lease_key(prefix, key) + "}:fence";
}

redis_provider::redis_provider(leaselab::environment& environment, provider_options options)
    : environment_(environment), options_(std::move(options)), stem_(stem_of(options_.prefix)) {}

guarantees redis_provider::declare() {
  guarantees declared;
  declared.runs_scripts = true;
  return declared;
}

std::vector<const script*> redis_provider::scripts() {
  return {&redis_scripts::acquire(), &redis_scripts::release(), &redis_scripts::renew(),
          &redis_scripts::transfer()};
}

command redis_provider::by_text(command request) {
  request.by_text = true;
  return request;
}

monotonic_time redis_provider::deadline_of(const call_options& call) const {
  return deadline_after(environment_.now(), limit_of(call, options_));
}

// The two sends stand in each operation rather than in a coroutine of their own: that would cost
// every call one more frame.

awaitable<result<acquire_answer>> redis_provider::acquire_lease(std::string key, std::string owner,
                                                                milliseconds ttl,
                                                                call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto request = [&] {
    return on_lease(redis_scripts::acquire(), key, owner, std::to_string(ttl.count()));
  };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  co_return redis_replies::acquire(std::move(answer), false);
}

awaitable<result<std::optional<std::string>>> redis_provider::get_lease_owner(
    std::string key, call_options options) {
  if (auto refusal = refuse_key(key)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  command request;
  request.words.emplace_back("GET");
  request.words.push_back(name_of(key));
  auto answer = co_await environment_.send(std::move(request), deadline_of(options));
  co_return redis_replies::text_or_none(std::move(answer));
}

awaitable<result<void>> redis_provider::release_lease(std::string key, std::string owner,
                                                      call_options options) {
  if (auto refusal = refuse_arguments(key, owner)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto request = [&] { return on_lease(redis_scripts::release(), key, owner); };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  const auto removed = redis_replies::flag(answer);
  if (!removed) co_return removed.error();
  co_return result<void>();
}

awaitable<result<bool>> redis_provider::renew_lease(std::string key, std::string owner,
                                                    milliseconds ttl, call_options options) {
  if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto limit = renewal_limit_of(options, options_, ttl);
  const auto deadline = deadline_after(environment_.now(), limit);
  const auto request = [&] {
    return on_lease(redis_scripts::renew(), key, owner, std::to_string(ttl.count()));
  };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  co_return redis_replies::flag(answer);
}

awaitable<result<transfer_answer>> redis_provider::transfer_lease(std::string key, std::string from,
                                                                  std::string to, milliseconds ttl,
                                                                  call_options options) {
  if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
  if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_of(options);
  const auto request = [&] {
    return on_lease(redis_scripts::transfer(), key, from, to, std::to_string(ttl.count()));
  };
  auto answer = co_await environment_.send(request(), deadline);
  if (redis_replies::script_missing(answer)) {
    answer = co_await environment_.send(by_text(request()), deadline);
  }
  const auto moved = redis_replies::flag(answer);
  if (!moved) co_return moved.error();
  co_return transfer_answer{*moved, std::nullopt};
}

}  // namespace leaselab
