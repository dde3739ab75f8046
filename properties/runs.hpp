// What holds of the runs and signals of a runtime (docs/PROPERTIES.md, "Client-level properties").
// Not applicable to runs of other workloads.
#pragma once

#include <memory>

#include "properties/property.hpp"

namespace leaselab::properties {

std::unique_ptr<property> make_run_serialized();
std::unique_ptr<property> make_run_covered();
std::unique_ptr<property> make_signal_once();
std::unique_ptr<property> make_loss_noticed();

}  // namespace leaselab::properties
