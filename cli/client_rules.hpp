// Client-level guarantees stand only for clients that keep the lease's rules
// (docs/PROPERTIES.md, "Client-level properties").
#pragma once

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// In this run no token was used by two incarnations, nor asked for again once its release or
// transfer was sent; all requests under one token carried one ttl; and all work was guarded by the
// local deadline.
bool keeps_client_rules(const sim::run_record& run, const sim::plan& value);

}  // namespace leaselab::cli
