// "Sometimes" claims: what the schedules of a profile must have reached, so that a row of `holds`
// does not mean that nothing ever happened.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "properties/search/profile.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// A bit for each claim, in the order of `claims()`.
using claim_set = std::uint32_t;

struct claim_info {
  std::string_view reach;  // "renewal in flight at a deadline"
};
std::span<const claim_info> claims();

// What this run reached. One pass over the record.
claim_set reached_by(const sim::run_record& run, const sim::plan& plan);

// What the schedules of this profile, these workloads and a provider that declares this must reach
// between them, from 1,000 schedules on.
claim_set owed_by(const profile& faults, const guarantees& declared,
                  std::span<const sim::workload_kind> workloads);

}  // namespace leaselab::properties
