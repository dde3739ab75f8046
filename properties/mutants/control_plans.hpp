// The changes that make a drawn plan one of a control's.
#pragma once

#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace leaselab::properties::control_plans {

// Monotonic clocks from the very edge of the margin to as much too fast.
void rates_inside_margin(sim::plan& plan, sim::random_source& random);
// Wall clocks that jump to and fro.
void strobing_clocks(sim::plan& plan, sim::random_source& random);
// Every process looks at every key all the time.
void storm_of_readers(sim::plan& plan, sim::random_source& random);
// Whatever crashes comes back with all that it had, the backend too.
void full_recovery(sim::plan& plan, sim::random_source& random);
// Transfers go to the giver, and half of the renewals are such transfers.
void transfers_to_oneself(sim::plan& plan, sim::random_source& random);
// A ttl that a deadline of one granule more can still express.
void below_the_longest_ttl(sim::plan& plan, sim::random_source& random);
// A lease set late in its millisecond, read and asked for in the last one in which it lives.
void late_in_the_millisecond(sim::plan& plan, sim::random_source& random);
// A holder asks for less than it has.
void shortened_ttl(sim::plan& plan, sim::random_source& random);
// A renewal of a lease lands after that was released and its owner has acquired again.
void late_renewal(sim::plan& plan, sim::random_source& random);

}  // namespace leaselab::properties::control_plans
