// Variants that are shared libraries: `./libmine.so` (providers/plugin/lease_plugin.h).
#pragma once

#include <string>

#include "properties/foreign.hpp"

namespace leaselab::properties {

// Loads the library, for good; a relative path begins in `folder`, the present one where that is
// empty. Throws host_failed.
foreign introduce_library(const std::string& path, const std::string& folder = {});

}  // namespace leaselab::properties
