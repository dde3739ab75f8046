#include "properties/contract.hpp"

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::verb;

bool steps_known(const run_context& context, verb what) {
  return context.run.instrumented && context.timeline.planned(what);
}

bool found_own(const timeline& line, const step& value, const call_record& call) {
  return value.live_before && line.event_of(value).before.owner == call.owner;
}

bool denied(const call_record& call) { return call.ended == outcome::ok && !call.yes; }
bool granted(const call_record& call) { return call.ended == outcome::ok && call.yes; }

// A refresh in several steps may be wrong in between; what its last change leaves must be right.
void idempotent_of(const run_context& context, reporter& report, call_index index,
                   const call_record& call) {
  const timeline& line = context.timeline;
  bool found = false;
  bool set = false;
  const step* last_change = nullptr;
  line.each_step(index, [&](const step& value) {
    const sim::event& event = line.event_of(value);
    found |= found_own(line, value, call);
    set |= event.after.owner == call.owner && event.after.deadline == value.promised;
    if (value.changed) last_change = &value;
  });
  if (!found) return;
  const auto wrong = [&](std::uint32_t at, const char* what) {
    report(at, index, [&, what] {
      return call_text(context.run, index) + " found a live record of its own owner " + what;
    });
  };
  if (last_change && found_own(line, *last_change, call)) {
    const sim::record_state& after = line.event_of(*last_change).after;
    if (after.owner == call.owner && after.deadline != last_change->promised)
      return wrong(last_change->event, "and did not set its deadline to step + ttl");
  }
  if (granted(call) && !set)
    return wrong(shown_at(call), "and answered acquired without a refresh");
  if (denied(call) && !line.other_live_within(index, call.owner))
    wrong(shown_at(call), "and was denied, though nobody else had one");
}

verdict idempotent(const run_context& context, reporter& report) {
  if (!steps_known(context, verb::acquire)) return verdict::not_applicable;
  each_served(context, verb::acquire, [&](call_index index, const call_record& call) {
    idempotent_of(context, report, index, call);
  });
  return verdict::holds;
}

// Without instruments the name alone can still be dishonest.
verdict honest_denial(const run_context& context, reporter& report) {
  if (!context.timeline.planned(verb::acquire)) return verdict::not_applicable;
  each_served(context, verb::acquire, [&](call_index index, const call_record& call) {
    if (!denied(call)) return;
    const bool names_another = call.named != nobody && call.named != call.owner;
    if (names_another &&
        (!context.run.instrumented || context.timeline.live_within(index, call.named)))
      return;
    report(shown_at(call), index, [&] {
      return call_text(context.run, index) + " was denied and told that " +
             owner_name(context.run, call.named) + " holds the key" +
             (names_another ? ", who did not at any instant of the call" : "");
    });
  });
  return verdict::holds;
}

// A dead record that a step cleans away is no change: nobody could see it.
verdict release_owner_only(const run_context& context, reporter& report) {
  if (!steps_known(context, verb::release)) return verdict::not_applicable;
  const timeline& line = context.timeline;
  each_served(context, verb::release, [&](call_index index, const call_record& call) {
    line.each_step(index, [&](const step& value) {
      if (!value.changed_live || found_own(line, value, call)) return;
      const sim::event& event = line.event_of(value);
      report(value.event, index, [&] {
        return call_text(context.run, index) + " " + at_instant(event) + " turned " +
               record_text(context.run, event.before) + " into " +
               record_text(context.run, event.after);
      });
    });
  });
  return verdict::holds;
}

