// What every built-in provider does before a call begins: refuse, and fix the call's deadline.
// All sums saturate: a limit beyond the clock's range is no limit.
#pragma once

#include <algorithm>

#include "providers/lease_provider.hpp"

namespace leaselab {

inline std::optional<lease_error> refuse_key(const std::string& key) {
  if (key.empty()) return definite(errc::invalid_argument, "the key is empty");
  return std::nullopt;
}

inline nanoseconds limit_of(const call_options& call, const provider_options& provider) {
  return call.limit.value_or(provider.call_limit);
}

// A renewal gives up after ttl/3, so that the next one, sent at once after it, still has time.
inline nanoseconds renewal_limit_of(const call_options& call, const provider_options& provider,
                                    milliseconds ttl) {
  const auto limit = limit_of(call, provider);
  constexpr auto longest = std::chrono::duration_cast<milliseconds>(nanoseconds::max());
  return ttl >= longest ? limit : std::min(limit, nanoseconds(ttl) / 3);
}

// A negative limit counts as none left.
inline monotonic_time deadline_after(monotonic_time now, nanoseconds limit) {
  limit = std::max(limit, nanoseconds::zero());
  const auto room = now.time_since_epoch() > nanoseconds::zero()
                        ? nanoseconds::max() - now.time_since_epoch()
                        : nanoseconds::max();
  return limit >= room ? monotonic_time::max() : now + limit;
}

}  // namespace leaselab
