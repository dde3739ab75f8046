#include "providers/lease_provider.hpp"

#include <fmt/format.h>

namespace leaselab {

std::string_view to_string(operation value) {
  switch (value) {
    case operation::acquire:
      return "acquire_lease";
    case operation::get:
      return "get_lease_owner";
    case operation::release:
      return "release_lease";
    case operation::renew:
      return "renew_lease";
    case operation::transfer:
      return "transfer_lease";
  }
  return "?";
}

std::optional<lease_error> refuse_arguments(const std::string& key, const std::string& owner) {
  if (key.empty()) return definite(errc::invalid_argument, "the key is empty");
  if (owner.empty()) return definite(errc::invalid_argument, "the owner is empty");
  return std::nullopt;
}

std::optional<lease_error> refuse_arguments(const std::string& key, const std::string& owner,
                                            milliseconds ttl) {
  if (auto refusal = refuse_arguments(key, owner)) return refusal;
  if (ttl.count() < 1 || ttl.count() > max_ttl_ms) {
    return definite(errc::invalid_argument,
                    fmt::format("the ttl must be 1 to {} ms, not {} ms", max_ttl_ms, ttl.count()));
  }
  return std::nullopt;
}

}  // namespace leaselab
