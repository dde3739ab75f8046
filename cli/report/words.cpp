#include "cli/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/duration.hpp"
#include "sim/names.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::cli {
namespace {

using sim::event_label;
using sim::fault_kind;
using sim::verb;

std::string name_at(const std::vector<std::string>& names, std::size_t index,
                    const char* otherwise) {
  if (index < names.size() && !names[index].empty()) return names[index];
  return fmt::format("{}{}", otherwise, index);
}

std::string process_in(const sim::plan& value, sim::process_id process) {
  if (process == sim::backend_process) return "the backend";
  if (process >= value.processes.size()) return fmt::format("process {}", process);
  return value.processes[process].name;
}

std::string for_ttl(const sim::call_record& call) { return fmt::format(" for {} ms", call.ttl_ms); }

// A clock fault of no length is never taken back.
std::string lasting(sim::true_duration lasts) {
  return lasts == sim::never || lasts == 0 ? " for good"
                                           : " for " + scenarios::format_duration(lasts);
}

// What a message fault is about, as far as the plan can say.
std::string message_in(const sim::plan& value, const sim::fault_spec& fault) {
  const auto leg = fault.leg == sim::leg::request ? "a request" : "an answer";
  const auto call = std::find_if(value.calls.begin(), value.calls.end(),
                                 [&](const auto& one) { return one.id == fault.call; });
  if (call == value.calls.end()) return leg;
  return fmt::format("{} of {}'s {}", leg, process_in(value, call->process),
                     sim::name_of(call->what));
}

std::string clock_words(const sim::fault_spec& fault, const std::string& whose) {
  const std::string clock = fault.clock == sim::which_clock::wall ? "wall clock" : "clock";
  switch (fault.kind) {
    case fault_kind::freeze:
      return fmt::format("{} {} stands still{}", whose, clock, lasting(fault.lasts));
    case fault_kind::rate:
      return fmt::format("{} {} runs at {:g} times its rate{}", whose, clock,
                         static_cast<double>(fault.to_ppb) / 1e9, lasting(fault.lasts));
    case fault_kind::strobe:
      return fmt::format("{} {} jumps to and fro{}", whose, clock, lasting(fault.lasts));
    default:
      return fmt::format("{} {} jumps by {:.3f} ms", whose, clock,
                         static_cast<double>(fault.by) / 1e6);
  }
}

const sim::call_record* find_call(const sim::plan& value, const sim::run_record& run,
                                  const sim::label& label) {
  for (const auto& call : run.calls) {
    const bool same = call.by_runtime() ? call.subject == label.subject
                      : call.spec < value.calls.size()
                          ? value.calls[call.spec].id == label.subject
                          : call.contender && label.subject >= sim::first_contender_subject;
    if (same && call.process == label.process && call.repetition == label.repetition) return &call;
  }
  return nullptr;
}

// "P2's acquire of K as A".
std::string possessive_call(const sim::plan& value, const sim::run_record& run,
                            const sim::label& label) {
  const std::string who = process_words(run, label.process, 0) + "'s ";
  if (const auto* call = find_call(value, run, label)) {
    std::string out =
        fmt::format("{}{} of {}", who, sim::name_of(call->what), key_words(run, call->key));
    if (call->owner != sim::nobody) out += " as " + owner_words(run, call->owner);
    return out;
  }
  if (sim::is_runtime_subject(label.subject)) {
    return fmt::format("{}call for signal {}", who,
                       signal_words(value, sim::signal_of_subject(label.subject)));
  }
  return fmt::format("{}call {}", who, label.subject);
}

// Of a call that made several.
std::string trip_words(const sim::plan& value, const sim::run_record& run,
                       const sim::label& label) {
  const unsigned trip = label.trip & ~unsigned{sim::reload_mark};
  const auto* call = find_call(value, run, label);
  const bool several = trip > 1 || (call && call->trips > 1);
  return trip > 0 && several ? fmt::format(" (trip {})", trip) : "";
}

std::string timer_words(const sim::plan& value, const sim::label& label) {
  const auto signal = signal_words(value, sim::signal_of_subject(label.subject));
  const auto who = process_in(value, label.process);
  switch (static_cast<sim::errand>(sim::kind_of_subject(label.subject))) {
    case sim::errand::work:
      return fmt::format("{}'s next work step for {}", who, signal);
    case sim::errand::renew:
      return fmt::format("{}'s next renewal for {}", who, signal);
    case sim::errand::rest:
      return fmt::format("{}'s next try for {}", who, signal);
    case sim::errand::poll:
      return fmt::format("{}'s next look at who owns the key of {}", who, signal);
    case sim::errand::repeat:
      return fmt::format("{}'s next copy of the offer of {}", who, signal);
    case sim::errand::release:
      return fmt::format("{}'s next release after {}", who, signal);
    case sim::errand::clean_up:
      return fmt::format("{}'s clean-up after {}", who, signal);
    default:
      return fmt::format("a timer of {} for {}", who, signal);
  }
}

std::string message_words(const sim::plan& value, const sim::label& label) {
  const bool verdict =
      sim::kind_of_subject(label.subject) == static_cast<unsigned>(sim::errand::verdict);
  return fmt::format("{} of {}", verdict ? "the verdict on the offer" : "the offer",
                     signal_words(value, sim::signal_of_subject(label.subject)));
}

std::string fault_of(const sim::plan& value, std::uint32_t id) {
  for (std::size_t i = 0; i < value.faults.size(); ++i)
    if (value.faults[i].id == id) return fault_words(value, i);
  return fmt::format("fault {}", id);
}

}  // namespace

