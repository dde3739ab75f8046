// Whether a file can be a shared library of this machine, looked at before the loader maps it: of a
// file that is cut off it would read beyond the end, and die.
#pragma once

#include <filesystem>
#include <string>

namespace leaselab::plugin {

// Empty where nothing speaks against it; else why not, as in "it is no ELF file".
std::string why_no_library(const std::filesystem::path& file);

}  // namespace leaselab::plugin
