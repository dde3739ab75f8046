// The names of the simulator's enumerations, as scenario files, traces and reports spell them, and
// back. One list an enumeration, in the order of its values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/decision.hpp"
#include "sim/fault.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::sim {

// There is one for each of the types named below; the names are constants.
template <class Enum>
std::span<const std::string_view> names();

template <>
std::span<const std::string_view> names<event_label>();
template <>
std::span<const std::string_view> names<fault_kind>();
template <>
std::span<const std::string_view> names<leg>();
template <>
std::span<const std::string_view> names<data_kept>();
template <>
std::span<const std::string_view> names<which_clock>();
template <>
std::span<const std::string_view> names<verb>();
template <>
std::span<const std::string_view> names<event_kind>();
template <>
std::span<const std::string_view> names<resource_kind>();
template <>
std::span<const std::string_view> names<workload_kind>();
template <>
std::span<const std::string_view> names<token_policy>();
template <>
std::span<const std::string_view> names<acquire_error_policy>();
template <>
std::span<const std::string_view> names<nobody_named_policy>();
template <>
std::span<const std::string_view> names<own_token_policy>();
template <>
std::span<const std::string_view> names<renew_error_policy>();
template <>
std::span<const std::string_view> names<renew_false_policy>();
template <>
std::span<const std::string_view> names<local_deadline_policy>();
template <>
std::span<const std::string_view> names<drain_error_policy>();
template <>
std::span<const std::string_view> names<release_policy>();
template <>
std::span<const std::string_view> names<stop_first_policy>();
template <>
std::span<const std::string_view> names<offer_policy>();
template <>
std::span<const std::string_view> names<suspend_policy>();
template <>
std::span<const std::string_view> names<waiter_error_policy>();
template <>
std::span<const std::string_view> names<dead_means_policy>();
template <>
std::span<const std::string_view> names<plain_denied_policy>();
template <>
std::span<const std::string_view> names<detection_policy>();

// "?" for a value that the enumeration does not have.
template <class Enum>
std::string_view name_of(Enum value) {
  const auto all = names<Enum>();
  const auto index = static_cast<std::size_t>(value);
  return index < all.size() ? all[index] : std::string_view("?");
}

template <class Enum>
std::optional<Enum> named(std::string_view name) {
  const auto all = names<Enum>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace leaselab::sim
