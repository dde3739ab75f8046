#include "cli/live/logged_calls.hpp"

#include <fmt/format.h>

namespace leaselab::cli::live {
namespace {

std::string name_of(int key) { return "k" + std::to_string(key); }

std::string holder(const std::optional<std::string>& owner) {
  return owner ? fmt::format(R"(,"holder":"{}")", *owner) : R"(,"holder":null)";
}

std::string result_of(const acquire_answer& got) {
  std::string text = fmt::format(R"(,"answer":{})", got.acquired);
  if (!got.acquired) text += holder(got.owner);
  if (got.acquired && got.token) text += fmt::format(R"(,"token":{})", *got.token);
  return text;
}

}  // namespace

awaitable<result<acquire_answer>> logged_calls::acquire(int key, std::string owner) {
  const auto call = log_.begin("acquire", key, owner);
  auto got = co_await provider_.acquire_lease(name_of(key), owner, ttl_);
  got ? log_.end(call, result_of(*got)) : log_.end(call, got.error());
  co_return got;
}

awaitable<result<bool>> logged_calls::renew(int key, std::string owner) {
  const auto call = log_.begin("renew", key, owner);
  auto got = co_await provider_.renew_lease(name_of(key), owner, ttl_);
  got ? log_.end(call, fmt::format(R"(,"answer":{})", *got)) : log_.end(call, got.error());
  co_return got;
}

awaitable<result<void>> logged_calls::release(int key, std::string owner, nanoseconds limit) {
  const auto call = log_.begin("release", key, owner);
  auto got = co_await provider_.release_lease(name_of(key), owner, call_options{limit});
  got ? log_.end(call, std::string()) : log_.end(call, got.error());
  co_return got;
}

awaitable<void> logged_calls::get(int key) {
  const auto call = log_.begin("get", key, {});
  const auto got = co_await provider_.get_lease_owner(name_of(key));
  got ? log_.end(call, holder(*got)) : log_.end(call, got.error());
}

}  // namespace leaselab::cli::live
