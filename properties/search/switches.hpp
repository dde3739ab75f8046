// The policy matrix: what a client loses by one policy alone. Each key of the policy table is
// flipped from a base client to each of its other values, and the runtime workload says which
// properties of clients that breaks.
//
// Where the base keeps a promise, any violation is the flip's doing. Elsewhere (outside the
// promises, or with a base that breaks something itself) it counts where, of the schedules that
// violate with one of the two clients only, those with the flip are more by four standard
// deviations. Either way the witness is a plan that violates with the flip and not without it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/search/check.hpp"

namespace leaselab::properties {

struct policy_switch {
  std::string_view policy, value;
  sim::client_policy client;  // the base with that value
};
// In the order of the table.
std::vector<policy_switch> switches_from(const sim::client_policy& base);

// A property that a flip breaks, of one provider under one profile.
struct breach {
  std::string provider, profile;
  bool promised = false;         // by the base client
  std::uint64_t schedules = 0;   // on which the property was judged
  std::uint64_t violations = 0;  // of these
  std::uint64_t before = 0;      // violations with the base
  std::uint64_t first = 0;       // index of the first schedule that violates
};

struct lost_property {
  std::string property;
  std::vector<breach> where;     // what is promised first, then the calmest profile
  std::optional<witness> shown;  // of one of those; none where the search was interrupted
};

struct switch_row {
  policy_switch what;
  check_result searched;
  std::vector<lost_property> lost;  // with the smallest witness first
};

struct switch_matrix {
  check_result base;
  // Of clients, in the profiles in which a strict one keeps them.
  std::vector<std::string> lost_by_base;
  std::vector<switch_row> rows;
  std::uint64_t schedules = 0;
  double seconds = 0;
  std::optional<std::uint64_t> digest;  // none when stopped early
  bool stopped = false;
};

// Searches with `options.client` as the base. Rows that the stop came before are left out.
switch_matrix search_switches(const check_options& options);
// Fills in the witnesses, until `options.stop`.
void prove_switches(const check_options& options, switch_matrix& matrix);

// As of a check with the base client. What a flip breaks is what was asked for; a promise of the
// provider is not a flip's to break.
int exit_status(const switch_matrix& matrix);

}  // namespace leaselab::properties
