// Traces as verbs use them: what is wrong with one is a usage_error.
#pragma once

#include <filesystem>

#include "sim/deployment.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {

sim::trace read_trace(const std::filesystem::path& path);
// The recorded provider. One from elsewhere is started where it was recorded, or, where that folder
// is gone, here.
const sim::variant& provider_of(const sim::trace_header& header);
std::string folder_for(const sim::trace_header& header);  // empty: here

}  // namespace leaselab::cli
