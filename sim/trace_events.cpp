// The lines of a trace between its header and its footer.
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "sim/json_text.hpp"
#include "sim/names.hpp"
#include "sim/trace.hpp"

namespace leaselab::sim {
namespace {

namespace json = boost::json;

// An index into a table of names; one beyond the table shows as a number and not as a crash.
json::value name_at(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? json_text(names[index]) : json::value(index);
}

json::value owner_name(const run_record& run, owner_id owner) {
  return owner == nobody ? json::value(nullptr) : name_at(run.owners, owner);
}

json::value record_value(const run_record& run, const record_state& record) {
  if (record.owner == nobody) return nullptr;
  json::object out{{"owner", name_at(run.owners, record.owner)}};
  out.emplace("deadline", record.deadline == no_deadline ? json::value(nullptr) : record.deadline);
  if (record.token != 0) out.emplace("token", record.token);
  return out;
}

void add_before_after(const run_record& run, const event& one, json::object& out) {
  out.emplace("before", record_value(run, one.before));
  out.emplace("after", record_value(run, one.after));
}

// Arguments may be unlawful, the empty owner among them, so they are shown as they were passed.
void add_arguments(const run_record& run, const call_record& call, json::object& out) {
  out.emplace("do", name_of(call.what));
  if (call.what == verb::close) return;
  out.emplace("key", name_at(run.keys, call.key));
  if (call.what == verb::get) return;
  out.emplace(call.what == verb::transfer ? "from" : "owner", name_at(run.owners, call.owner));
  if (call.what == verb::transfer) out.emplace("to", name_at(run.owners, call.to));
  if (call.what != verb::release && call.what != verb::write) out.emplace("ttl_ms", call.ttl_ms);
  if (!call.arguments_lawful) out.emplace("lawful", false);
  if (call.closed) out.emplace("closed", true);
}

void add_answer(const run_record& run, const call_record& call, json::object& out) {
  out.emplace("do", name_of(call.what));
  out.emplace("outcome", to_string(call.ended));
  if (call.ended != outcome::ok) {
    out.emplace("error", to_string(call.code));
    return;
  }
  if (call.what == verb::acquire) out.emplace("acquired", call.yes);
  if (call.what == verb::renew || call.what == verb::transfer) out.emplace("answer", call.yes);
  const bool names_owner = call.what == verb::get || (call.what == verb::acquire && !call.yes);
  if (names_owner) out.emplace("owner", owner_name(run, call.named));
  if (call.token) out.emplace("token", *call.token);
}

void add_call(const plan& value, const run_record& run, call_index index, json::object& out) {
  if (index >= run.calls.size()) return;
  const call_record& call = run.calls[index];
  out.emplace("call", index);
  if (call.contender) {
    out.emplace("name", "contender");
  } else if (call.spec < value.calls.size()) {
    out.emplace("spec", value.calls[call.spec].id);
    if (const auto& name = value.calls[call.spec].name; !name.empty()) {
      out.emplace("name", json_text(name));
    }
  }
  if (call.by_runtime()) out.emplace("signal", signal_of_subject(call.subject));
  if (call.repetition != 0) out.emplace("repetition", call.repetition);
}

void add_fault(const plan& value, const event& one, json::object& out) {
  const auto index = static_cast<std::size_t>(one.value);
  if (index >= value.faults.size()) return;
  out.emplace("fault", value.faults[index].id);
  out.emplace("fault_kind", to_string(value.faults[index].kind));
}

void add_process(const run_record& run, const event& one, json::object& out) {
  out.emplace("process", name_at(run.processes, one.process));
  out.emplace("incarnation", one.incarnation);
}

void add_work(const run_record& run, const event& one, json::object& out) {
  add_process(run, one, out);
  out.emplace("key", name_at(run.keys, one.key));
  out.emplace("owner", owner_name(run, one.owner));
  out.emplace("span", one.value);
  if (one.after.token != 0) out.emplace("token", one.after.token);
}

void add_belief(const run_record& run, const event& one, json::object& out) {
  add_process(run, one, out);
  out.emplace("key", name_at(run.keys, one.key));
  out.emplace("owner", owner_name(run, one.owner));
  if (one.kind != event_kind::believe) return;
  out.emplace("local_deadline_ns",
              one.value == no_deadline ? json::value(nullptr) : json::value(one.value));
}

void add_record_change(const plan& value, const run_record& run, const event& one,
                       json::object& out) {
  if (one.call < run.calls.size()) add_process(run, one, out);
  add_call(value, run, one.call, out);
  out.emplace("key", name_at(run.keys, one.key));
  if (one.store != 0) out.emplace("store", one.store);
  if (one.refused) out.emplace("refused", true);
  add_before_after(run, one, out);
}

void add_of_call(const plan& value, const run_record& run, const event& one, json::object& out) {
  add_process(run, one, out);
  add_call(value, run, one.call, out);
  if (one.call >= run.calls.size()) return;
  const call_record& call = run.calls[one.call];
  one.kind == event_kind::invoke ? add_arguments(run, call, out) : add_answer(run, call, out);
}

void add_signal(const plan& value, const run_record& run, const event& one, json::object& out) {
  const signal_note note = signal_note::of(one.value);
  add_process(run, one, out);
  out.emplace("key", name_at(run.keys, one.key));
  out.emplace("signal", note.signal);
  for (const signal_spec& signal : value.signals)
    if (signal.id == note.signal && !signal.name.empty())
      out.emplace("name", json_text(signal.name));
  if (one.owner != nobody) out.emplace("owner", owner_name(run, one.owner));
  if (note.offer != 0) out.emplace("offer", note.offer);
  if (one.kind != event_kind::signal_offered) return;
  out.emplace("to", name_at(run.processes, one.store));
  out.emplace("to_incarnation", note.to_incarnation);
}

void add_details(const plan& value, const run_record& run, const event& one, json::object& out) {
  switch (one.kind) {
    case event_kind::invoke:
    case event_kind::complete:
      return add_of_call(value, run, one, out);
    case event_kind::step:
    case event_kind::change:
      return add_record_change(value, run, one, out);
    case event_kind::believe:
    case event_kind::disbelieve:
      return add_belief(run, one, out);
    case event_kind::work:
    case event_kind::work_refused:
    case event_kind::work_sent:
      return add_work(run, one, out);
    case event_kind::start:
    case event_kind::crash:
    case event_kind::pause:
    case event_kind::resume:
      return add_process(run, one, out);
    case event_kind::fault:
    case event_kind::heal:
      return add_fault(value, one, out);
    case event_kind::quiet:
    case event_kind::end:
      return;
    default:
      return add_signal(value, run, one, out);
  }
}

}  // namespace

std::string event_line(const run_record& run, const plan& value, std::size_t index) {
  const event& one = run.events[index];
  json::object out{{"t_ns", one.at}, {"granule", one.granule}};
  out.emplace("kind", name_of(one.kind));
  add_details(value, run, one, out);
  return json::serialize(out);
}

}  // namespace leaselab::sim
