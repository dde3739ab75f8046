#include "properties/handoff.hpp"

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::verb;

bool can_judge(const run_context& context) {
  return context.run.instrumented && context.timeline.planned(verb::transfer);
}

bool answered_moved(const call_record& call) { return call.ended == outcome::ok && call.yes; }

// The step found a live record of `from`.
bool found_from(const timeline& line, const step& value, const call_record& call) {
  return value.live_before && line.event_of(value).before.owner == call.owner;
}

// The step replaced a live record of `from` by one of `to`. To oneself, a step that only looks is
// taken for a renewal: whether it renewed is handoff.full_ttl's to judge.
bool moved(const timeline& line, const step& value, const call_record& call) {
  return found_from(line, value, call) && line.event_of(value).after.owner == call.to;
}

// The step took `from`'s live record away.
bool took_away(const timeline& line, const step& value, const call_record& call) {
  return found_from(line, value, call) && line.event_of(value).after.owner != call.owner;
}

// A transfer to oneself is a renewal: there is no handoff in which a gap could open.
void no_gap_of(const run_context& context, reporter& report, call_index index,
               const call_record& call) {
  if (!answered_moved(call) || call.owner == call.to) return;
  const timeline& line = context.timeline;
  const step* freed = nullptr;
  const step* put = nullptr;
  bool in_one_step = false;
  line.each_step(index, [&](const step& value) {
    in_one_step |= moved(line, value, call);
    if (took_away(line, value, call) && line.event_of(value).after.owner == nobody) freed = &value;
    if (freed && freed != &value && value.granted == call.to && value.changed) put = &value;
  });
  if (in_one_step || !put) return;
  report(
      put->event, index,
      [&] {
        return call_text(context.run, index) + " answered moved, but its step " +
               at_instant(line.event_of(*freed)) + " left the key free until its step " +
               at_instant(line.event_of(*put));
      },
      line.event_of(*put).at - line.event_of(*freed).at);
}

verdict no_gap(const run_context& context, reporter& report) {
  if (!can_judge(context)) return verdict::not_applicable;
  each_served(context, verb::transfer, [&](call_index index, const call_record& call) {
    no_gap_of(context, report, index, call);
  });
  return verdict::holds;
}

// Where the first change left the key free, a contender may take it and make the second change
// impossible: then the window lasts to the transfer's last step of any kind.
void no_steal_of(const run_context& context, reporter& report, call_index index,
                 const call_record& call) {
  const timeline& line = context.timeline;
  const step* first = nullptr;
  const step* last = nullptr;
  bool left_free = false;
  line.each_step(index, [&](const step& value) {
    if (!first && took_away(line, value, call)) {
      first = &value;
      left_free = line.event_of(value).after.owner == nobody;
    }
    if (first && (value.changed || left_free)) last = &value;
  });
  if (!first || first == last) return;
  const sim::event& opened = line.event_of(*first);
  for (const step* other = first + 1; other < last; ++other) {
    const sim::event& event = line.event_of(*other);
    if (event.key != call.key || event.store != opened.store || other->granted == nobody) continue;
    if (other->granted == call.owner || other->granted == call.to) continue;
    report(other->event, index, [&] {
      return at_instant(event) + " " + call_text(context.run, other->call) +
             " is granted the key inside " + call_text(context.run, index) +
             ", which changes it from " + milliseconds(opened.at) + " to " +
             milliseconds(line.event_of(*last).at);
    });
  }
}

verdict no_steal(const run_context& context, reporter& report) {
  if (!can_judge(context)) return verdict::not_applicable;
  each_served(context, verb::transfer, [&](call_index index, const call_record& call) {
    if (call.owner != call.to) no_steal_of(context, report, index, call);
  });
  return verdict::holds;
}

struct effect {
  int moves = 0;
  int changes = 0;
  std::uint32_t changed_at = no_index;  // the event of the last change
};

