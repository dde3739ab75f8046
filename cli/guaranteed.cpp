#include "cli/guaranteed.hpp"

#include <algorithm>
#include <set>

#include "cli/client_rules.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/standing.hpp"

namespace leaselab::cli {
namespace {

using sim::fault_kind;

// A monotonic clock within the margin is skew, one outside it drift.
const char* profile_of_rate(std::int64_t rate_ppb, const sim::plan& value) {
  const std::int64_t margin_ppb = value.margin_ppm * 1'000;
  const bool inside =
      rate_ppb >= sim::rate_one - margin_ppb && rate_ppb <= sim::rate_one + margin_ppb;
  return inside ? "skew" : "drift";
}

bool moves_monotonic_by_hand(const sim::fault_spec& fault) {
  const bool jumps = fault.kind == fault_kind::offset || fault.kind == fault_kind::step ||
                     fault.kind == fault_kind::strobe;
  return jumps && fault.clock != sim::which_clock::wall;
}

bool clock_stands(const sim::fault_spec& fault, const sim::plan& value) {
  if (fault.clock_stands) return true;
  return fault.process < value.processes.size() &&
         value.processes[fault.process].clock_stands_in_pause;
}

std::string profile_of(const sim::fault_spec& fault, const sim::plan& value) {
  switch (fault.kind) {
    case fault_kind::offset:
    case fault_kind::step:
    case fault_kind::strobe:
    case fault_kind::rate:
    case fault_kind::freeze:
      if (fault.process == sim::backend_process) return "backend-clock";
      if (fault.kind == fault_kind::rate) return profile_of_rate(fault.to_ppb, value);
      return fault.kind == fault_kind::freeze || moves_monotonic_by_hand(fault) ? "drift" : "skew";
    case fault_kind::pause:
      return clock_stands(fault, value) ? "drift" : "pause";
    case fault_kind::duplicate:
      return fault.leg == sim::leg::request ? "eviction" : "lossy";
    default:
      return std::string(properties::home_of(fault.kind));
  }
}

// A client that looks at the outermost object only has fallen back, though the provider is whole.
bool hides_provider(const sim::plan& value) {
  return value.client.detection == sim::detection_policy::outermost && value.decorators > 0;
}

}  // namespace

std::vector<std::string> profiles_of(const sim::plan& value) {
  std::set<std::string> out;
  for (const auto& process : value.processes) {
    if (process.rate_ppb != sim::rate_one) out.insert(profile_of_rate(process.rate_ppb, value));
    if (process.wall_offset != 0) out.insert("skew");
  }
  for (const auto& fault : value.faults) out.insert(profile_of(fault, value));
  if (out.empty()) return {"interleave"};
  return {out.begin(), out.end()};
}

bool guaranteed(const properties::property& judged, const guarantees& declared,
                const sim::run_record& run, const sim::plan& value) {
  if (judged.at() == properties::level::client && !keeps_client_rules(run, value)) return false;
  if (judged.at() == properties::level::provider && hides_provider(value)) return false;
  using properties::standing;
  const bool strict = value.signals.empty() || value.client == sim::client_policy{};
  bool promised = false;
  for (const auto& id : profiles_of(value)) {
    const auto* const profile = properties::find_profile(id);
    if (!profile) return false;
    const sim::workload_kind workload[] = {value.workload};
    const auto where = standing_of(judged, declared, *profile, workload, strict);
    if (where == standing::limit || where == standing::not_guaranteed) return false;
    promised |= where == standing::guaranteed;
  }
  return promised;
}

}  // namespace leaselab::cli
