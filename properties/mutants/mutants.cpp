#include "properties/mutants/mutants.hpp"

#include <algorithm>

#include "properties/mutants/list.hpp"

namespace leaselab::properties {
namespace {

std::vector<mutant> make_all() {
  using namespace mutations;
  std::vector<mutant> all;
  for (const auto make :
       {release_ignores_owner,  release_in_two_steps,      ttl_in_a_second_step,
        reclaim_by_bare_ttl,    acquire_in_two_steps,      reacquire_is_refused,
        reacquire_adds_ttl,     denial_names_in_a_step,    denial_names_caller,
        acquire_sees_the_dead,  error_as_acquired,         renew_ignores_owner,
        renew_creates,          renew_of_nothing_is_yes,   renew_in_name,
        renew_by_callers_clock, acquire_by_callers_clock,  ttl_in_seconds,
        ttl_whole_seconds,      renew_takes_any_ttl,       two_readings_of_expiry,
        read_one_write_behind,  transfer_leaves_a_gap,     transfer_ignores_giver,
        transfer_drops_ttl,     transfer_in_two_steps,     transfer_from_nobody,
        keys_share_a_slot,      deadline_from_answer,      deadline_on_wall_clock,
        deadline_on_two_clocks, deadline_without_margin,   renewals_end_with_a_failure,
        renews_by_acquiring,    renew_false_is_swallowed,  works_past_its_deadline,
        token_is_reused,        timeout_as_refusal,        last_token_remembered,
        error_as_no_backend,    clocks_stand_and_are_slow, second_stale_release,
        tie_reads_early}) {
    all.push_back(make());
  }
  return all;
}

}  // namespace

const std::vector<mutant>& mutants() {
  static const std::vector<mutant> all = make_all();
  return all;
}

const mutant* find_mutant(std::string_view id) {
  const auto& all = mutants();
  const auto found = std::find_if(all.begin(), all.end(), [id](const mutant& one) {
    return one.id == id || one.variant.name == id;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace leaselab::properties
