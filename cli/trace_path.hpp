// Which file a TRACE argument means.
#pragma once

#include <filesystem>
#include <string>

namespace leaselab::cli {

// A file as it is; a folder or a cell (`latest`, `latest/redis/single_owner.grant`, with or without
// the profile) below `out`. Throws usage_error that says what is there instead.
std::filesystem::path trace_path(const std::string& argument, const std::filesystem::path& out);

// Where the nearest passing run of a trace is kept: beside it, where that is below `out`, as
// <name>.passing.jsonl. Elsewhere nothing is written: then it is out/passing/<digest>.jsonl. It is
// never what a folder or a cell means.
std::filesystem::path passing_path(const std::filesystem::path& trace,
                                   const std::filesystem::path& out, const std::string& digest);

}  // namespace leaselab::cli
