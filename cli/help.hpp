// --help, made from the table of verbs.
#pragma once

#include <string>

#include "cli/verbs.hpp"

namespace leaselab::cli {

std::string help_text();
std::string help_text(const verb& of);

}  // namespace leaselab::cli
