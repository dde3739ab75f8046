// The program's version, as in CMakeLists.txt.
#pragma once

#include <string_view>

namespace leaselab::cli {

inline constexpr std::string_view version = LEASELAB_VERSION;

}  // namespace leaselab::cli
