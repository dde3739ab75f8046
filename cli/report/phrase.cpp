// What one event says in a few words.
#include <fmt/format.h>

#include "cli/report/timeline.hpp"
#include "cli/report/words.hpp"
#include "sim/names.hpp"

namespace leaselab::cli {
namespace {

using sim::event_kind;
using sim::verb;

std::string name_at(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : std::to_string(index);
}

std::string owner_at(const sim::run_record& run, sim::owner_id owner) {
  return owner == sim::nobody ? "nobody" : name_at(run.owners, owner);
}

std::string record_phrase(const sim::run_record& run, const sim::record_state& record) {
  if (record.owner == sim::nobody) return "free";
  if (record.deadline == sim::no_deadline) return owner_at(run, record.owner) + " for ever";
  return fmt::format("{} until {} ms", owner_at(run, record.owner), record.deadline);
}

std::string call_phrase(const sim::run_record& run, const sim::call_record& call) {
  const std::string what(sim::name_of(call.what));
  if (call.what == verb::close) return what;
  std::string out = fmt::format("{} {}", what, name_at(run.keys, call.key));
  if (call.what == verb::get) return out;
  const std::string owner = call.owner == sim::nobody ? "\"\"" : name_at(run.owners, call.owner);
  if (call.what == verb::transfer) {
    out += fmt::format(" from {} to {}", owner, name_at(run.owners, call.to));
  } else {
    out += " as " + owner;
  }
  if (call.what == verb::release || call.what == verb::write) return out;
  return out + fmt::format(", {} ms", call.ttl_ms);
}

std::string answer_phrase(const sim::run_record& run, const sim::call_record& call) {
  const std::string what(sim::name_of(call.what));
  if (call.ended == outcome::fail) return fmt::format("{} fails: {}", what, to_string(call.code));
  if (call.ended == outcome::info) return fmt::format("{} unknown: {}", what, to_string(call.code));
  if (call.what == verb::get) return "owner: " + owner_at(run, call.named);
  if (call.what == verb::acquire && call.yes) return "acquired";
  if (call.what == verb::acquire) return "denied, names " + owner_at(run, call.named);
  const bool answers = call.what == verb::renew || call.what == verb::transfer;
  return what + (answers ? (call.yes ? ": true" : ": false") : " done");
}

std::string step_phrase(const sim::run_record& run, const sim::event& one) {
  if (one.refused) return "refused by an error reply";
  const std::string key = name_at(run.keys, one.key);
  if (one.before == one.after)
    return fmt::format("{} stays {}", key, record_phrase(run, one.after));
  return fmt::format("{}: {}", key, record_phrase(run, one.after));
}

std::string fault_phrase(const sim::plan& value, const sim::event& one) {
  const auto index = static_cast<std::size_t>(one.value);
  if (index >= value.faults.size()) return "fault";
  if (one.kind == event_kind::fault) return fault_words(value, index);
  return std::string(to_string(value.faults[index].kind)) + " ends";
}

std::string signal_phrase(const sim::run_record& run, const sim::plan& value,
                          const sim::event& one) {
  const auto note = sim::signal_note::of(one.value);
  const auto signal = signal_words(value, note.signal);
  switch (one.kind) {
    case event_kind::signal_submitted:
      return signal + " arrives";
    case event_kind::signal_offered:
      return fmt::format("offers {} to {}", signal,
                         process_words(run, one.store, note.to_incarnation));
    case event_kind::signal_accepted:
      return "accepts " + signal;
    case event_kind::signal_handed:
      return signal + " is delivered elsewhere";
    case event_kind::signal_refused:
      return note.offer ? signal + " comes back refused" : "refuses " + signal;
    case event_kind::signal_unknown:
      return "gives " + signal + " up";
    case event_kind::signal_begun:
      return "takes " + signal;
    case event_kind::run_started:
      return "begins the run of " + signal;
    case event_kind::run_ended:
      return "ends the run of " + signal;
    case event_kind::signal_interrupted:
      return "breaks off the run of " + signal;
    default:
      return std::string(sim::name_of(one.kind));
  }
}

std::string belief_phrase(const sim::run_record& run, const sim::event& one) {
  const std::string owner = owner_at(run, one.owner);
  const std::string key = name_at(run.keys, one.key);
  return one.kind == event_kind::believe ? fmt::format("believes to hold {} as {}", key, owner)
                                         : fmt::format("gives up {} as {}", key, owner);
}

}  // namespace

std::string event_phrase(const sim::run_record& run, const sim::plan& value,
                         const sim::event& one) {
  switch (one.kind) {
    case event_kind::invoke:
      return one.call < run.calls.size() ? call_phrase(run, run.calls[one.call]) : "call";
    case event_kind::complete:
      return one.call < run.calls.size() ? answer_phrase(run, run.calls[one.call]) : "answer";
    case event_kind::step:
      return step_phrase(run, one);
    case event_kind::change:
      return fmt::format("{}: {} (from outside)", name_at(run.keys, one.key),
                         record_phrase(run, one.after));
    case event_kind::believe:
    case event_kind::disbelieve:
      return belief_phrase(run, one);
    case event_kind::work:
      return "works as " + owner_at(run, one.owner);
    case event_kind::work_refused:
      return "work refused by the fence";
    case event_kind::work_sent:
      return "sends work as " + owner_at(run, one.owner);
    case event_kind::start:
      return one.incarnation > 0 ? "restarts" : "starts";
    case event_kind::fault:
    case event_kind::heal:
      return fault_phrase(value, one);
    case event_kind::quiet:
      return "quiet phase begins";
    default:
      return signal_phrase(run, value, one);
  }
}

}  // namespace leaselab::cli
