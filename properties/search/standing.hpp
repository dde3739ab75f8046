// Where a cell of the matrix stands before anything has run: by declaration alone.
#pragma once

#include <span>

#include "properties/property.hpp"
#include "properties/search/profile.hpp"

namespace leaselab::properties {

enum class standing : std::uint8_t {
  guaranteed,
  not_guaranteed,
  limit,           // outside the model: nobody's promise
  not_applicable,  // by scope, profile, workload or a missing token
};

// `strict`: the clients keep what client-level guarantees ask of them.
standing standing_of(const property& judged, const guarantees& declared, const profile& faults,
                     std::span<const sim::workload_kind> workloads, bool strict = true);

// Whether runs of this workload say anything about the property.
bool judged_in(const property& judged, sim::workload_kind workload);

// What a plain check shares its schedules among.
std::span<const sim::workload_kind> plain_workloads();

}  // namespace leaselab::properties
