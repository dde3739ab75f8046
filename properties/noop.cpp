#include "properties/noop.hpp"

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::verb;

verdict selected(const run_context& context, reporter& report) {
  if (context.fallback_selected != context.lacks_operations)
    report(0, sim::no_call, [&] {
      return std::string(context.fallback_selected
                             ? "the no-op provider was selected though no operation is missing"
                             : "an operation is missing and the no-op provider was not selected");
    });
  return verdict::holds;
}

verdict always_wins(const run_context& context, reporter& report) {
  if (!context.fallback_selected) return verdict::not_applicable;
  for (const verb what : {verb::acquire, verb::renew, verb::transfer})
    each_served(context, what, [&](call_index index, const call_record& call) {
      const bool denied = call.ended == outcome::ok && !call.yes;
      // Past its limit even a call that would send nothing ends unanswered.
      const bool failed = call.completed != sim::never && call.ended == outcome::fail &&
                          call.code != errc::closed && call.code != errc::timed_out;
      if (denied || failed)
        report(shown_at(call), index, [&] {
          return call_text(context.run, index) + (denied ? " was denied" : " failed") +
                 " by the no-op provider";
        });
    });
  return verdict::holds;
}

verdict inert(const run_context& context, reporter& report) {
  if (!context.fallback_selected) return verdict::not_applicable;
  each_served(context, verb::get, [&](call_index index, const call_record& call) {
    if (call.ended == outcome::ok && call.named != nobody)
      report(shown_at(call), index, [&] {
        return call_text(context.run, index) + " named " + owner_name(context.run, call.named);
      });
  });
  for (const step& value : context.timeline.steps()) {
    if (!value.changed || value.call == sim::no_call) continue;
    const sim::event& event = context.timeline.event_of(value);
    report(value.event, value.call, [&] {
      return call_text(context.run, value.call) + " turned " +
             record_text(context.run, event.before) + " into " +
             record_text(context.run, event.after) + " in a backend that is not to be touched";
    });
  }
  return verdict::holds;
}

}  // namespace

std::unique_ptr<property> make_noop_selected() {
  return std::make_unique<plain_rule>(
      "noop.selected", level::noop,
      "the no-op provider is selected exactly where one of the five operations is missing",
      selected);
}

std::unique_ptr<property> make_noop_always_wins() {
  return std::make_unique<plain_rule>("noop.always_wins", level::noop,
                                      "every lawful acquire, renew and transfer succeeds",
                                      always_wins);
}

std::unique_ptr<property> make_noop_inert() {
  return std::make_unique<plain_rule>("noop.inert", level::noop,
                                      "nothing changes, and the owner of any key is nobody", inert);
}

}  // namespace leaselab::properties
