#include "properties/property.hpp"

#include "properties/contract.hpp"
#include "properties/expiry.hpp"
#include "properties/handoff.hpp"
#include "properties/linearizability.hpp"
#include "properties/noop.hpp"
#include "properties/progress.hpp"
#include "properties/runs.hpp"
#include "properties/single_owner.hpp"

namespace leaselab::properties {

std::string_view to_string(verdict value) {
  switch (value) {
    case verdict::holds:
      return "holds";
    case verdict::violated:
      return "violated";
    case verdict::unknown:
      return "unknown";
    case verdict::not_applicable:
      return "not_applicable";
  }
  return "?";
}

std::vector<std::unique_ptr<property>> all_properties() {
  std::vector<std::unique_ptr<property>> all;
  all.push_back(make_single_owner_grant());
  all.push_back(make_handoff_no_gap());
  all.push_back(make_handoff_no_steal());
  all.push_back(make_handoff_honest());
  all.push_back(make_handoff_full_ttl());
  all.push_back(make_linearizable());
  all.push_back(make_acquire_idempotent());
  all.push_back(make_acquire_honest_denial());
  all.push_back(make_release_owner_only());
  all.push_back(make_renew_honest());
  all.push_back(make_expiry_on_time());
  all.push_back(make_key_isolation());
  all.push_back(make_argument_refused());
  all.push_back(make_progress_after_crash());
  all.push_back(make_progress_after_heal());
  all.push_back(make_single_owner_belief());
  all.push_back(make_single_owner_effect());
  all.push_back(make_single_owner_fenced());
  all.push_back(make_run_serialized());
  all.push_back(make_run_covered());
  all.push_back(make_signal_once());
  all.push_back(make_loss_noticed());
  all.push_back(make_noop_selected());
  all.push_back(make_noop_always_wins());
  all.push_back(make_noop_inert());
  all.push_back(make_noop_single_process());
  return all;
}

}  // namespace leaselab::properties
