#include <charconv>

#include "scenarios/duration.hpp"
#include "scenarios/parser.hpp"

namespace leaselab::scenarios {
namespace {

// The kinds a file may ask for: all but `directed`, which is what a file without them is.
std::vector<std::string> workload_names() {
  const auto all = sim::names<sim::workload_kind>();
  return {all.begin(), all.end() - 1};
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

void parser::workload() {
  const node* found = root_.find("workload");
  scenarios::workload& work = out_.workload;
  if (found) {
    const table_reader read(
        in_, *found, "[workload]",
        {"kind", "processes", "keys", "calls", "margin", "client", "resource", "decorators"});
    work.generated = read.has("kind") || (tables("call").empty() && tables("signal").empty());
    work.kind = static_cast<sim::workload_kind>(read.one_of("kind", workload_names(), 0));
    work.processes = read.span("processes", work.processes, 1, 16);
    work.keys = read.span("keys", work.keys, 1, 16);
    work.calls = read.span("calls", work.calls, 1, 1'000'000);
    if (read.has("margin")) {
      // In ppm of the ttl; both in ns would not fit where the ttl is long.
      const auto margin = static_cast<long double>(read.duration("margin"));
      work.margin_ppm =
          static_cast<std::int64_t>(margin / static_cast<long double>(sim::ns_per_ms) * 1e6L /
                                        static_cast<long double>(in_.ttl_ms) +
                                    0.5L);
      if (work.margin_ppm >= 1'000'000) read.fail("margin", "must be less than the ttl");
    }
    work.resource = read.choice("resource", sim::resource_kind::local);
    work.decorators = read.span("decorators", work.decorators, 0, 64);
    client(read);
  }
  out_.plan.margin_ppm = work.margin_ppm;
  out_.plan.resource = work.resource;
  out_.plan.decorators = static_cast<std::uint8_t>(work.decorators.least);
  if (work.generated) out_.plan.workload = work.kind;
}

// client = "strict", or { base = "strict", acquire_error = "fail_open" }
void parser::client(const table_reader& table) {
  const node* found = table.find("client");
  if (!found) return;
  client_choice& choice = out_.workload.client;
  const auto base = [&](const table_reader& read, std::string_view key) {
    choice.base = in_.known.clients[read.one_of(key, in_.known.clients, 0)];
  };
  if (found->kind == node_kind::text) return base(table, "client");
  std::vector<std::string_view> keys{"base"};
  for (const auto& policy : in_.known.policies) keys.push_back(policy.first);
  const table_reader read(in_, *found, "client", keys);
  base(read, "base");
  for (const auto& [policy, values] : in_.known.policies)
    if (read.has(policy)) choice.policies[policy] = values[read.one_of(policy, values)];
}

void parser::nemesis() {
  const node* found = root_.find("nemesis");
  if (!found) return;
  const table_reader read(in_, *found, "[nemesis]", {"profile"});
  scenarios::nemesis& into = out_.nemesis.emplace();
  const node& profile = read.required("profile");
  if (profile.kind == node_kind::text) {
    const std::vector<std::string>& names = in_.known.profiles;
    if (std::find(names.begin(), names.end(), profile.text) == names.end())
      read.fail("profile", "there is no fault profile " + in_quotes(profile.text) +
                               suggest(profile.text, names));
    into.profile = out_.plan.profile = profile.text;
    return;
  }
  std::vector<std::string_view> keys{"budget"};
  for (int i = 0; i < sim::fault_kind_count; ++i)
    keys.push_back(to_string(static_cast<sim::fault_kind>(i)));
  const table_reader table(in_, profile, "profile", keys);
  into.budget = static_cast<std::uint32_t>(table.integer("budget", into.budget, 0, 1'000));
  for (int i = 0; i < sim::fault_kind_count; ++i)
    if (const auto kind = static_cast<sim::fault_kind>(i); table.has(to_string(kind)))
      into.chance_ppb[kind] =
          static_cast<std::uint32_t>(table.parts_per_billion(to_string(kind), 0, 1'000'000'000));
}

std::uint64_t parser::seed(const table_reader& table) const {
  const node* found = table.find("seed");
  if (!found) return 1;
  if (found->kind == node_kind::integer && found->integer >= 0)
    return static_cast<std::uint64_t>(found->integer);
  std::uint64_t value = 0;
  if (found->kind == node_kind::text) {
    const std::string& text = found->text;
    const bool hexadecimal = text.starts_with("0x");
    const char* first = text.data() + (hexadecimal ? 2 : 0);
    const char* last = text.data() + text.size();
    const auto end = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
    if (end.ec == std::errc() && end.ptr == last && first != last) return value;
  }
  table.fail("seed",
             "must be a number from 0 to 2^64 - 1, decimal or hexadecimal with 0x (in "
             "quotes above 2^63 - 1)");
}

void parser::explore() {
  const node* found = root_.find("explore");
  if (!found && !out_.workload.generated && !out_.nemesis) return;
  scenarios::explore& into = out_.explore.emplace();
  if (found) {
    const table_reader read(in_, *found, "[explore]", {"strategy", "schedules", "seed", "aim"});
    into.strategy = read.text("strategy", into.strategy);
    if (!knows_strategy(in_.known, into.strategy))
      read.fail("strategy", "there is no strategy " + in_quotes(into.strategy) +
                                suggest(into.strategy, in_.known.strategies));
    into.schedules = static_cast<std::uint64_t>(
        read.integer("schedules", static_cast<std::int64_t>(into.schedules), 1, 1'000'000'000'000));
    into.seed = seed(read);
    if (read.has("aim"))
      into.aim = std::vector<std::string>{"deadline"}[read.one_of("aim", {"deadline"})];
  }
  out_.plan.seed = into.seed;
}

// Generated worlds have both phases unless the file says otherwise, directed ones neither.
void parser::phase() {
  sim::bounds& bounds = out_.plan.bounds;
  const auto in_ttls = [&](const char* text) {
    return at_line(in_, 1, "phase", [&] { return parse_duration(text, in_.ttl_ms); });
  };
  if (out_.workload.generated) {
    bounds.safety = in_ttls("20ttl");
    bounds.quiet = in_ttls("6ttl");
  }
  const node* found = root_.find("phase");
  if (!found) return;
  const table_reader read(in_, *found, "[phase]", {"safety", "quiet"});
  bounds.safety = read.duration("safety", bounds.safety);
  bounds.quiet = read.duration("quiet", bounds.quiet);
}

void parser::claims() {
  for (const node& table : tables("property")) {
    const table_reader read(in_, table, "[[property]]", {"id"});
    const std::string id = read.text("id");
    if (std::find(in_.known.properties.begin(), in_.known.properties.end(), id) ==
        in_.known.properties.end())
      read.fail("id", "there is no property " + in_quotes(id) + suggest(id, in_.known.properties));
    out_.properties.push_back(id);
  }
  for (const node& table : tables("sometimes")) {
    const table_reader read(in_, table, "[[sometimes]]", {"reach"});
    out_.sometimes.push_back(read.text("reach"));
  }
}

void parser::signal(const node& table) {
  const table_reader read(
      in_, table, "[[signal]]",
      {"at", "process", "key", "id", "run", "plain", "suspend_at", "resume_at", "resume_in"});
  scenarios::signal into;
  into.at = read.duration("at", 0);
  into.process = process_named(read.text("process"));
  into.key = key_named(read.text("key", "K"));
  into.id = read.text("id");
  for (const scenarios::signal& other : out_.signals)
    if (other.id == into.id) read.fail("id", "there are two signals " + in_quotes(into.id));
  into.run = read.duration("run", in_.ttl_ms * sim::ns_per_ms);
  into.plain = read.flag("plain", false);
  into.resume_in = into.process;
  if (read.has("suspend_at")) {
    into.suspend_at = read.duration("suspend_at");
    into.resume_at = read.duration("resume_at");
    if (read.has("resume_in")) into.resume_in = process_named(read.text("resume_in"));
  } else if (read.has("resume_at") || read.has("resume_in")) {
    read.fail(read.has("resume_at") ? "resume_at" : "resume_in", "there is no `suspend_at`");
  }
  out_.signals.push_back(std::move(into));
}

}  // namespace leaselab::scenarios
