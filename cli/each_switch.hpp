// `check --each-switch`: the policy matrix.
#pragma once

#include "cli/options.hpp"
#include "properties/search/check.hpp"

namespace leaselab::cli {

// `asked` is what the flags of a check mean; where these are silent, it takes the providers, the
// profiles and the number of schedules that a policy matrix wants.
int each_switch(const options& given, properties::check_options asked);

}  // namespace leaselab::cli
