#include <cctype>

#include "scenarios/fault_keys.hpp"
#include "scenarios/parser.hpp"
#include "scenarios/runtime_calls.hpp"

namespace leaselab::scenarios {
namespace {

using sim::fault_kind;

// Every key that any kind has: the kind itself must be known before the right ones are.
std::vector<std::string_view> any_key() {
  std::vector<std::string_view> all{"kind", "providers"};
  for (int i = 0; i < sim::fault_kind_count; ++i)
    for (const std::string_view key : keys_of(static_cast<fault_kind>(i)))
      if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
  return all;
}

std::vector<std::string_view> allowed_keys(fault_kind kind) {
  std::vector<std::string_view> all{"kind", "providers"};
  const auto own = keys_of(kind);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

// A number from 1 to 999, as trips are written in code points.
bool is_trip(std::string_view text) {
  return !text.empty() && text.size() <= 3 && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "SET", "EVALSHA:refresh"
bool is_command(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && std::isupper(static_cast<unsigned char>(text[i]))) ++i;
  if (i == 0 || i == text.size()) return i > 0;
  return text[i] == ':' && i + 1 < text.size();
}

}  // namespace

sim::process_id parser::known_process(const table_reader& table, std::string_view key,
                                      bool may_be_backend) const {
  const std::string name = table.text(key);
  if (name == "backend" && may_be_backend) return sim::backend_process;
  return process_of_name(table, key, name, may_be_backend);
}

sim::process_id parser::process_of_name(const table_reader& table, std::string_view key,
                                        const std::string& name, bool may_be_backend) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < out_.plan.processes.size(); ++i) {
    if (out_.plan.processes[i].name == name) return static_cast<sim::process_id>(i);
    names.push_back(out_.plan.processes[i].name);
  }
  if (may_be_backend) names.emplace_back("backend");
  table.fail(key, "there is no process \"" + name + "\"" + suggest(name, names));
}

// A call of the file, or one that a runtime makes for a signal.
std::uint32_t parser::any_call(const table_reader& table, std::string_view key,
                               const std::string& name) const {
  if (calls_.contains(name) || out_.signals.empty()) return call_named(table, key, name);
  if (const auto found = runtime_call(out_.signals, name)) return *found;
  std::vector<std::string> names = runtime_call_names(out_.signals);
  for (const auto& entry : calls_) names.push_back(entry.first);
  table.fail(key, "there is no call \"" + name + "\"" + suggest(name, names));
}

// point = "P1:loser:trip2:before"; a runtime's call has colons of its own.
void parser::code_point(const table_reader& table, sim::fault_spec& fault) const {
  const std::string text = table.text("point");
  const auto refuse = [&] {
    table.fail("point", "\"" + text + "\" is not <process>:<call>:trip<k>:before or ...:after");
  };
  std::string parts[4];
  std::string rest = text;
  for (int i = 3; i >= 2; --i) {
    const auto colon = rest.rfind(':');
    if (colon == std::string::npos) refuse();
    parts[i] = rest.substr(colon + 1);
    rest.resize(colon);
  }
  const auto colon = rest.find(':');
  if (colon == std::string::npos) refuse();
  parts[0] = rest.substr(0, colon);
  parts[1] = rest.substr(colon + 1);
  if (parts[3] != "before" && parts[3] != "after") refuse();
  sim::code_point point;
  point.call = any_call(table, "point", parts[1]);
  point.after = parts[3] == "after";
  const std::string number = parts[2].starts_with("trip") ? parts[2].substr(4) : parts[2];
  if (number == "last")
    point.trip = sim::last_trip;
  else if (is_trip(number))
    point.trip = static_cast<std::uint16_t>(std::stoi(number));
  else
    refuse();
  fault.point = point;
  if (sim::is_runtime_subject(point.call)) {
    // Where a signal's run works shows only in the run: the text says which process is struck.
    if (fault.process == sim::no_process) fault.process = process_of_name(table, "point", parts[0]);
    return;
  }
  const sim::call_spec& call = out_.plan.calls[point.call];
  if (out_.plan.processes[call.process].name != parts[0])
    table.fail("point", "the call \"" + parts[1] + "\" is made by " +
                            out_.plan.processes[call.process].name + ", not by \"" + parts[0] +
                            "\"");
  if (fault.process == sim::no_process) fault.process = call.process;
}

