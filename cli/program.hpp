// The whole program as one call: what main() runs, and what tests run.
#pragma once

#include <string>
#include <vector>

namespace leaselab::cli {

// The words after the program's name; returns the exit status.
int program(const std::vector<std::string>& words);

}  // namespace leaselab::cli