std::string ms_words(std::int64_t ns) {
  return fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6);
}

std::string length_words(sim::true_duration length) {
  if (length < 1'000) return fmt::format("{} ns", length);
  if (length < sim::ns_per_ms) return fmt::format("{:.3f} us", static_cast<double>(length) / 1e3);
  return ms_words(length);
}

std::string key_words(const sim::run_record& run, sim::key_id key) {
  return name_at(run.keys, key, "key ");
}

std::string owner_words(const sim::run_record& run, sim::owner_id owner) {
  return owner == sim::nobody ? "nobody" : name_at(run.owners, owner, "owner ");
}

std::string process_words(const sim::run_record& run, sim::process_id process, int incarnation) {
  const std::string name = name_at(run.processes, process, "process ");
  return incarnation > 0 ? fmt::format("{} (restarted)", name) : name;
}

std::string call_words(const sim::run_record& run, const sim::call_record& call) {
  const std::string key = key_words(run, call.key), owner = owner_words(run, call.owner);
  switch (call.what) {
    case verb::acquire:
      return fmt::format("asks for {} as {}", key, owner) + for_ttl(call);
    case verb::get:
      return "asks who owns " + key;
    case verb::release:
      return fmt::format("releases {} as {}", key, owner);
    case verb::renew:
      return fmt::format("renews {} as {}", key, owner) + for_ttl(call);
    case verb::transfer:
      return fmt::format("hands {} from {} to {}", key, owner, owner_words(run, call.to)) +
             for_ttl(call);
    case verb::write:
      return fmt::format("sets out to work on {} as {}", key, owner);
    case verb::close:
      return "closes its provider";
  }
  return "calls";
}

std::string answer_words(const sim::run_record& run, const sim::call_record& call) {
  if (call.ended == outcome::fail) return fmt::format("fails ({})", to_string(call.code));
  if (call.ended == outcome::info) return fmt::format("no answer ({})", to_string(call.code));
  switch (call.what) {
    case verb::acquire:
      return call.yes
                 ? "granted"
                 : fmt::format("denied, and told that {} owns it", owner_words(run, call.named));
    case verb::get:
      return "told that " + owner_words(run, call.named) + " owns it";
    case verb::renew:
      return call.yes ? "renewed" : "told that it is lost";
    case verb::transfer:
      return call.yes ? "handed over" : "told that it was not moved";
    default:
      return "done";
  }
}

std::string record_words(const sim::run_record& run, sim::key_id key,
                         const sim::record_state& record, std::string_view is) {
  const std::string name = key_words(run, key);
  if (record.owner == sim::nobody) return fmt::format("{} {} free", name, is);
  const std::string owner = owner_words(run, record.owner);
  if (record.deadline == sim::no_deadline)
    return fmt::format("{} {} {}'s for ever", name, is, owner);
  return fmt::format("{} {} {}'s until {}", name, is, owner, record.deadline);
}

std::string signal_words(const sim::plan& value, std::uint32_t signal) {
  for (const auto& one : value.signals)
    if (one.id == signal && !one.name.empty()) return one.name;
  return fmt::format("signal {}", signal);
}

std::string fault_words(const sim::plan& value, std::size_t index) {
  if (index >= value.faults.size()) return "a fault";
  const sim::fault_spec& fault = value.faults[index];
  const std::string who = process_in(value, fault.process);
  switch (fault.kind) {
    case fault_kind::offset:
    case fault_kind::step:
    case fault_kind::rate:
    case fault_kind::strobe:
    case fault_kind::freeze:
      return clock_words(fault, who + "'s");
    case fault_kind::pause:
      return fmt::format("{} is stopped{}{}", who, lasting(fault.lasts),
                         fault.clock_stands ? ", its clocks too" : "");
    case fault_kind::crash:
      return who + " crashes";
    case fault_kind::drop:
      return message_in(value, fault) + " is lost";
    case fault_kind::delay:
      return message_in(value, fault) + " takes longer by " + ms_words(fault.by);
    case fault_kind::hold:
      return message_in(value, fault) + " is held up";
    case fault_kind::duplicate:
      return message_in(value, fault) + " arrives twice";
    case fault_kind::partition:
      return fmt::format("{} and the backend are cut off{}", who, lasting(fault.lasts));
    case fault_kind::error_reply:
    case fault_kind::redirect:
      return fmt::format("{} is answered {} instead", message_in(value, fault), fault.reply);
    case fault_kind::late_timer:
      return fmt::format("{}'s timers are late{}", who, lasting(fault.lasts));
    case fault_kind::backend_down:
      return fmt::format("the backend is down{}{}", lasting(fault.lasts),
                         fault.data == sim::data_kept::kept ? "" : ", and loses data");
    case fault_kind::failover:
      return fmt::format("a replica takes over, {} writes behind", fault.behind);
    default:
      return "a fault: " + std::string(to_string(fault.kind));
  }
}

std::string label_words(const sim::plan& value, const sim::run_record& run,
                        const sim::label& label) {
  const auto of_call = [&](std::string_view what) {
    return fmt::format("{} {}{}", what, possessive_call(value, run, label),
                       trip_words(value, run, label));
  };
  switch (label.what) {
    case event_label::start:
      return of_call("the start of");
    case event_label::request:
      return of_call("the request of");
    case event_label::reply:
      return of_call("the answer to");
    case event_label::step:
      return of_call("a step inside");
    case event_label::wake:
      return of_call("the end of a sleep in");
    case event_label::limit:
      return of_call("the time limit of");
    case event_label::work:
      return of_call("a work step of");
    case event_label::landing:
      return of_call("the landing of a work step of");
    case event_label::copy:
      return of_call("the duplicate of");
    case event_label::unblock:
      return of_call("the end of the wait at the backend in");
    case event_label::begin:
      return "the beginning of a fault (" + fault_of(value, label.subject) + ")";
    case event_label::heal:
      return "the end of a fault (" + fault_of(value, label.subject) + ")";
    case event_label::restart:
      return "the restart of " + process_in(value, label.process);
    case event_label::quiet:
      return "the beginning of the quiet phase";
    case event_label::signal:
      return fmt::format("the arrival of {} at {}",
                         signal_words(value, sim::signal_of_subject(label.subject)),
                         process_in(value, label.process));
    case event_label::publish:
      return message_words(value, label) + " on its way to the broker";
    case event_label::deliver:
      return fmt::format("{} on its way to {}", message_words(value, label),
                         process_in(value, label.process));
    case event_label::timer:
      return timer_words(value, label);
  }
  return "an event";
}

}  // namespace leaselab::cli