void parser::timing(const table_reader& table, sim::fault_spec& fault) const {
  const bool clock = fault.kind <= fault_kind::freeze;
  if (table.has("process")) fault.process = known_process(table, "process", clock);
  if (table.has("point")) {
    if (table.has("at")) table.fail("point", "a fault has `at` or `point`, not both");
    code_point(table, fault);
  }
  fault.at = fault.at_latest = table.duration("at", 0);
  const auto keys = keys_of(fault.kind);
  const auto takes = [&](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (takes("process") && fault.process == sim::no_process) table.required("process");
  if (takes("for") && fault.kind != fault_kind::crash)
    fault.lasts = table.duration("for", sim::never);
  if (fault.kind == fault_kind::pause && !table.has("for")) table.required("for");
}

void parser::clocks(const table_reader& table, sim::fault_spec& fault) const {
  using sim::which_clock;
  const bool both = fault.kind == fault_kind::rate || fault.kind == fault_kind::freeze;
  if (fault.kind == fault_kind::pause) {
    const bool stands = out_.plan.processes[fault.process].clock_stands_in_pause;
    fault.clock_stands = table.one_of("clock", {"runs", "stands"}, stands ? 1 : 0) == 1;
    return;
  }
  fault.clock = static_cast<which_clock>(
      table.one_of("clock", {"wall", "monotonic", "both"},
                   static_cast<std::size_t>(both ? which_clock::both : which_clock::wall)));
  if (fault.kind == fault_kind::offset || fault.kind == fault_kind::step)
    fault.by = table.signed_duration("by");
  if (fault.kind == fault_kind::rate) {
    table.required("to");
    fault.to_ppb = table.parts_per_billion("to", 0, 1'000'000'000'000);
  }
  if (fault.kind != fault_kind::strobe) return;
  fault.by = table.signed_duration("delta");
  fault.period = table.duration("period");
  if (fault.period == 0) table.fail("period", "must be more than 0");
}

void parser::message(const table_reader& table, sim::fault_spec& fault) const {
  fault.call = any_call(table, "call", table.text("call"));
  fault.leg = table.choice("leg", sim::leg::request);
  if (const node* trip = table.find("trip"); trip && trip->kind == node_kind::text) {
    if (trip->text == "last")
      fault.trip = sim::last_trip;
    else if (is_command(trip->text))
      fault.command = trip->text;
    else
      table.fail("trip", "\"" + trip->text +
                             "\" is no trip; allowed: a number from 1, \"last\", or a command "
                             "such as \"SET\" or \"EVALSHA:refresh\"");
  } else {
    fault.trip = static_cast<std::uint16_t>(table.integer("trip", 1, 1, 999));
  }
  if (fault.kind == fault_kind::delay || fault.kind == fault_kind::duplicate)
    fault.by = table.duration("by");
  if (fault.kind == fault_kind::error_reply || fault.kind == fault_kind::redirect) {
    const std::vector<std::string> names =
        fault.kind == fault_kind::redirect
            ? std::vector<std::string>{"MOVED", "ASK", "CROSSSLOT"}
            : std::vector<std::string>{"LOADING", "READONLY", "OOM", "BUSY"};
    fault.reply = names[table.one_of("reply", names)];
  }
  if (fault.kind != fault_kind::hold) return;
  if (table.has("until") == table.has("after"))
    table.fail("until", "a hold has `until` or `after`, one of them");
  if (table.has("until")) fault.until = table.duration("until");
  if (table.has("after")) fault.until_call = call_named(table, "after", table.text("after"));
}

// from = "P1", to = "backend", or the other way round; one_way cuts only what goes from -> to.
void parser::partition(const table_reader& table, sim::fault_spec& fault) const {
  const auto from = known_process(table, "from", true);
  const auto to = table.has("to") ? known_process(table, "to", true) : sim::backend_process;
  const bool leaves_process = to == sim::backend_process;
  if ((from == sim::backend_process) == leaves_process)
    table.fail("to", "a partition stands between a process and the backend");
  fault.process = leaves_process ? from : to;
  if (!table.flag("one_way", false)) return;
  fault.cut_requests = leaves_process;
  fault.cut_replies = !leaves_process;
}

void parser::crash(const table_reader& table, sim::fault_spec& fault) const {
  fault.new_identity = table.one_of("identity", {"same", "new"}, 0) == 1;
  fault.state_lost = table.one_of("state", {"kept", "lost"}, 1) == 1;
  fault.lasts = table.duration("for", sim::never);
  if (!table.has("restart_at")) return;
  if (table.has("for")) table.fail("restart_at", "a crash has `restart_at` or `for`, not both");
  const sim::true_time restart = table.duration("restart_at");
  if (restart < fault.at) table.fail("restart_at", "is before the crash");
  // Of a crash at a code point nobody knows beforehand how long it lasts.
  if (fault.point)
    fault.until = restart;
  else
    fault.lasts = restart - fault.at;
}

void parser::data(const table_reader& table, sim::fault_spec& fault) const {
  switch (fault.kind) {
    case fault_kind::late_timer:
    case fault_kind::reap_late:
      fault.by = table.duration("by");
      break;
    case fault_kind::connect:
      fault.by = table.duration("takes");
      break;
    case fault_kind::replica_read:
      fault.by = table.duration("lag");
      break;
    case fault_kind::backend_down:
      fault.data = table.choice("data", sim::data_kept::kept);
      break;
    case fault_kind::failover:
      fault.behind = static_cast<std::uint32_t>(table.integer("behind", 0, 0, 1'000'000));
      fault.replica = static_cast<std::uint32_t>(table.integer("replica", 0, 0, 100));
      break;
    case fault_kind::two_primaries:
      if (table.duration("until") < fault.at) table.fail("until", "is before `at`");
      fault.lasts = table.duration("until") - fault.at;
      break;
    case fault_kind::overwrite:
      fault.value = table.text("value");
      break;
    default:
      break;
  }
}

void parser::fault(const node& table, std::uint32_t id) {
  const table_reader shallow(in_, table, "[[fault]]", any_key());
  const std::string name = shallow.text("kind");
  const auto kind = sim::named<fault_kind>(name);
  const auto kinds = sim::names<fault_kind>();
  if (!kind)
    shallow.fail(
        "kind", "there is no fault \"" + name + "\"" + suggest(name, {kinds.begin(), kinds.end()}));
  sim::fault_spec fault;
  fault.id = id;
  fault.kind = *kind;
  const table_reader read(in_, table, "[[fault]] of kind " + name, allowed_keys(fault.kind));
  if (hits_message(fault.kind)) {
    message(read, fault);
  } else {
    timing(read, fault);
    if (fault.kind <= fault_kind::pause) clocks(read, fault);
    if (fault.kind == fault_kind::partition) partition(read, fault);
    if (fault.kind == fault_kind::crash) crash(read, fault);
    data(read, fault);
  }
  if (fault.kind == fault_kind::evict || fault.kind == fault_kind::overwrite) {
    const std::string key = read.text("key", "K");
    const std::vector<std::string>& keys = out_.plan.keys;
    if (!out_.workload.generated && std::find(keys.begin(), keys.end(), key) == keys.end())
      read.fail("key", "no call uses the key \"" + key + "\"" + suggest(key, keys));
    fault.key = key_named(key);
  }
  fault_notes notes;
  notes.line = table.line;
  notes.providers = provider_filter(read);
  out_.plan.faults.push_back(std::move(fault));
  out_.faults.push_back(std::move(notes));
}

}  // namespace leaselab::scenarios
