// What befalls one message, or strikes as a trip passes a code point.
#include <algorithm>
#include <utility>

#include "sim/core.hpp"
#include "sim/nemesis.hpp"

namespace leaselab::sim {
namespace {

bool is_answer(fault_kind kind) {
  return kind == fault_kind::error_reply || kind == fault_kind::redirect;
}

bool befalls_legs(fault_kind kind) { return is_message_fault(kind) && !is_answer(kind); }

// To the broker, as to the backend, and from it.
leg leg_of(event_label what) {
  const bool down = what == event_label::reply || what == event_label::deliver;
  return down ? leg::reply : leg::request;
}

}  // namespace

bool is_message_fault(fault_kind kind) {
  switch (kind) {
    case fault_kind::drop:
    case fault_kind::delay:
    case fault_kind::hold:
    case fault_kind::duplicate:
    case fault_kind::error_reply:
    case fault_kind::redirect:
      return true;
    default:
      return false;
  }
}

bool nemesis::cut(process_id process, event_label what) const {
  const auto& faults = world_.plan->faults;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (!active_[i] || faults[i].kind != fault_kind::partition) continue;
    if (faults[i].process != process) continue;
    if (leg_of(what) == leg::reply ? faults[i].cut_replies : faults[i].cut_requests) return true;
  }
  return false;
}

bool nemesis::matches(const fault_spec& fault, const trip& sent) const {
  if (fault.call != sent.name.subject) return false;
  if (!fault.command.empty())
    return sent.request.label() == fault.command ||
           (sent.request.lua && "EVALSHA:" + sent.request.lua->name == fault.command);
  return is_trip(sent, fault.trip);
}

bool nemesis::is_trip(const trip& sent, std::uint16_t wanted) const {
  const std::uint16_t number = sent.name.trip & ~reload_mark;
  if (wanted == last_trip) return number >= world_.workload.last_trip_of(sent.call);
  return number == wanted;
}

void nemesis::on_message(const trip& sent, pending message) {
  const process_slot& process = *world_.processes[sent.process];
  const bool request = message.event.what == event_label::request;
  if (request && world_.now < process.connected_at) {
    message.earliest += process.connected_at - world_.now;
    message.latest += process.connected_at - world_.now;
  }
  if (cut(sent.process, message.event.what)) message.parked |= park_partition;
  if (request && backend_.down()) message.parked |= park_down;
  // Until the code point has passed, the request is the process's own: a crash there drops it.
  if (request && reached(sent, false)) message.addressee = sent.process;
  const auto& faults = world_.plan->faults;
  bool copied = false;  // once: a second copy would have the name of the first
  for (std::size_t i = 0; any_messages_ && i < faults.size(); ++i) {
    if (spent_[i] || !befalls_legs(faults[i].kind)) continue;
    if (faults[i].leg != leg_of(message.event.what) || !matches(faults[i], sent)) continue;
    if (faults[i].kind == fault_kind::duplicate && std::exchange(copied, true)) continue;
    spend(i);
    if (faults[i].kind == fault_kind::drop) return;
    befall(faults[i], message);
  }
  world_.post(message);
}

void nemesis::on_single(pending leg) {
  if (cut(leg.event.process, leg.event.what)) leg.parked |= park_partition;
  if (leg.event.what == event_label::publish && backend_.down()) leg.parked |= park_down;
  const auto& faults = world_.plan->faults;
  for (std::size_t i = 0; any_messages_ && i < faults.size(); ++i) {
    const fault_spec& fault = faults[i];
    const bool befalls = fault.kind == fault_kind::drop || fault.kind == fault_kind::delay ||
                         fault.kind == fault_kind::hold;
    const unsigned trip = std::max<unsigned>(leg.event.trip, 1);  // of a write: which work step
    if (spent_[i] || !befalls || fault.call != leg.event.subject || fault.trip != trip) continue;
    if (fault.leg != leg_of(leg.event.what)) continue;
    spend(i);
    if (fault.kind == fault_kind::drop) return;
    befall(fault, leg);
  }
  world_.post(leg);
}

void nemesis::befall(const fault_spec& fault, pending& message) {
  switch (fault.kind) {
    case fault_kind::delay:
      message.earliest += fault.by;
      message.latest += fault.by;
      return;
    case fault_kind::hold:
      return hold(fault, message);
    default:
      // A client drops a reply that it has had: only a request's copy does anything.
      if (message.event.what == event_label::request) post_copy(fault, message);
  }
}

void nemesis::hold(const fault_spec& fault, pending& message) {
  if (fault.until_call == no_spec) {
    message.earliest = std::max(message.earliest, fault.until);
    message.latest = std::max(message.latest, fault.until);
  } else if (!world_.workload.has_ended(fault.until_call)) {
    message.parked |= park_held;
    message.hold_call = fault.until_call;
  }
}

void nemesis::post_copy(const fault_spec& fault, pending copy) {
  copy.event.what = event_label::copy;
  copy.earliest += fault.by;
  copy.latest += fault.by;
  world_.post(copy);
}

void nemesis::spend(std::size_t fault) {
  spent_[fault] = true;
  world_.note(event_kind::fault).value = static_cast<std::int64_t>(fault);
}

std::optional<reply> nemesis::error_instead(const trip& sent) {
  const auto& faults = world_.plan->faults;
  for (std::size_t i = 0; any_messages_ && i < faults.size(); ++i) {
    const fault_spec& fault = faults[i];
    if (spent_[i] || !is_answer(fault.kind) || !matches(fault, sent)) continue;
    spend(i);
    reply error;
    error.kind = reply_kind::error;
    error.text = fault.reply + " (injected)";
    return error;
  }
  return std::nullopt;
}

bool nemesis::reached(const trip& sent, bool after) {
  const auto& faults = world_.plan->faults;
  bool any = false;
  for (std::uint32_t i = 0; any_points_ && i < faults.size(); ++i) {
    if (spent_[i] || !faults[i].point || faults[i].point->after != after) continue;
    const code_point& point = *faults[i].point;
    if (point.call != sent.name.subject || !is_trip(sent, point.trip)) continue;
    spent_[i] = true;
    post_begin(i, world_.now, world_.now, 0);
    any = true;
  }
  return any;
}

}  // namespace leaselab::sim
