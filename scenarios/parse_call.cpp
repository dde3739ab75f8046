#include <cctype>

#include "scenarios/duration.hpp"
#include "scenarios/parser.hpp"

namespace leaselab::scenarios {
namespace {

using sim::verb;

constexpr std::size_t table_limit = 200;  // processes and keys are counted in a byte
constexpr std::int64_t highest_rate = 1'000'000'000'000;

std::vector<std::string_view> call_keys(verb what) {
  std::vector<std::string_view> keys{"at",    "after",  "process",   "do",   "limit",  "every",
                                     "until", "expect", "providers", "name", "if_held"};
  const auto add = [&](std::initializer_list<std::string_view> more) {
    keys.insert(keys.end(), more);
  };
  if (what != verb::close) add({"key"});
  if (what == verb::transfer) add({"from", "to"});
  if (what != verb::close && what != verb::get && what != verb::transfer) add({"owner"});
  if (what == verb::acquire || what == verb::renew || what == verb::transfer) add({"ttl"});
  if (what == verb::write) add({"for", "pace", "guarded"});
  return keys;
}

template <class Id>
Id find_or_add(std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Id>(i);
  names.push_back(name);
  return static_cast<Id>(names.size() - 1);
}

// '+' joins a name and a wait, ':' the parts of a code point.
bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  });
}

}  // namespace

sim::process_id parser::process_named(const std::string& name) {
  std::vector<sim::process_spec>& all = out_.plan.processes;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<sim::process_id>(i);
  if (all.size() == table_limit) in_.fail(1, "more than 200 processes");
  all.push_back({name});
  return static_cast<sim::process_id>(all.size() - 1);
}

sim::key_id parser::key_named(const std::string& name) {
  const auto id = find_or_add<sim::key_id>(out_.plan.keys, name);
  if (out_.plan.keys.size() > table_limit) in_.fail(1, "more than 200 keys");
  return id;
}

sim::owner_id parser::owner_named(const std::string& name) {
  return find_or_add<sim::owner_id>(out_.plan.owners, name);
}

void parser::process(const node& table) {
  const table_reader read(in_, table, "[[process]]", {"name", "clock"});
  const std::string name = read.text("name");
  if (!is_name(name) || name == "backend")
    read.fail("name", "\"" + name + "\" cannot name a process (letters, digits, _ - .)");
  for (const sim::process_spec& other : out_.plan.processes)
    if (other.name == name) read.fail("name", "process \"" + name + "\" is declared twice");
  sim::process_spec& spec = out_.plan.processes[process_named(name)];
  const node* found = read.find("clock");
  if (!found) return;
  const table_reader clock(in_, *found, "clock", {"offset", "rate", "stands_in_pause"});
  if (clock.has("offset")) spec.wall_offset = clock.signed_duration("offset");
  spec.rate_ppb = clock.parts_per_billion("rate", spec.rate_ppb, highest_rate);
  spec.clock_stands_in_pause = clock.flag("stands_in_pause", false);
}

std::int64_t parser::ttl_ms(const table_reader& table) const {
  const node* found = table.find("ttl");
  if (!found) return in_.ttl_ms;
  if (found->kind == node_kind::integer) return found->integer;
  if (found->kind != node_kind::text)
    table.fail("ttl", "must be a duration such as \"250ms\" or a whole number of ms, not " +
                          std::string(to_string(found->kind)));
  return at_line(in_, found->line, "ttl",
                 [&] { return parse_milliseconds(found->text, in_.ttl_ms); });
}

std::uint32_t parser::call_named(const table_reader& table, std::string_view key,
                                 const std::string& name) const {
  if (const auto found = calls_.find(name); found != calls_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : calls_) names.push_back(entry.first);
  table.fail(key, "there is no call \"" + name + "\"" +
                      (names.empty() ? " (no call has a `name`)" : suggest(name, names)));
}

