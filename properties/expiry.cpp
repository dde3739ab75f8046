#include "properties/expiry.hpp"

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::verb;

// Gone, replaced, or set to a deadline that is over already.
bool ended_alive(const step& value, const sim::event& event) {
  return value.live_before && (!value.live_after || event.after.owner != event.before.owner);
}

// An acquire that overwrites another's live record is single_owner.grant's to judge.
bool may_end(const run_context& context, const step& value, const sim::event& event) {
  if (value.call == sim::no_call) return false;
  const call_record& call = context.run.calls[value.call];
  if (call.what == verb::acquire)
    return event.after.owner == call.owner && event.before.owner != call.owner;
  return (call.what == verb::release || call.what == verb::transfer) &&
         call.owner == event.before.owner && call.key == event.key;
}

void lost_too_early(const run_context& context, reporter& report, const step& value) {
  const sim::event& event = context.timeline.event_of(value);
  if (!ended_alive(value, event) || may_end(context, value, event)) return;
  report(value.event, value.call, [&] {
    return at_instant(event) + " (backend " + std::to_string(event.granule) +
           ") the live record of " + record_text(context.run, event.before) + " on " +
           key_name(context.run, event.key) + " was ended by " + call_text(context.run, value.call);
  });
}

// A refresh by acquire is acquire.idempotent's, a transfer's is handoff.full_ttl's.
bool sets_deadline(const call_record& call, const step& value, const sim::event& event) {
  if (!value.changed || event.after.owner != call.owner) return false;
  const bool found_own = value.live_before && event.before.owner == call.owner;
  return (call.what == verb::acquire && !found_own) || (call.what == verb::renew && found_own);
}

void wrong_deadline(const run_context& context, reporter& report, const step& value) {
  if (value.call == sim::no_call || value.change) return;
  const call_record& call = context.run.calls[value.call];
  const sim::event& event = context.timeline.event_of(value);
  if (!call.arguments_lawful || !sets_deadline(call, value, event)) return;
  if (event.after.deadline == value.promised) return;
  report(value.event, value.call, [&] {
    return call_text(context.run, value.call) + " " + at_instant(event) + " left " +
           record_text(context.run, event.after) + "; its ttl ends at " +
           deadline_text(value.promised);
  });
}

// "Renewed", and the old deadline stands.
void renewed_in_name(const run_context& context, reporter& report, call_index index,
                     const call_record& call) {
  if (call.ended != outcome::ok || !call.yes) return;
  const timeline& line = context.timeline;
  bool found = false;
  bool changed = false;
  bool set = false;
  line.each_step(index, [&](const step& value) {
    const sim::event& event = line.event_of(value);
    found |= value.live_before && event.before.owner == call.owner;
    changed |= value.changed;  // judged as a step
    set |= event.after.owner == call.owner && event.after.deadline == value.promised;
  });
  if (!found || changed || set) return;
  report(shown_at(call), index, [&] {
    return call_text(context.run, index) + " answered true and left the old deadline";
  });
}

// Names that never held the key, or were released, are lease.linearizable's to judge.
void read_wrongly(const run_context& context, reporter& report, call_index index,
                  const call_record& call) {
  if (call.ended != outcome::ok) return;
  const timeline& line = context.timeline;
  if (call.named == nobody) {
    if (line.free_within(index)) return;
    return report(shown_at(call), index, [&] {
      return call_text(context.run, index) + " found nobody though a live record was there all " +
             "through the call";
    });
  }
  if (line.live_within(index, call.named) || !line.died_before(index, call.named)) return;
  report(shown_at(call), index, [&] {
    return call_text(context.run, index) + " named " + owner_name(context.run, call.named) +
           ", whose record was dead all through the call";
  });
}

verdict on_time(const run_context& context, reporter& report) {
  if (!context.run.instrumented) return verdict::not_applicable;
  for (const step& value : context.timeline.steps()) {
    lost_too_early(context, report, value);
    wrong_deadline(context, report, value);
  }
  each_served(context, verb::renew, [&](call_index index, const call_record& call) {
    renewed_in_name(context, report, index, call);
  });
  each_served(context, verb::get, [&](call_index index, const call_record& call) {
    read_wrongly(context, report, index, call);
  });
  return verdict::holds;
}

}  // namespace

std::unique_ptr<property> make_expiry_on_time() {
  return std::make_unique<plain_rule>(
      "expiry.on_time", level::provider,
      "a live record ends only by its owner's release or transfer, or at its deadline; a dead one "
      "is seen by nobody",
      on_time);
}

}  // namespace leaselab::properties