effect effect_of(const timeline& line, call_index index, const call_record& call) {
  effect total;
  line.each_step(index, [&](const step& value) {
    total.moves += moved(line, value, call);
    total.changes += value.changed_live;
    if (value.changed_live) total.changed_at = value.event;
  });
  return total;
}

std::string count_text(const effect& total) {
  return std::to_string(total.moves) + " of its steps moved the lease and " +
         std::to_string(total.changes) + " changed anything";
}

void honest_of(const run_context& context, reporter& report, call_index index,
               const call_record& call) {
  const timeline& line = context.timeline;
  const effect total = effect_of(line, index, call);
  const auto lies = [&](const char* what) {
    const std::uint32_t at = total.changed_at == no_index ? shown_at(call) : total.changed_at;
    report(at, index, [&, what] {
      return call_text(context.run, index) + " " + what + ": " + count_text(total);
    });
  };
  const bool to_oneself = call.owner == call.to;
  if (call.completed == sim::never || call.ended == outcome::info) {
    if (total.changes > 1 || (total.changes == 1 && total.moves == 0))
      lies("has an unknown end and did something else than one move");
  } else if (call.ended == outcome::fail) {
    if (total.changes > 0) lies("failed and changed the lease all the same");
  } else if (call.yes) {
    if (to_oneself ? total.moves == 0 : total.moves != 1)
      lies("answered moved, but not exactly one step of it moved a live record of the giver");
  } else {
    if (total.changes > 0) lies("answered not moved and changed the lease all the same");
    if (!line.absent_within(index, call.owner))
      lies("answered not moved though the giver's record was live all through the call");
  }
}

verdict honest(const run_context& context, reporter& report) {
  if (!can_judge(context)) return verdict::not_applicable;
  each_served(context, verb::transfer, [&](call_index index, const call_record& call) {
    honest_of(context, report, index, call);
  });
  return verdict::holds;
}

void full_ttl_of(const run_context& context, reporter& report, call_index index,
                 const call_record& call) {
  const timeline& line = context.timeline;
  bool looked_only = false;
  bool set = false;
  line.each_step(index, [&](const step& value) {
    const sim::event& event = line.event_of(value);
    if (event.after.owner != call.to) return;
    looked_only |= found_from(line, value, call);
    set |= event.after.deadline == value.promised;
    if (!value.changed || event.after.deadline == value.promised) return;
    report(value.event, index, [&] {
      return call_text(context.run, index) + " left " + record_text(context.run, event.after) +
             " " + at_instant(event) + "; its ttl ends at " + deadline_text(value.promised);
    });
  });
  // To oneself, answered, and nothing renewed.
  if (answered_moved(call) && call.owner == call.to && looked_only && !set)
    report(shown_at(call), index, [&] {
      return call_text(context.run, index) + " answered moved and left the old deadline";
    });
}

verdict full_ttl(const run_context& context, reporter& report) {
  if (!can_judge(context)) return verdict::not_applicable;
  each_served(context, verb::transfer, [&](call_index index, const call_record& call) {
    full_ttl_of(context, report, index, call);
  });
  return verdict::holds;
}

}  // namespace

std::unique_ptr<property> make_handoff_no_gap() {
  return std::make_unique<plain_rule>(
      "handoff.no_gap", level::provider,
      "a transfer that answers true never leaves the key free between giver and receiver", no_gap);
}

std::unique_ptr<property> make_handoff_no_steal() {
  return std::make_unique<plain_rule>(
      "handoff.no_steal", level::provider,
      "between the first and the last change of one transfer nobody else is granted the key",
      no_steal);
}

std::unique_ptr<property> make_handoff_honest() {
  return std::make_unique<plain_rule>(
      "handoff.honest", level::provider,
      "true: one step moved the lease; false: the giver had none and nothing changed", honest);
}

std::unique_ptr<property> make_handoff_full_ttl() {
  return std::make_unique<plain_rule>(
      "handoff.full_ttl", level::provider,
      "a transfer leaves the receiver the whole ttl, counted from its step", full_ttl);
}

}  // namespace leaselab::properties
