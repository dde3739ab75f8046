// Plans in few lines, and a chooser that takes them as they are written: smallest instant first,
// ties in the order of the plan.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>

#include "sim/choice.hpp"
#include "sim/plan.hpp"

namespace leaselab::sim::testing {

struct plan_builder {
  plan value;

  plan_builder() {
    value.one_at_a_time = true;
    value.keys = {"K"};
  }
  owner_id owner(const std::string& name) {
    const auto at = std::find(value.owners.begin(), value.owners.end(), name);
    if (at != value.owners.end()) return static_cast<owner_id>(at - value.owners.begin());
    value.owners.push_back(name);
    return static_cast<owner_id>(value.owners.size() - 1);
  }
  plan_builder& call(true_time at, process_id process, verb what, const std::string& who,
                     std::int64_t ttl_ms) {
    while (value.processes.size() <= process)
      value.processes.push_back({"P" + std::to_string(value.processes.size() + 1)});
    call_spec spec;
    spec.id = static_cast<std::uint32_t>(value.calls.size());
    spec.what = what;
    spec.process = process;
    spec.owner = owner(who);
    spec.ttl_ms = ttl_ms;
    spec.at = at;
    value.calls.push_back(spec);
    return *this;
  }
  plan_builder& fault(fault_kind kind, process_id process, true_time at, true_duration lasts) {
    fault_spec spec;
    spec.id = static_cast<std::uint32_t>(value.faults.size());
    spec.kind = kind;
    spec.process = process;
    spec.at = spec.at_latest = at;
    spec.lasts = lasts;
    value.faults.push_back(spec);
    return *this;
  }
};

class earliest_first final : public chooser {
 public:
  void begin(const plan&) override {}
  choice choose(const moment& now) override {
    std::size_t best = 0;
    for (std::size_t i = 1; i < now.candidates.size(); ++i) {
      const candidate& a = now.candidates[i];
      const candidate& b = now.candidates[best];
      if (std::tie(a.earliest, a.rank, a.born) < std::tie(b.earliest, b.rank, b.born)) best = i;
    }
    return {best, now.candidates[best].earliest};
  }
};

}  // namespace leaselab::sim::testing
