// Each mutant by the function that makes it; which file holds it stands beside it.
#pragma once

#include "properties/mutants/mutants.hpp"

namespace leaselab::properties::mutations {

// release.cpp
mutant release_ignores_owner();  // M01
mutant release_in_two_steps();   // M02
// acquire_in_steps.cpp
mutant ttl_in_a_second_step();    // M03
mutant reclaim_by_bare_ttl();     // M04
mutant acquire_in_two_steps();    // M05
mutant denial_names_in_a_step();  // M10
// acquire_script.cpp
mutant reacquire_is_refused();  // M07
mutant reacquire_adds_ttl();    // M09
mutant denial_names_caller();   // M11
// dead_records.cpp
mutant acquire_sees_the_dead();   // M12
mutant two_readings_of_expiry();  // M28
// errors_as_answers.cpp
mutant error_as_acquired();    // M13
mutant error_as_no_backend();  // N12
// renew.cpp
mutant renew_ignores_owner();      // M15
mutant renew_creates();            // M16
mutant renew_of_nothing_is_yes();  // M18
mutant renew_in_name();            // M19
mutant renew_takes_any_ttl();      // M26
// caller_clock.cpp
mutant renew_by_callers_clock();    // M22
mutant acquire_by_callers_clock();  // M23
mutant deadline_on_wall_clock();    // N02
// ttl_units.cpp
mutant ttl_in_seconds();     // M24
mutant ttl_whole_seconds();  // M25
// lagging_read.cpp
mutant read_one_write_behind();  // M30
// transfer.cpp
mutant transfer_leaves_a_gap();   // M32
mutant transfer_ignores_giver();  // M33
mutant transfer_drops_ttl();      // M35
mutant transfer_in_two_steps();   // M36
mutant transfer_from_nobody();    // M37
// shared_slot.cpp
mutant keys_share_a_slot();  // M40
// local_deadline.cpp
mutant deadline_from_answer();     // N01
mutant deadline_on_two_clocks();   // N03
mutant deadline_without_margin();  // N04
mutant works_past_its_deadline();  // N08
// renewal_loop.cpp
mutant renewals_end_with_a_failure();  // N05
mutant renews_by_acquiring();          // N06
mutant renew_false_is_swallowed();     // N07
// reused_token.cpp
mutant token_is_reused();  // N09
// offer_timeout.cpp
mutant timeout_as_refusal();  // N10
// last_token.cpp
mutant last_token_remembered();  // N11
// standing_clocks.cpp
mutant clocks_stand_and_are_slow();  // N13
// stale_pair.cpp
mutant second_stale_release();  // N14
// tied_clock.cpp
mutant tie_reads_early();  // N15

}  // namespace leaselab::properties::mutations
