// The two directions of a plan's JSON as Boost.JSON values, for files that hold a plan among other
// things.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "sim/plan.hpp"

namespace leaselab::sim {

boost::json::object plan_to_value(const plan& value);
// Throws std::invalid_argument that names the member, as in "plan.calls[3].ttl_ms: ...".
plan plan_from_value(const boost::json::value& value);

// A world trusts its plan: numbers that name something must name something that is there, ids are
// unique, and times do not run backwards. Throws std::invalid_argument that names the member.
void refuse_impossible(const plan& value);

}  // namespace leaselab::sim
