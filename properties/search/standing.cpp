#include "properties/search/standing.hpp"

#include <algorithm>

#include "properties/lock.hpp"

namespace leaselab::properties {
namespace {

using sim::workload_kind;

constexpr workload_kind plain[] = {workload_kind::contend, workload_kind::handoff,
                                   workload_kind::churn, workload_kind::calls,
                                   workload_kind::runtime};

bool of_runtime(std::string_view id) {
  return id.starts_with("run.") || id == "loss.noticed" || id == "signal.once" ||
         id == "noop.single_process";
}

bool injects(const profile& faults, const guarantees& declared, sim::fault_kind kind) {
  const auto possible = injections_for(faults, declared);
  return std::any_of(possible.begin(), possible.end(),
                     [kind](const injection& one) { return one.kind == kind; });
}

// Faults that a single process may not notice; the others end leases or incarnations.
bool leaves_one_alone(const profile& faults) {
  return faults.id == "calm" || faults.id == "interleave" || faults.id == "skew" ||
         faults.id == "pause";
}

bool can_occur(const property& judged, const guarantees& declared, const profile& faults) {
  const auto id = judged.id();
  if (declared.inapplicable(id, faults.id) || !asked_of(id, declared)) return false;
  if (id == "progress.after_heal") return faults.quiet_phase;
  if (id == "progress.after_crash") return injects(faults, declared, sim::fault_kind::crash);
  if (id == "single_owner.fenced") return declared.fencing;
  if (id == "noop.single_process" && !leaves_one_alone(faults)) return false;
  if (judged.at() == level::noop && id != "noop.selected") return declared.scope == scope::none;
  // Where there is no lease there is nothing to be covered by.
  if (id == "run.covered" || id == "loss.noticed") return declared.scope != scope::none;
  return true;
}

bool promised_to_clients(const profile& faults, std::span<const workload_kind> workloads) {
  const bool shares =
      std::find(workloads.begin(), workloads.end(), workload_kind::shared) != workloads.end();
  return faults.client == client_level::guaranteed && !shares;
}

}  // namespace

std::span<const workload_kind> plain_workloads() { return plain; }

bool judged_in(const property& judged, workload_kind workload) {
  const auto id = judged.id();
  if (of_runtime(id)) return workload == workload_kind::runtime;
  if (judged.at() == level::client) return workload != workload_kind::calls;
  const bool hands_over = workload == workload_kind::handoff || workload == workload_kind::calls ||
                          workload == workload_kind::runtime;
  if (id.starts_with("handoff.")) return hands_over;
  if (id == "argument.refused") return workload == workload_kind::calls;
  return true;
}

standing standing_of(const property& judged, const guarantees& declared, const profile& faults,
                     std::span<const workload_kind> workloads, bool strict) {
  const bool judged_somewhere =
      std::any_of(workloads.begin(), workloads.end(),
                  [&](workload_kind one) { return judged_in(judged, one); });
  const auto id = judged.id();
  if (!judged_somewhere || !can_occur(judged, declared, faults)) return standing::not_applicable;
  if (!faults.in_model) return standing::limit;
  if (declared.excludes(id, faults.id)) return standing::not_guaranteed;
  // A provider can give nobody a key that a client keeps.
  const bool of_clients = judged.at() != level::provider || id.starts_with("progress.");
  if (!strict && of_clients) return standing::not_guaranteed;
  if (judged.at() == level::noop) return standing::guaranteed;
  if (declared.scope == scope::none) return standing::not_guaranteed;
  if (judged.at() == level::client && !promised_to_clients(faults, workloads))
    return standing::not_guaranteed;
  return standing::guaranteed;
}

}  // namespace leaselab::properties
