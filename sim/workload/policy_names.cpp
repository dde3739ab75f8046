// How scenario files, traces and the command line spell the policies, the strict value first.
#include "sim/names.hpp"

namespace leaselab::sim {

#define LEASELAB_POLICY_NAMES(policy, last, ...)                    \
  template <>                                                       \
  std::span<const std::string_view> names<policy>() {               \
    static constexpr std::string_view all[] = {__VA_ARGS__};        \
    static_assert(std::size(all) == std::size_t(policy::last) + 1); \
    return all;                                                     \
  }

LEASELAB_POLICY_NAMES(token_policy, run_id, "unique", "run_id")
LEASELAB_POLICY_NAMES(acquire_error_policy, fail_open, "fail_closed", "fail_open")
LEASELAB_POLICY_NAMES(nobody_named_policy, drop, "retry", "drop")
LEASELAB_POLICY_NAMES(own_token_policy, route, "transfer", "route")
LEASELAB_POLICY_NAMES(renew_error_policy, ignore, "until_deadline", "stop", "ignore")
LEASELAB_POLICY_NAMES(renew_false_policy, run_on, "stop", "run_on")
LEASELAB_POLICY_NAMES(local_deadline_policy, none, "checked", "none")
LEASELAB_POLICY_NAMES(drain_error_policy, drop, "retry", "drop")
LEASELAB_POLICY_NAMES(release_policy, fire_and_forget, "repeat", "await_once", "fire_and_forget")
LEASELAB_POLICY_NAMES(stop_first_policy, no, "yes", "no")
LEASELAB_POLICY_NAMES(offer_policy, once, "acked", "once")
LEASELAB_POLICY_NAMES(suspend_policy, keep, "release", "keep")
LEASELAB_POLICY_NAMES(waiter_error_policy, dead, "unknown", "dead")
LEASELAB_POLICY_NAMES(dead_means_policy, run, "acquire", "run")
LEASELAB_POLICY_NAMES(plain_denied_policy, run_beside, "stop", "run_beside")
LEASELAB_POLICY_NAMES(detection_policy, outermost, "any_depth", "outermost")

#undef LEASELAB_POLICY_NAMES

}  // namespace leaselab::sim
