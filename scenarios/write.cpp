#include "scenarios/writer.hpp"
#include "sim/names.hpp"

namespace leaselab::scenarios {
namespace {

std::string answer_fields(const std::string& front, const answer& of) {
  std::string all;
  const auto add = [&](const char* key, const std::string& value) {
    all += (all.empty() ? "" : ", ") + front + key + " = " + value;
  };
  if (of.acquired) add("acquired", *of.acquired ? "true" : "false");
  if (of.owner) add("owner", toml_text(of.owner->empty() ? "none" : *of.owner));
  if (of.ok) add("ok", *of.ok ? "true" : "false");
  if (of.outcome) add("outcome", toml_text(std::string(to_string(*of.outcome))));
  return all;
}

std::string expect_table(const call_notes& notes) {
  std::string all = answer_fields("", notes.expect);
  for (const auto& [provider, own] : notes.expect_of) {
    const std::string fields = answer_fields(toml_key(provider) + ".", own);
    if (!fields.empty()) all += (all.empty() ? "" : ", ") + fields;
  }
  return all.empty() ? "" : "{ " + all + " }";
}

void write_call_times(toml_writer& out, const sim::plan& plan, const sim::call_spec& call) {
  if (call.after == sim::no_spec) {
    out.duration("at", call.at);
    return;
  }
  std::string after = call_name(plan, call.after);
  if (call.wait > 0) after += "+" + format_duration(call.wait);
  out.text("after", after);
}

void write_call(toml_writer& out, const scenario& of, std::size_t index) {
  using sim::verb;
  const sim::plan& plan = of.plan;
  const sim::call_spec& call = plan.calls[index];
  out.header("[[call]]");
  if (!call.name.empty()) out.text("name", call.name);
  write_call_times(out, plan, call);
  out.text("process", plan.processes[call.process].name);
  out.text("do", std::string(sim::name_of(call.what)));
  if (call.what != verb::close) out.text("key", plan.keys[call.key]);
  if (call.what == verb::transfer) {
    out.text("from", plan.owners[call.owner]);
    out.text("to", plan.owners[call.to]);
  } else if (call.what != verb::close && call.what != verb::get) {
    out.text("owner", plan.owners[call.owner]);
  }
  if (call.what == verb::acquire || call.what == verb::renew || call.what == verb::transfer)
    out.line("ttl", std::to_string(call.ttl_ms));
  if (call.limit) out.duration("limit", *call.limit);
  if (call.what == verb::write) {
    out.duration("for", call.lasts, 0);
    if (call.lasts > 0) out.duration("pace", call.pace);
    out.flag("guarded", call.guarded, true);
  }
  if (call.every > 0) {
    out.duration("every", call.every);
    out.duration("until", call.until);
  }
  out.flag("if_held", call.if_held, false);
  if (const std::string expect = expect_table(of.calls[index]); !expect.empty())
    out.line("expect", expect);
  out.texts("providers", of.calls[index].providers);
}

void write_process(toml_writer& out, const sim::process_spec& process) {
  out.header("[[process]]");
  out.text("name", process.name);
  const bool plain = process.wall_offset == 0 && process.rate_ppb == 1'000'000'000 &&
                     !process.clock_stands_in_pause;
  if (plain && !out.full()) return;
  out.line("clock", "{ offset = \"" + format_duration(process.wall_offset) +
                        "\", rate = " + decimal(process.rate_ppb) + ", stands_in_pause = " +
                        (process.clock_stands_in_pause ? "true" : "false") + " }");
}

void write_head(toml_writer& out, const scenario& of) {
  out.line("schema", "1");
  out.text("title", of.title);
  if (!of.story.empty()) out.text("story", of.story);
  if (!of.origin.empty()) out.text("origin", of.origin);
  out.text("ttl", std::to_string(of.plan.ttl_ms) + "ms");
  out.duration("call_limit", of.plan.bounds.call_limit, sim::bounds{}.call_limit);
  out.texts("providers", of.providers);
  out.header("[expect]");
  if (!of.expect.contains("default") && out.full()) out.text("default", "holds");
  for (const auto& [provider, expectation] : of.expect)
    out.text(toml_key(provider), to_string(expectation));
}

void write_workload(toml_writer& out, const scenario& of) {
  const workload& work = of.workload;
  if (!out.full() && work == workload{}) return;
  out.header("[workload]");
  if (work.generated) {
    out.text("kind", std::string(to_string(work.kind)));
    out.span("processes", work.processes);
    out.span("keys", work.keys);
    out.span("calls", work.calls);
  }
  out.text("margin", fraction(work.margin_ppm) + "ttl");
  std::string client = "{ base = " + toml_text(work.client.base);
  for (const auto& [policy, value] : work.client.policies)
    client += ", " + policy + " = " + toml_text(value);
  out.line("client", client + " }");
  out.text("resource", std::string(sim::name_of(work.resource)));
  out.span("decorators", work.decorators);
}

void write_nemesis(toml_writer& out, const nemesis& value) {
  out.header("[nemesis]");
  if (!value.profile.empty()) return out.text("profile", value.profile);
  std::string table = "{ budget = " + std::to_string(value.budget);
  for (const auto& [kind, chance] : value.chance_ppb)
    table += ", " + std::string(to_string(kind)) + " = " + decimal(chance);
  out.line("profile", table + " }");
}

void write_explore(toml_writer& out, const explore& value) {
  out.header("[explore]");
  out.text("strategy", value.strategy);
  out.line("schedules", std::to_string(value.schedules));
  // TOML numbers end at 2^63 - 1.
  const std::string seed = std::to_string(value.seed);
  out.line("seed", value.seed >> 63 ? toml_text(seed) : seed);
  if (!value.aim.empty()) out.text("aim", value.aim);
}

void write_signal(toml_writer& out, const sim::plan& plan, const signal& value) {
  out.header("[[signal]]");
  out.duration("at", value.at);
  out.text("process", plan.processes[value.process].name);
  out.text("key", plan.keys[value.key]);
  out.text("id", value.id);
  out.duration("run", value.run);
  out.flag("plain", value.plain, false);
  if (!value.suspend_at) return;
  out.duration("suspend_at", *value.suspend_at);
  out.duration("resume_at", value.resume_at);
  out.text("resume_in", plan.processes[value.resume_in].name);
}

void write_claims(toml_writer& out, const scenario& of) {
  for (const std::string& id : of.properties) {
    out.header("[[property]]");
    out.text("id", id);
  }
  for (const std::string& reach : of.sometimes) {
    out.header("[[sometimes]]");
    out.text("reach", reach);
  }
}

std::string write(const scenario& of, bool full) {
  toml_writer out(full);
  write_head(out, of);
  write_workload(out, of);
  if (of.nemesis) write_nemesis(out, *of.nemesis);
  if (of.explore) write_explore(out, *of.explore);
  const sim::bounds& bounds = of.plan.bounds;
  if (full || bounds.safety > 0 || bounds.quiet > 0) {
    out.header("[phase]");
    out.duration("safety", bounds.safety);
    out.duration("quiet", bounds.quiet);
  }
  write_claims(out, of);
  for (const sim::process_spec& process : of.plan.processes) write_process(out, process);
  for (std::size_t i = 0; i < of.plan.calls.size(); ++i) write_call(out, of, i);
  for (const signal& value : of.signals) write_signal(out, of.plan, value);
  for (std::size_t i = 0; i < of.plan.faults.size(); ++i)
    write_fault(out, of.plan, of.plan.faults[i], of.faults[i].providers);
  return out.take();
}

// "strict,renew_error=ignore", as a table.
client_choice choice_of(const sim::client_policy& value) {
  const std::string text = to_string(value);
  client_choice choice;
  std::size_t from = std::min(text.find(','), text.size());
  choice.base = text.substr(0, from);
  while (from < text.size()) {
    const std::size_t to = std::min(text.find(',', from + 1), text.size());
    const std::string setting = text.substr(from + 1, to - from - 1);
    choice.policies[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
    from = to;
  }
  return choice;
}

// Every call that something refers to needs a name.
void name_calls(sim::plan& plan) {
  const auto name = [&](std::uint32_t id) {
    for (sim::call_spec& call : plan.calls)
      if (call.id == id && call.name.empty()) call.name = "c" + std::to_string(id);
  };
  for (const sim::call_spec& call : plan.calls) name(call.after);
  for (const sim::fault_spec& fault : plan.faults) {
    name(fault.call);
    name(fault.until_call);
    if (fault.point) name(fault.point->call);
  }
}

}  // namespace

std::string print(const scenario& value) {
  scenario named = value;
  name_calls(named.plan);
  // What names a runtime's call looks for its signal in the plan.
  for (const signal& one : value.signals) {
    sim::signal_spec& spec = named.plan.signals.emplace_back();
    spec.id = std::uint32_t(named.plan.signals.size() - 1);
    spec.name = one.id;
  }
  return write(named, true);
}

std::string to_toml(const sim::plan& value, const witness& header) {
  scenario of;
  of.title = header.title;
  of.story = header.story;
  of.origin = header.origin;
  of.providers = {header.provider};
  expectation& expect = of.expect[header.provider];
  if (!header.violated.empty()) expect = {expected::violates, header.violated};
  of.plan = value;
  name_calls(of.plan);
  for (sim::signal_spec& signal : of.plan.signals) {
    if (signal.name.empty()) signal.name = "s" + std::to_string(signal.id + 1);
    of.signals.push_back({signal.at, signal.process, signal.key, signal.name, signal.run,
                          signal.plain, signal.suspend_at, signal.resume_at, signal.resume_in});
  }
  if (!value.signals.empty()) of.workload.client = choice_of(value.client);
  of.calls.resize(value.calls.size());
  of.faults.resize(value.faults.size());
  of.workload.margin_ppm = value.margin_ppm;
  of.workload.resource = value.resource;
  of.workload.decorators = {value.decorators, value.decorators};
  return write(of, false);
}

}  // namespace leaselab::scenarios
