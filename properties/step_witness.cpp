#include "properties/step_witness.hpp"

#include "properties/timeline.hpp"

namespace leaselab::properties {
namespace {

using sim::verb;

constexpr std::uint32_t no_effect = ~0u;

bool on_the_lease(const sim::call_record& call) {
  return call.what != verb::write && call.what != verb::close && call.arguments_lawful &&
         !call.closed;
}

bool answered(const sim::call_record& call) {
  return call.completed != sim::never && call.ended == outcome::ok;
}

lease_op op_of(verb what) {
  switch (what) {
    case verb::acquire:
      return lease_op::acquire;
    case verb::release:
      return lease_op::release;
    case verb::renew:
      return lease_op::renew;
    case verb::transfer:
      return lease_op::transfer;
    default:
      return lease_op::get;
  }
}

bool answers_alike(const sim::call_record& call, const lease_step& step, const guarantees& declared,
                   const linearizability_options& options) {
  switch (call.what) {
    case verb::get:
      return call.named == step.holder_before;
    case verb::release:
      return true;
    case verb::acquire:
      if (!call.yes && call.named != step.holder_before &&
          (options.denials_name_owners || call.named != sim::nobody))
        return false;
      break;
    default:
      break;
  }
  if (call.yes != step.yes) return false;
  return !call.token || !declared.fencing || *call.token == step.next.token;
}

bool same_record(const lease_state& a, const lease_state& b) {
  return a.owner == b.owner && (a.owner == 0 || a.deadline == b.deadline);
}

}  // namespace

bool step_witness::explains(const run_context& context, const linearizability_options& options) {
  find_effects(context);
  return follow(context, options);
}

void step_witness::find_effects(const run_context& context) {
  calls_.assign(context.run.calls.size(), {});
  const auto& steps = context.timeline.steps();
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].change || !steps[i].changed || steps[i].call == sim::no_call) continue;
    const auto& call = context.run.calls[steps[i].call];
    // What a copy of a request does after the answer is not what was answered.
    if (answered(call) && steps[i].event > call.complete_event) continue;
    calls_[steps[i].call].effect = i;
  }
}

bool step_witness::follow(const run_context& context, const linearizability_options& options) {
  const auto& run = context.run;
  const std::int64_t granule_ms = std::max<std::int64_t>(1, context.declared.granule_ms);
  states_.assign(std::max<std::size_t>(1, run.keys.size()), {});
  const auto& steps = context.timeline.steps();
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].change || steps[i].call == sim::no_call) continue;
    const auto& call = run.calls[steps[i].call];
    auto& progress = calls_[steps[i].call];
    const bool effect = progress.effect == i;
    if (progress.explained || !on_the_lease(call) || call.ended == outcome::fail) continue;
    if (!effect && (progress.effect != no_effect || !answered(call))) continue;
    if (steps[i].event > call.complete_event && answered(call)) continue;

    auto& state = states_[call.key];
    const std::int64_t granule = run.events[steps[i].event].granule / granule_ms;
    const auto step =
        apply(state, {op_of(call.what), call.owner, call.to, call.ttl_ms / granule_ms}, granule,
              context.declared.reading);
    const bool alike = !answered(call) || answers_alike(call, step, context.declared, options);
    if (effect && !alike) return false;
    lease_state seen = state;
    seen.owner = step.holder_before;
    if (!effect && (!alike || !same_record(step.next, seen))) continue;
    state = step.next;
    progress.explained = true;
  }
  for (sim::call_index i = 0; i < run.calls.size(); ++i) {
    const auto& call = run.calls[i];
    if (answered(call) && on_the_lease(call) && !calls_[i].explained) return false;
  }
  return true;
}

}  // namespace leaselab::properties
