// The program's version, as in CMakeLists.txt.
#pragma once

#include <string_view>

namespace leaselab::cli {

extern const std::string_view version;

}  // namespace leaselab::cli
