// Clients whose acquire takes several trips deny dishonestly now and then (bugs B02 to B04): the
// kinds of these denials, and that a search finds one, shrinks it and replays it.
#pragma once

#include <cstdint>
#include <functional>

#include "properties/search/check.hpp"
#include "sim/history.hpp"

namespace leaselab::properties::testing {

// Of a denied acquire.
using kind_of_denial = std::function<bool(const sim::run_record&, sim::call_index)>;

// B02: another's lease had ended meanwhile.
bool lost_to_nobody(const sim::run_record& run, sim::call_index call);
// B03: its own had, and nobody else was there.
bool lost_alone(const sim::run_record& run, sim::call_index call);
// B04.
bool names_itself(const sim::run_record& run, sim::call_index call);

// Every property, on a real redis-server.
check_options on_server();
// The same on the model, in a few schedules of each profile that clients keep their guarantees in.
check_options few(const sim::variant& provider);

void expect_found_shrunk_and_replayed(const sim::variant& provider, const kind_of_denial& kind,
                                      std::uint32_t processes);
void expect_no_accusation(const check_options& options);

}  // namespace leaselab::properties::testing
