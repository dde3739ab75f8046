#include <algorithm>

#include "properties/describe.hpp"
#include "properties/grants.hpp"
#include "properties/rule.hpp"
#include "properties/single_owner.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::nobody;
using sim::verb;

bool gives_up(const sim::call_record& call) {
  return call.what == verb::release || call.what == verb::transfer;
}

// Whom a yes to this call makes the holder; nobody for the other verbs.
sim::owner_id asked_for(const sim::call_record& call) {
  if (call.what == verb::acquire || call.what == verb::renew) return call.owner;
  return call.what == verb::transfer ? call.to : nobody;
}

// Definitely over, effects and all, before `event`.
bool settled_before(const sim::call_record& call, std::uint32_t event) {
  return call.completed != sim::never && call.ended != outcome::info && call.complete_event < event;
}

class grant_rule final : public rule {
 public:
  grant_rule()
      : rule("single_owner.grant", level::provider,
             "no two owners are granted one key at the same instant") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    book_.clear();
    // Where every yes has its step, the steps say it all.
    if (context.run.instrumented && !context.timeline.has_unbacked_answers()) {
      for (const step& value : context.timeline.steps()) take_step(context, report, value);
    } else {
      take_all(context, report);
    }
    return verdict::holds;
  }

  void take_all(const run_context& context, reporter& report) {
    const auto& steps = context.timeline.steps();
    auto next = steps.begin();
    for (std::uint32_t i = 0; i < context.run.events.size(); ++i) {
      if (next != steps.end() && next->event == i) take_step(context, report, *next++);
      const sim::event& event = context.run.events[i];
      if (event.call == sim::no_call) continue;
      if (event.kind == event_kind::complete) take_answer(context, report, event.call, i);
      if (event.kind == event_kind::invoke) take_invocation(context, event.call);
    }
  }

  void take_step(const run_context& context, reporter& report, const step& value) {
    const sim::event& event = context.timeline.event_of(value);
    if (value.ended != nobody) book_.end(event.key, value.ended);
    if (value.granted == nobody) return;
    start(context, report, {event.key, value.granted, value.promised, value.call, false},
          value.event);
  }

  // Certain from the answer on, since the step may have been at any instant since the invocation.
  void take_answer(const run_context& context, reporter& report, sim::call_index index,
                   std::uint32_t at) {
    const sim::call_record& call = context.run.calls[index];
    const sim::owner_id owner = asked_for(call);
    if (owner == nobody || call.ended != outcome::ok || !call.yes || !call.arguments_lawful) return;
    if (context.timeline.view(index).granted_by_step) return;
    std::int64_t ttl_ms = call.ttl_ms;
    for (sim::call_index i = 0; i < context.run.calls.size(); ++i) {
      const sim::call_record& other = context.run.calls[i];
      if (i == index || other.key != call.key || other.invoke_event > at) continue;
      if (settled_before(other, call.invoke_event)) continue;
      // A release of this owner that may still take effect: nothing is certain.
      if (gives_up(other) && other.owner == owner && other.to != owner) return;
      if (asked_for(other) == owner && other.arguments_lawful)
        ttl_ms = std::min(ttl_ms, other.ttl_ms);
    }
    const std::int64_t deadline = context.timeline.least_deadline(call.invoked_granule, ttl_ms);
    start(context, report, {call.key, owner, deadline, index, true}, at);
  }

  void take_invocation(const run_context& context, sim::call_index index) {
    const sim::call_record& call = context.run.calls[index];
    if (gives_up(call) && call.to != call.owner) book_.doubt(call.key, call.owner);
    if (asked_for(call) != nobody && call.arguments_lawful)
      book_.shorten(call.key, asked_for(call),
                    context.timeline.least_deadline(call.invoked_granule, call.ttl_ms));
  }

  void start(const run_context& context, reporter& report, const grant& value, std::uint32_t at) {
    const sim::event& event = context.run.events[at];
    book_.start(context.timeline, value, event.granule, [&](const grant& other) {
      if (report.full()) return;
      const sim::true_time end = std::min(end_of(context, value, at), end_of(context, other, at));
      report(
          at, value.call, [&] { return text(context, value, other, at, end); }, end - event.at);
    });
  }

  // As far as the steps tell: its own release, or its last deadline.
  static sim::true_time end_of(const run_context& context, grant value, std::uint32_t after) {
    const timeline& line = context.timeline;
    const sim::true_time since = context.run.events[after].at;
    for (const step& later : line.steps()) {
      const sim::event& event = line.event_of(later);
      if (later.event <= after || event.key != value.key) continue;
      if (line.over_at(value.deadline, since) <= event.at) break;
      if (later.ended == value.owner) return event.at;
      if (later.granted == value.owner) value.deadline = later.promised;
    }
    return std::min(line.over_at(value.deadline, since), context.run.ended);
  }

  static std::string text(const run_context& context, const grant& value, const grant& other,
                          std::uint32_t at, sim::true_time end) {
    const sim::run_record& run = context.run;
    const sim::event& event = run.events[at];
    return at_instant(event) + " " + call_text(run, value.call) + " is granted " +
           key_name(run, value.key) + " while the grant of " + owner_name(run, other.owner) +
           " from " + call_text(run, other.call) + " lasts until " + deadline_text(other.deadline) +
           " (backend now " + std::to_string(event.granule) + "): both hold for " +
           milliseconds(end - event.at);
  }

  grant_book book_;
};

}  // namespace

std::unique_ptr<property> make_single_owner_grant() { return std::make_unique<grant_rule>(); }

}  // namespace leaselab::properties
