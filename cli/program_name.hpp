// How a user types the program's name where the program runs.
#pragma once

#include <string>

namespace leaselab::cli {

// "./leaselab" where the launcher lies in the current directory, else "leaselab".
std::string program_name();

}  // namespace leaselab::cli
