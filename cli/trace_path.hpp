// Which file a TRACE argument means.
#pragma once

#include <filesystem>
#include <string>

namespace leaselab::cli {

// A file as it is; a folder or a cell (`latest`, `latest/redis/single_owner.grant`, with or without
// the profile) below `out`. Throws usage_error that says what is there instead.
std::filesystem::path trace_path(const std::string& argument, const std::filesystem::path& out);

}  // namespace leaselab::cli
