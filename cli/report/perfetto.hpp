// A run as a trace for Perfetto (ui.perfetto.dev) or chrome://tracing: a group a process with its
// calls, beliefs, work and troubles, one for the backend with what each key held.
#pragma once

#include <string>

#include "providers/guarantees.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// JSON in the Trace Event Format; one us of it is one us of true time.
std::string perfetto_trace(const sim::run_record& run, const sim::plan& value,
                           const guarantees& declared);

}  // namespace leaselab::cli