// at = "5ms", or after = "first" and after = "first+5ms".
void parser::start(const table_reader& table, sim::call_spec& call) const {
  call.at = table.duration("at", 0);
  if (!table.has("after")) return;
  if (table.has("at")) table.fail("after", "a call has `at` or `after`, not both");
  const std::string text = table.text("after");
  const auto plus = text.find('+');
  call.after = call_named(table, "after", text.substr(0, plus));
  if (call.after == call.id) table.fail("after", "the call waits for itself");
  if (plus != std::string::npos)
    call.wait = at_line(in_, table.line_of("after"), "after", [&] {
      return parse_duration(std::string_view(text).substr(plus + 1), in_.ttl_ms);
    });
  if (call.wait < 0) table.fail("after", "the wait is negative");
}

void parser::arguments(const table_reader& table, sim::call_spec& call) {
  if (call.what != verb::close) call.key = key_named(table.text("key", "K"));
  if (call.what == verb::transfer) {
    call.owner = owner_named(table.text("from"));
    call.to = owner_named(table.text("to"));
  } else if (call.what != verb::close && call.what != verb::get) {
    call.owner = owner_named(table.text("owner"));
  }
  call.ttl_ms = 0;
  if (call.what == verb::acquire || call.what == verb::renew || call.what == verb::transfer)
    call.ttl_ms = ttl_ms(table);
  if (call.what != verb::write) return;
  call.lasts = table.duration("for", 0);
  call.pace = table.duration("pace", call.lasts / 10);
  if (call.lasts > 0 && call.pace == 0) table.fail("pace", "must be more than 0");
  call.guarded = table.flag("guarded", true);
}

void parser::repetition(const table_reader& table, sim::call_spec& call) const {
  if (table.has("limit")) call.limit = table.duration("limit");
  if (call.limit == 0) table.fail("limit", "must be more than 0");
  if (table.has("every") != table.has("until"))
    table.fail(table.has("every") ? "every" : "until", "`every` and `until` go together");
  call.every = table.duration("every", 0);
  call.until = table.duration("until", 0);
  if (table.has("every") && call.every == 0) table.fail("every", "must be more than 0");
}

void parser::call(const node& table, std::uint32_t id) {
  // The verb first, since it says which keys there are; a key that no verb knows is a mistype.
  std::vector<std::string_view> any = call_keys(verb::acquire);
  any.insert(any.end(), {"from", "to", "for", "pace", "guarded"});
  const table_reader shallow(in_, table, "[[call]]", any);
  sim::call_spec spec;
  spec.id = id;
  spec.what = shallow.choice<verb>("do");
  const table_reader read(in_, table, "[[call]] that does " + std::string(sim::name_of(spec.what)),
                          call_keys(spec.what));

  spec.name = read.text("name", "");
  if (read.has("name") && !is_name(spec.name))
    read.fail("name", "\"" + spec.name + "\" cannot name a call (letters, digits, _ - .)");
  const std::string process = read.text("process");
  if (!is_name(process) || process == "backend")
    read.fail("process", "\"" + process + "\" cannot name a process (letters, digits, _ - .)");
  spec.process = process_named(process);
  start(read, spec);
  arguments(read, spec);
  repetition(read, spec);
  spec.if_held = read.flag("if_held", false);
  call_notes notes;
  notes.line = table.line;
  notes.providers = provider_filter(read);
  call_expectation(read, notes, spec.what);
  out_.plan.calls.push_back(std::move(spec));
  out_.calls.push_back(std::move(notes));
}

// A ring of calls that wait for each other would never begin.
void parser::check_order() const {
  const std::vector<sim::call_spec>& calls = out_.plan.calls;
  for (const sim::call_spec& first : calls) {
    std::size_t steps = 0;
    for (std::uint32_t id = first.id; id != sim::no_spec; id = calls[id].after)
      if (++steps > calls.size())
        in_.fail(out_.calls[first.id].line, "`after`: calls wait for each other in a ring");
  }
}

}  // namespace leaselab::scenarios