void renew_of(const run_context& context, reporter& report, call_index index,
              const call_record& call) {
  const timeline& line = context.timeline;
  bool found = false;
  const step* changed = nullptr;
  const step* alien = nullptr;  // it changed something that was not its own
  line.each_step(index, [&](const step& value) {
    found |= found_own(line, value, call);
    if (!value.changed_live) return;
    changed = &value;
    if (!found_own(line, value, call)) alien = &value;
  });
  const auto wrong = [&](std::uint32_t at, const char* what) {
    report(at, index, [&, what] { return call_text(context.run, index) + " " + what; });
  };
  if (alien) wrong(alien->event, "changed the key though it found no live record of its owner");
  if (granted(call) && !found)
    wrong(shown_at(call), "answered true though it found no live record of its owner");
  if (denied(call) && !line.absent_within(index, call.owner))
    wrong(shown_at(call), "answered false though its owner's record was live all through the call");
  if (changed && call.completed != sim::never && call.ended == outcome::fail)
    wrong(changed->event, "failed and changed the lease all the same");
}

verdict renew_honest(const run_context& context, reporter& report) {
  if (!steps_known(context, verb::renew)) return verdict::not_applicable;
  each_served(context, verb::renew, [&](call_index index, const call_record& call) {
    renew_of(context, report, index, call);
  });
  return verdict::holds;
}

verdict key_isolation(const run_context& context, reporter& report) {
  if (!context.run.instrumented || context.run.keys.size() < 2) return verdict::not_applicable;
  for (const step& value : context.timeline.steps()) {
    if (!value.change || value.call == sim::no_call || !value.changed_live) continue;
    const sim::event& event = context.timeline.event_of(value);
    if (context.run.calls[value.call].key == event.key) continue;
    report(value.event, value.call, [&] {
      return call_text(context.run, value.call) + " " + at_instant(event) + " turned " +
             record_text(context.run, event.before) + " of " + key_name(context.run, event.key) +
             " into " + record_text(context.run, event.after);
    });
  }
  return verdict::holds;
}

bool is_operation(verb what) { return what != verb::write && what != verb::close; }

bool refused_rightly(const call_record& call) {
  if (call.ended != outcome::fail) return false;
  return (!call.arguments_lawful && call.code == errc::invalid_argument) ||
         (call.closed && call.code == errc::closed);
}

verdict argument_refused(const run_context& context, reporter& report) {
  const auto& calls = context.run.calls;
  for (call_index i = 0; i < calls.size(); ++i) {
    const call_record& call = calls[i];
    if ((call.arguments_lawful && !call.closed) || !is_operation(call.what)) continue;
    const bool acted = call.trips > 0 || context.timeline.view(i).first_step != no_index;
    // A crash may come before the answer, never after an effect.
    const bool wrong_end = call.completed != sim::never && !refused_rightly(call);
    if (!acted && !wrong_end) continue;
    report(shown_at(call), i, [&] {
      return call_text(context.run, i) + (call.closed ? " on a closed provider" : "") +
             (acted ? " sent something instead of being refused"
                    : " was not refused as it must be");
    });
  }
  return verdict::holds;
}

}  // namespace

std::unique_ptr<property> make_acquire_idempotent() {
  return std::make_unique<plain_rule>(
      "acquire.idempotent", level::provider,
      "an acquire that finds its own live record answers acquired and sets step + ttl", idempotent);
}

std::unique_ptr<property> make_acquire_honest_denial() {
  return std::make_unique<plain_rule>(
      "acquire.honest_denial", level::provider,
      "a denial names another owner that was live at an instant inside the call", honest_denial);
}

std::unique_ptr<property> make_release_owner_only() {
  return std::make_unique<plain_rule>(
      "release.owner_only", level::provider,
      "a release that finds no live record of its owner changes no live record",
      release_owner_only);
}

std::unique_ptr<property> make_renew_honest() {
  return std::make_unique<plain_rule>(
      "renew.honest", level::provider,
      "renew answers true exactly when it found its owner's live record; it creates none",
      renew_honest);
}

std::unique_ptr<property> make_key_isolation() {
  return std::make_unique<plain_rule>("key.isolation", level::provider,
                                      "operations on one key never change another", key_isolation);
}

std::unique_ptr<property> make_argument_refused() {
  return std::make_unique<plain_rule>(
      "argument.refused", level::provider,
      "calls with unlawful arguments or on a closed provider fail, and nothing is sent",
      argument_refused);
}

}  // namespace leaselab::properties
