// Traces as verbs use them: what is wrong with one is a usage_error.
#pragma once

#include <filesystem>

#include "sim/trace.hpp"

namespace leaselab::cli {

sim::trace read_trace(const std::filesystem::path& path);

}  // namespace leaselab::cli
