// The members of a plan, named once for the writer and the reader of its JSON: `field(name,
// member)` for each of them, in the order in which they stand in the text.
#pragma once

#include <type_traits>

#include "sim/plan.hpp"

namespace leaselab::sim {

// A member in which one value means "none" and is written as null.
template <class T>
struct or_null {
  T& value;
  std::remove_const_t<T> none;
};
template <class T>
or_null(T&, std::remove_const_t<T>) -> or_null<T>;

// A 64-bit number that people copy: a string, since JavaScript would round it.
template <class T>
struct as_digits {
  T& value;
};
template <class T>
as_digits(T&) -> as_digits<T>;

template <class Field, class T>
void members(Field& field, T& value, const process_spec&) {
  field("name", value.name);
  field("wall_offset_ns", value.wall_offset);
  field("rate_ppb", value.rate_ppb);
  field("clock_stands_in_pause", value.clock_stands_in_pause);
}

template <class Field, class T>
void members(Field& field, T& value, const call_spec&) {
  field("id", value.id);
  field("name", value.name);
  field("do", value.what);
  field("process", value.process);
  field("key", value.key);
  field("owner", value.owner);
  field("to", value.to);
  field("ttl_ms", value.ttl_ms);
  field("limit_ns", value.limit);
  field("at_ns", value.at);
  field("after", or_null{value.after, no_spec});
  field("wait_ns", value.wait);
  field("at_expiry", value.at_expiry);
  field("every_ns", value.every);
  field("until_ns", value.until);
  field("if_held", value.if_held);
  field("lasts_ns", value.lasts);
  field("pace_ns", value.pace);
  field("guarded", value.guarded);
}

template <class Field, class T>
void members(Field& field, T& value, const signal_spec&) {
  field("id", value.id);
  field("name", value.name);
  field("process", value.process);
  field("key", value.key);
  field("at_ns", value.at);
  field("run_ns", value.run);
  field("plain", value.plain);
  field("suspend_at_ns", value.suspend_at);
  field("resume_at_ns", value.resume_at);
  field("resume_in", value.resume_in);
}

template <class Field, class T>
void members(Field& field, T& value, const client_policy&) {
  each_policy(value, [&](std::string_view name, auto& member) { field(name, member); });
}

template <class Field, class T>
void members(Field& field, T& value, const code_point&) {
  field("call", or_null{value.call, no_spec});
  field("trip", value.trip);
  field("after", value.after);
}

template <class Field, class T>
void members(Field& field, T& value, const fault_spec&) {
  field("id", value.id);
  field("kind", value.kind);
  field("process", or_null{value.process, no_process});
  field("at_ns", value.at);
  field("at_latest_ns", value.at_latest);
  field("point", value.point);
  field("lasts_ns", or_null{value.lasts, never});
  field("by_ns", value.by);
  field("to_ppb", value.to_ppb);
  field("period_ns", value.period);
  field("clock", value.clock);
  field("clock_stands", value.clock_stands);
  field("call", or_null{value.call, no_spec});
  field("trip", or_null{value.trip, last_trip});
  field("command", value.command);
  field("leg", value.leg);
  field("until_ns", value.until);
  field("until_call", or_null{value.until_call, no_spec});
  field("cut_requests", value.cut_requests);
  field("cut_replies", value.cut_replies);
  field("new_identity", value.new_identity);
  field("state_lost", value.state_lost);
  field("reply", value.reply);
  field("data", value.data);
  field("behind", value.behind);
  field("replica", value.replica);
  field("key", value.key);
  field("value", value.value);
}

template <class Field, class T>
void members(Field& field, T& value, const bounds&) {
  field("delay_min_ns", value.delay_min);
  field("delay_max_ns", value.delay_max);
  field("lateness_ns", value.lateness);
  field("call_limit_ns", value.call_limit);
  field("asking_period_ns", value.asking_period);
  field("safety_ns", value.safety);
  field("quiet_ns", value.quiet);
  field("step_limit", value.step_limit);
  field("calls_each", value.calls_each);
}

template <class Field, class T>
void members(Field& field, T& value, const label&) {
  field("what", value.what);
  field("process", value.process);
  field("subject", value.subject);
  field("repetition", value.repetition);
  field("trip", value.trip);
}

template <class Field, class T>
void members(Field& field, T& value, const decision&) {
  field("at_ns", value.at);
  field("event", value.event);
}

template <class Field, class T>
void members(Field& field, T& value, const plan&) {
  field("workload", value.workload);
  field("profile", value.profile);
  field("seed", as_digits{value.seed});
  field("ttl_ms", value.ttl_ms);
  field("margin_ppm", value.margin_ppm);
  field("backend_phase_ns", value.backend_phase);
  field("resource", value.resource);
  field("decorators", value.decorators);
  field("lacking", value.lacking);
  field("one_at_a_time", value.one_at_a_time);
  field("bounds", value.bounds);
  field("processes", value.processes);
  field("keys", value.keys);
  field("owners", value.owners);
  field("calls", value.calls);
  field("client", value.client);
  field("signals", value.signals);
  field("faults", value.faults);
  field("decisions", value.decisions);
}

}  // namespace leaselab::sim
