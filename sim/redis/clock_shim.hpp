// The shared object that is preloaded into a redis-server (clock_shim.c), as part of the program:
// so it is there wherever the program is.
#pragma once

#include <string_view>

namespace leaselab::sim::redis {

std::string_view clock_shim();

}  // namespace leaselab::sim::redis
