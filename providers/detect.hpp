// Structural detection: what a runtime gets out of an object whose type it need not know, and the
// visible fall back to the no-op provider.
//
// Any object that exposes all five operations is a lease provider; one that lacks any is not. A
// decorator hands on its inner object through `get_lease_provider()`, which is checked again. The
// outermost complete object wins.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "providers/adapt.hpp"

namespace leaselab {

// The entry points of one object, each possibly absent.
struct provider_entries {
  std::function<awaitable<result<acquire_answer>>(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options)>
      acquire_lease;
  std::function<awaitable<result<std::optional<std::string>>>(std::string key,
                                                              call_options options)>
      get_lease_owner;
  std::function<awaitable<result<void>>(std::string key, std::string owner, call_options options)>
      release_lease;
  std::function<awaitable<result<bool>>(std::string key, std::string owner, milliseconds ttl,
                                        call_options options)>
      renew_lease;
  std::function<awaitable<result<transfer_answer>>(
      std::string key, std::string from, std::string to, milliseconds ttl, call_options options)>
      transfer_lease;
  // Optional, and no part of what makes a provider.
  std::function<void()> close;
  // The inner object of a decorator. Unset in the answer: it has none at present.
  std::function<std::optional<provider_entries>()> get_lease_provider;
  // Whatever must live as long as the entries are called: an object, a library.
  std::shared_ptr<void> keep_alive;

  bool complete() const;
  // In the order of the contract.
  std::vector<operation> missing() const;
};

enum class detection : std::uint8_t {
  any_depth,  // the contract's: through decorators, at most max_detection_depth deep
  outermost,  // a client's mistake: whatever is wrapped is not found
};
inline constexpr int max_detection_depth = 64;

struct resolved_provider {
  std::unique_ptr<any_lease_provider> provider;  // never null
  bool fallback = false;                         // it is the no-op provider
  std::vector<operation> missing;                // what the outermost object lacks
  int depth = 0;                                 // how often it was handed on; 0 for the fallback
  std::string warning;                           // one line; empty unless it is the fallback
};

// Chooses a provider and calls none of its operations: so no error of a backend can lead to the
// fallback. What get_lease_provider() throws passes to the caller. A cycle of decorators ends like
// a chain that is too deep: not found. `environment` outlives the result.
resolved_provider resolve(provider_entries outermost, environment& environment,
                          provider_options options = {}, detection policy = detection::any_depth);

// The table of an object of any type, by the members it has. The object outlives its use; a smart
// pointer or an object that a decorator hands on by value is kept.
template <class Object>
provider_entries describe(Object& object);

// resolve(describe(object), ...)
template <class Object>
resolved_provider resolve_object(Object& object, environment& environment,
                                 provider_options options = {},
                                 detection policy = detection::any_depth) {
  return resolve(describe(object), environment, std::move(options), policy);
}

namespace describing {

template <class Object>
concept hands_on = requires(Object& object) {
  object.get_lease_provider();
}
&&!std::is_void_v<decltype(std::declval<Object&>().get_lease_provider())>;

template <class T>
concept pointer_like = requires(T& p) {
  static_cast<bool>(p);
  *p;
  requires std::is_pointer_v<T> || requires { p.get(); };
};

template <class Value>
std::optional<provider_entries> kept_inner(std::shared_ptr<Value> kept) {
  std::optional<provider_entries> entries;
  if constexpr (!pointer_like<Value>) {
    entries = describe(*kept);
  } else if (*kept) {
    entries = describe(**kept);
  }
  if (entries) entries->keep_alive = std::move(kept);
  return entries;
}

// What get_lease_provider() may answer: a table, a reference, a raw or smart pointer (null: none
// at present), or an object by value.
template <hands_on Object>
std::optional<provider_entries> inner_of(Object& object) {
  using answer = decltype(object.get_lease_provider());
  using value = std::remove_cvref_t<answer>;
  if constexpr (std::is_convertible_v<answer, std::optional<provider_entries>>) {
    return object.get_lease_provider();
  } else if constexpr (std::is_pointer_v<value>) {
    const auto inner = object.get_lease_provider();
    return inner ? std::optional(describe(*inner)) : std::nullopt;
  } else if constexpr (std::is_lvalue_reference_v<answer> && pointer_like<value>) {
    auto& inner = object.get_lease_provider();
    return inner ? std::optional(describe(*inner)) : std::nullopt;
  } else if constexpr (std::is_lvalue_reference_v<answer>) {
    return describe(object.get_lease_provider());
  } else {
    return kept_inner(std::make_shared<value>(object.get_lease_provider()));
  }
}

}  // namespace describing

template <class Object>
provider_entries describe(Object& object) {
  using seen = adapting::seen_as<Object>;
  seen* const p = std::addressof(object);
  provider_entries entries;
  if constexpr (has_acquire<seen>) {
    entries.acquire_lease = [p](std::string key, std::string owner, milliseconds ttl,
                                call_options options) {
      return adapting::acquire(p, std::move(key), std::move(owner), ttl, options);
    };
  }
  if constexpr (has_get<seen>) {
    entries.get_lease_owner = [p](std::string key, call_options options) {
      return adapting::get(p, std::move(key), options);
    };
  }
  if constexpr (has_release<seen>) {
    entries.release_lease = [p](std::string key, std::string owner, call_options options) {
      return adapting::release(p, std::move(key), std::move(owner), options);
    };
  }
  if constexpr (has_renew<seen>) {
    entries.renew_lease = [p](std::string key, std::string owner, milliseconds ttl,
                              call_options options) {
      return adapting::renew(p, std::move(key), std::move(owner), ttl, options);
    };
  }
  if constexpr (has_transfer<seen>) {
    entries.transfer_lease = [p](std::string key, std::string from, std::string to,
                                 milliseconds ttl, call_options options) {
      return adapting::transfer(p, std::move(key), std::move(from), std::move(to), ttl, options);
    };
  }
  if constexpr (has_close<seen>) entries.close = [p] { p->close(); };
  if constexpr (describing::hands_on<Object>) {
    entries.get_lease_provider = [&object] { return describing::inner_of(object); };
  }
  return entries;
}

}  // namespace leaselab
