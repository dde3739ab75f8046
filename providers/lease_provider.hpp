// The contract: who owns a key. Five operations, as a concept for values and as a type-erased
// handle. What each promises is docs/PROVIDERS.md, "The contract".
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "providers/environment.hpp"
#include "providers/error.hpp"

namespace leaselab {

enum class operation : std::uint8_t { acquire, get, release, renew, transfer };
inline constexpr int operation_count = 5;
// The contract's names: "acquire_lease", "get_lease_owner", ...
std::string_view to_string(operation value);

struct acquire_answer {
  bool acquired = false;
  std::optional<std::string> owner;    // a denial names the live owner
  std::optional<std::uint64_t> token;  // extension: fencing token of the record after the step
  bool operator==(const acquire_answer&) const = default;
};

struct transfer_answer {
  bool moved = false;
  std::optional<std::uint64_t> token;
  bool operator==(const transfer_answer&) const = default;
};

// Of one call. `limit` is counted on the process's monotonic clock; unset: the provider's own.
struct call_options {
  std::optional<nanoseconds> limit;
};

// ttl is a whole number of milliseconds in [1, 2^53 - 1]; key and owner are not empty.
inline constexpr std::int64_t max_ttl_ms = (std::int64_t{1} << 53) - 1;

struct provider_options {
  std::string prefix = "leaselab";  // must not contain ":lease:"
  nanoseconds call_limit = std::chrono::seconds(5);
};

template <class P>
concept lease_provider = requires(P& p, std::string s, milliseconds ttl) {
  { p.acquire_lease(s, s, ttl) } -> std::same_as<awaitable<result<acquire_answer>>>;
  { p.get_lease_owner(s) } -> std::same_as<awaitable<result<std::optional<std::string>>>>;
  { p.release_lease(s, s) } -> std::same_as<awaitable<result<void>>>;
  { p.renew_lease(s, s, ttl) } -> std::same_as<awaitable<result<bool>>>;
  { p.transfer_lease(s, s, s, ttl) } -> std::same_as<awaitable<result<transfer_answer>>>;
};

// The type-erased provider. Calls may overlap. Destroying it with calls open is allowed only after
// their coroutines are gone.
class any_lease_provider {
 public:
  virtual ~any_lease_provider() = default;
  virtual awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                          milliseconds ttl,
                                                          call_options options = {}) = 0;
  virtual awaitable<result<std::optional<std::string>>> get_lease_owner(
      std::string key, call_options options = {}) = 0;
  virtual awaitable<result<void>> release_lease(std::string key, std::string owner,
                                                call_options options = {}) = 0;
  virtual awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                              call_options options = {}) = 0;
  virtual awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                            std::string to, milliseconds ttl,
                                                            call_options options = {}) = 0;
  // Calls made after it end fail `closed`. Idempotent.
  virtual void close() = 0;
};

// The argument rules, the same in every provider. Unset: the arguments are lawful.
std::optional<lease_error> refuse_arguments(const std::string& key, const std::string& owner);
std::optional<lease_error> refuse_arguments(const std::string& key, const std::string& owner,
                                            milliseconds ttl);

}  // namespace leaselab
