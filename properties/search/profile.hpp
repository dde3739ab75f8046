// The fault profiles as data: what each injects, how much of it, and what is promised meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "providers/guarantees.hpp"
#include "sim/fault.hpp"

namespace leaselab::properties {

// What a strict client is promised under the profile.
enum class client_level : std::uint8_t { guaranteed, witness, limit };

enum class clock_courses : std::uint8_t { exact, inside_margin, anywhere };

// One kind of fault and how often it is drawn beside the others of its profile.
struct injection {
  sim::fault_kind kind = sim::fault_kind::delay;
  std::uint32_t weight = 1;
};

struct profile {
  std::string_view id;
  std::string_view about;  // one line for `list profiles`
  bool in_model = true;
  client_level client = client_level::guaranteed;
  std::span<const injection> injects = {};
  // The budget of one run. Several small faults find less than one at the right place, so most
  // runs stay near the least.
  std::uint32_t least_faults = 0, most_faults = 0;
  clock_courses clocks = clock_courses::exact;
  bool clocks_stand = false;  // in pauses, in some runs
  bool quiet_phase = false;   // ends in one: progress is judged
  bool one_at_a_time = false;
};

// In the order of docs/PROPERTIES.md.
std::span<const profile> profiles();
const profile* find_profile(std::string_view id);  // null: there is none

// The profile that a kind belongs to. A mix leaves out what belongs to a profile that cannot
// occur with a provider.
std::string_view home_of(sim::fault_kind kind);

// What of the profile can occur with a provider that declares this.
std::vector<injection> injections_for(const profile& faults, const guarantees& declared);

}  // namespace leaselab::properties
