#include "properties/describe.hpp"

namespace leaselab::properties {
namespace {

std::string name_in(const std::vector<std::string>& names, std::size_t index, char prefix) {
  if (index < names.size() && !names[index].empty()) return names[index];
  return prefix + std::to_string(index);
}

std::string verb_name(sim::verb what) {
  switch (what) {
    case sim::verb::acquire:
      return "acquire";
    case sim::verb::get:
      return "get";
    case sim::verb::release:
      return "release";
    case sim::verb::renew:
      return "renew";
    case sim::verb::transfer:
      return "transfer";
    case sim::verb::write:
      return "write";
    case sim::verb::close:
      return "close";
  }
  return "call";
}

bool has_ttl(sim::verb what) {
  return what == sim::verb::acquire || what == sim::verb::renew || what == sim::verb::transfer;
}

}  // namespace

std::string owner_name(const sim::run_record& run, sim::owner_id owner) {
  return owner == sim::nobody ? "nobody" : name_in(run.owners, owner, 'o');
}

std::string key_name(const sim::run_record& run, sim::key_id key) {
  return name_in(run.keys, key, 'k');
}

std::string holder_name(const sim::run_record& run, sim::process_id process, int incarnation) {
  std::string text = name_in(run.processes, process, 'p');
  if (incarnation > 0) text += " (incarnation " + std::to_string(incarnation) + ")";
  return text;
}

std::string milliseconds(std::int64_t ns) {
  const std::int64_t us = ns / 1000;
  std::string fraction = std::to_string(1000 + us % 1000).substr(1);
  return std::to_string(us / 1000) + "." + fraction + " ms";
}

std::string at_instant(const sim::event& event) { return "at " + milliseconds(event.at); }

std::string call_text(const sim::run_record& run, sim::call_index index) {
  if (index == sim::no_call) return "something outside";
  const sim::call_record& call = run.calls[index];
  std::string text = holder_name(run, call.process, call.incarnation) + ": " +
                     verb_name(call.what) + "(" + key_name(run, call.key);
  if (call.owner != sim::nobody) text += ", " + owner_name(run, call.owner);
  if (call.what == sim::verb::transfer) text += ", " + owner_name(run, call.to);
  if (has_ttl(call.what)) text += ", " + std::to_string(call.ttl_ms);
  return text + ")";
}

std::string deadline_text(std::int64_t deadline) {
  return deadline == sim::no_deadline ? "no deadline" : std::to_string(deadline);
}

std::string record_text(const sim::run_record& run, const sim::record_state& record) {
  if (record.owner == sim::nobody) return "nobody";
  return owner_name(run, record.owner) + " until " + deadline_text(record.deadline);
}

}  // namespace leaselab::properties
