// What a run came to: what every call answered, what the store holds, who believes in what. Runs
// that differ only in the names of processes with the same program come to the same.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// `programs`: by process; processes with equal numbers are interchangeable. Deadlines count in
// granules of the backend and in microseconds of the clients.
std::uint64_t final_state(const sim::run_record& run, const sim::plan& plan,
                          const std::vector<std::uint32_t>& programs);

}  // namespace leaselab::properties
