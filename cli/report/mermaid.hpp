// A run as a Mermaid sequence diagram, to be pasted into an issue: a lane a process and one for the
// backend, in the order of true time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// Up to and with the event `until`, where one is given.
std::string mermaid_diagram(const sim::run_record& run, const sim::plan& value,
                            std::optional<std::uint32_t> until, const std::string& ending);

}  // namespace leaselab::cli
