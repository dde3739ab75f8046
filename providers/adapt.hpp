// Providers known by their type: which of the five operations a type has, and how any type that
// has them all becomes an `any_lease_provider`.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "providers/lease_provider.hpp"

namespace leaselab {

// Each asks for one operation by its name and exact result; base classes play no part.
template <class P>
concept has_acquire = requires(P& p, milliseconds ttl) {
  {
    p.acquire_lease(std::string(), std::string(), ttl)
    } -> std::same_as<awaitable<result<acquire_answer>>>;
};
template <class P>
concept has_get = requires(P& p) {
  {
    p.get_lease_owner(std::string())
    } -> std::same_as<awaitable<result<std::optional<std::string>>>>;
};
template <class P>
concept has_release = requires(P& p) {
  { p.release_lease(std::string(), std::string()) } -> std::same_as<awaitable<result<void>>>;
};
template <class P>
concept has_renew = requires(P& p, milliseconds ttl) {
  { p.renew_lease(std::string(), std::string(), ttl) } -> std::same_as<awaitable<result<bool>>>;
};
template <class P>
concept has_transfer = requires(P& p, milliseconds ttl) {
  {
    p.transfer_lease(std::string(), std::string(), std::string(), ttl)
    } -> std::same_as<awaitable<result<transfer_answer>>>;
};
template <class P>
concept has_close = requires(P& p) {
  p.close();
};

namespace adapting {

template <class T>
awaitable<result<T>> ended(lease_error error) {
  co_return std::move(error);
}

// Calls with options where the type takes them. Each is a coroutine, and so costs a frame, because
// the type may take its arguments by reference: the frame keeps them alive for the whole call.
template <has_acquire P>
awaitable<result<acquire_answer>> acquire(P* p, std::string key, std::string owner,
                                          milliseconds ttl, call_options options) {
  if constexpr (requires { p->acquire_lease(std::move(key), std::move(owner), ttl, options); }) {
    co_return co_await p->acquire_lease(std::move(key), std::move(owner), ttl, options);
  } else {
    co_return co_await p->acquire_lease(std::move(key), std::move(owner), ttl);
  }
}

template <has_get P>
awaitable<result<std::optional<std::string>>> get(P* p, std::string key, call_options options) {
  if constexpr (requires { p->get_lease_owner(std::move(key), options); }) {
    co_return co_await p->get_lease_owner(std::move(key), options);
  } else {
    co_return co_await p->get_lease_owner(std::move(key));
  }
}

template <has_release P>
awaitable<result<void>> release(P* p, std::string key, std::string owner, call_options options) {
  if constexpr (requires { p->release_lease(std::move(key), std::move(owner), options); }) {
    co_return co_await p->release_lease(std::move(key), std::move(owner), options);
  } else {
    co_return co_await p->release_lease(std::move(key), std::move(owner));
  }
}

template <has_renew P>
awaitable<result<bool>> renew(P* p, std::string key, std::string owner, milliseconds ttl,
                              call_options options) {
  if constexpr (requires { p->renew_lease(std::move(key), std::move(owner), ttl, options); }) {
    co_return co_await p->renew_lease(std::move(key), std::move(owner), ttl, options);
  } else {
    co_return co_await p->renew_lease(std::move(key), std::move(owner), ttl);
  }
}

template <has_transfer P>
awaitable<result<transfer_answer>> transfer(P* p, std::string key, std::string from, std::string to,
                                            milliseconds ttl, call_options options) {
  if constexpr (requires {
                  p->transfer_lease(std::move(key), std::move(from), std::move(to), ttl, options);
                }) {
    co_return co_await p->transfer_lease(std::move(key), std::move(from), std::move(to), ttl,
                                         options);
  } else {
    co_return co_await p->transfer_lease(std::move(key), std::move(from), std::move(to), ttl);
  }
}

// These take their arguments by value already.
inline awaitable<result<acquire_answer>> acquire(any_lease_provider* p, std::string key,
                                                 std::string owner, milliseconds ttl,
                                                 call_options options) {
  return p->acquire_lease(std::move(key), std::move(owner), ttl, options);
}
inline awaitable<result<std::optional<std::string>>> get(any_lease_provider* p, std::string key,
                                                         call_options options) {
  return p->get_lease_owner(std::move(key), options);
}
inline awaitable<result<void>> release(any_lease_provider* p, std::string key, std::string owner,
                                       call_options options) {
  return p->release_lease(std::move(key), std::move(owner), options);
}
inline awaitable<result<bool>> renew(any_lease_provider* p, std::string key, std::string owner,
                                     milliseconds ttl, call_options options) {
  return p->renew_lease(std::move(key), std::move(owner), ttl, options);
}
inline awaitable<result<transfer_answer>> transfer(any_lease_provider* p, std::string key,
                                                   std::string from, std::string to,
                                                   milliseconds ttl, call_options options) {
  return p->transfer_lease(std::move(key), std::move(from), std::move(to), ttl, options);
}

// P seen as its base where that is an any_lease_provider, else as it is.
template <class P>
using seen_as = std::conditional_t<std::derived_from<P, any_lease_provider>, any_lease_provider, P>;

}  // namespace adapting

// Hands on to a provider it holds (Held = P) or refers to (Held = P&). A type without `close` is
// closed here: calls after it are not passed on. A type without `call_options` keeps no limit.
template <class Held>
requires lease_provider<std::remove_reference_t<Held>>
class adapted_provider final : public any_lease_provider {
 public:
  explicit adapted_provider(Held&& held) : held_(std::forward<Held>(held)) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl,
                                                  call_options options = {}) override {
    if (closed_) return adapting::ended<acquire_answer>(definite(errc::closed));
    return adapting::acquire(&held_, std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(
      std::string key, call_options options = {}) override {
    if (closed_) return adapting::ended<std::optional<std::string>>(definite(errc::closed));
    return adapting::get(&held_, std::move(key), options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options = {}) override {
    if (closed_) return adapting::ended<void>(definite(errc::closed));
    return adapting::release(&held_, std::move(key), std::move(owner), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options = {}) override {
    if (closed_) return adapting::ended<bool>(definite(errc::closed));
    return adapting::renew(&held_, std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options = {}) override {
    if (closed_) return adapting::ended<transfer_answer>(definite(errc::closed));
    return adapting::transfer(&held_, std::move(key), std::move(from), std::move(to), ttl, options);
  }
  void close() override {
    if constexpr (has_close<std::remove_reference_t<Held>>) {
      held_.close();
    } else {
      closed_ = true;
    }
  }

 private:
  Held held_;
  bool closed_ = false;
};

// A handle on a provider that lives elsewhere and outlives it.
template <class P>
requires lease_provider<adapting::seen_as<P>> std::unique_ptr<any_lease_provider> adapt(
    P& provider) {
  return std::make_unique<adapted_provider<adapting::seen_as<P>&>>(provider);
}

// A provider of its own out of a value. One that is an any_lease_provider already needs no handle.
template <class P>
requires lease_provider<adapting::seen_as<P>> std::unique_ptr<any_lease_provider> make_provider(
    P value) {
  if constexpr (std::derived_from<P, any_lease_provider>) {
    return std::make_unique<P>(std::move(value));
  } else {
    return std::make_unique<adapted_provider<P>>(std::move(value));
  }
}

}  // namespace leaselab
