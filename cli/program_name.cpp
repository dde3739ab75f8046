#include "cli/program_name.hpp"

#include <unistd.h>

namespace leaselab::cli {

std::string program_name() { return ::access("leaselab", X_OK) == 0 ? "./leaselab" : "leaselab"; }

}  // namespace leaselab::cli
