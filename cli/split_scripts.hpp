// What `check --split-scripts` asks for.
#pragma once

#include "cli/options.hpp"
#include "properties/search/check.hpp"

namespace leaselab::cli {

// Puts in the place of each provider what it would be with its scripts split: one column a script
// where they are known by name, and one with all of them. Does nothing without the flag.
void take_split_scripts(const options& given, properties::check_options& into);

}  // namespace leaselab::cli
