#include "scenarios/fault_keys.hpp"
#include "scenarios/writer.hpp"
#include "sim/names.hpp"

namespace leaselab::scenarios {
namespace {

using sim::fault_kind;

std::string process_name(const sim::plan& plan, sim::process_id id) {
  return id == sim::backend_process ? "backend" : plan.processes.at(id).name;
}

void write_point(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault) {
  const sim::code_point& point = *fault.point;
  std::string process = process_name(plan, fault.process);
  for (const sim::call_spec& call : plan.calls)
    if (call.id == point.call) process = plan.processes[call.process].name;
  out.text("point", process + ":" + call_name(plan, point.call) + ":trip" +
                        (point.trip == sim::last_trip ? "last" : std::to_string(point.trip)) +
                        (point.after ? ":after" : ":before"));
}

void write_message(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault) {
  out.text("call", call_name(plan, fault.call));
  if (!fault.command.empty())
    out.text("trip", fault.command);
  else if (fault.trip == sim::last_trip)
    out.text("trip", "last");
  else
    out.line("trip", std::to_string(fault.trip));
  if (fault.kind == fault_kind::error_reply || fault.kind == fault_kind::redirect)
    return out.text("reply", fault.reply);
  out.text("leg", std::string(sim::name_of(fault.leg)));
  if (fault.kind == fault_kind::delay || fault.kind == fault_kind::duplicate)
    out.duration("by", fault.by);
  if (fault.kind != fault_kind::hold) return;
  if (fault.until_call == sim::no_spec)
    out.duration("until", fault.until);
  else
    out.text("after", call_name(plan, fault.until_call));
}

void write_partition(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault) {
  const std::string process = process_name(plan, fault.process);
  out.text("from", fault.cut_requests ? process : "backend");
  out.text("to", fault.cut_requests ? "backend" : process);
  out.flag("one_way", fault.cut_requests != fault.cut_replies, false);
}

void write_crash(toml_writer& out, const sim::fault_spec& fault) {
  out.text("identity", fault.new_identity ? "new" : "same");
  out.text("state", fault.state_lost ? "lost" : "kept");
  if (fault.point && fault.until > 0) out.duration("restart_at", fault.until);
}

void write_clock(toml_writer& out, const sim::fault_spec& fault) {
  switch (fault.kind) {
    case fault_kind::pause:
      out.text("clock", fault.clock_stands ? "stands" : "runs");
      return;
    case fault_kind::strobe:
      out.duration("delta", fault.by);
      out.duration("period", fault.period);
      break;
    case fault_kind::rate:
      out.line("to", decimal(fault.to_ppb));
      break;
    case fault_kind::freeze:
      break;
    default:
      out.duration("by", fault.by);
  }
  out.text("clock", std::string(sim::name_of(fault.clock)));
}

void write_data(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault) {
  switch (fault.kind) {
    case fault_kind::late_timer:
    case fault_kind::reap_late:
      out.duration("by", fault.by);
      break;
    case fault_kind::connect:
      out.duration("takes", fault.by);
      break;
    case fault_kind::replica_read:
      out.duration("lag", fault.by);
      break;
    case fault_kind::backend_down:
      out.text("data", std::string(sim::name_of(fault.data)));
      break;
    case fault_kind::failover:
      out.line("behind", std::to_string(fault.behind));
      out.line("replica", std::to_string(fault.replica));
      break;
    case fault_kind::two_primaries:
      out.duration("until", fault.at + fault.lasts);
      break;
    case fault_kind::overwrite:
      out.text("value", fault.value);
      break;
    default:
      break;
  }
  if (fault.kind == fault_kind::evict || fault.kind == fault_kind::overwrite)
    out.text("key", plan.keys[fault.key]);
}

bool has_key(fault_kind kind, std::string_view key) {
  for (const std::string_view known : keys_of(kind))
    if (known == key) return true;
  return false;
}

}  // namespace

void write_fault(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault,
                 const std::vector<std::string>& providers) {
  out.header("[[fault]]");
  out.text("kind", std::string(to_string(fault.kind)));
  if (hits_message(fault.kind)) {
    write_message(out, plan, fault);
  } else {
    if (has_key(fault.kind, "process")) out.text("process", process_name(plan, fault.process));
    if (fault.kind == fault_kind::partition) write_partition(out, plan, fault);
    if (fault.point)
      write_point(out, plan, fault);
    else if (has_key(fault.kind, "at"))
      out.duration("at", fault.at);
    if (has_key(fault.kind, "for") && fault.lasts != sim::never) out.duration("for", fault.lasts);
    if (fault.kind <= fault_kind::pause) write_clock(out, fault);
    if (fault.kind == fault_kind::crash) write_crash(out, fault);
    write_data(out, plan, fault);
  }
  out.texts("providers", providers);
}

}  // namespace leaselab::scenarios
