// A provider whose Lua scripts are taken apart at each redis.call, with the scheduler let in: what
// the provider would be if its scripts were not atomic. Where that breaks a property, the script's
// atomicity is needed.
//
// The parts are steps of the call that sent the script, so it is for profiles in which messages
// arrive and processes live.
#pragma once

#include <string>
#include <vector>

#include "sim/deployment.hpp"

namespace leaselab::properties {

// "split:redis" with every script taken apart, "split:redis/renew" with one. It promises nothing.
// `base` must outlive the program's use of it and run on the model engine; the same arguments give
// the same variant. `script`: empty for all.
const sim::variant& split_variant(const sim::variant& base, const std::string& script);

// The names of the scripts of a built-in provider, in its order; none: only all at once.
std::vector<std::string> scripts_of(const sim::variant& base);

}  // namespace leaselab::properties
