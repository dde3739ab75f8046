#include "scenarios/parser.hpp"

namespace leaselab::scenarios {
namespace {

const std::vector<std::string> answer_keys{"acquired", "owner", "ok", "outcome"};
const std::vector<std::string> outcome_names{"ok", "fail", "info", "not_made"};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',')
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

std::vector<std::string> property_names(const known_names& known) {
  std::vector<std::string> names = known.properties;
  names.emplace_back("answer.as_expected");
  return names;
}

}  // namespace

void parser::check_provider(const table_reader& table, std::string_view key,
                            const std::string& name) const {
  if (knows_provider(in_.known, name)) return;
  std::vector<std::string> names = in_.known.providers;
  names.insert(names.end(), in_.known.mutants.begin(), in_.known.mutants.end());
  const bool mutant = name.starts_with("mutant:");
  table.fail(key, "there is no provider \"" + name + "\"" +
                      suggest(name, mutant ? in_.known.mutants : in_.known.providers));
}

std::vector<std::string> parser::provider_filter(const table_reader& table) const {
  const std::vector<std::string> names = table.texts("providers");
  if (table.has("providers") && names.empty()) table.fail("providers", "the list is empty");
  for (const std::string& name : names) check_provider(table, "providers", name);
  return names;
}

void parser::expectations() {
  const node* found = root_.find("expect");
  if (!found) return;
  std::vector<std::string_view> names;
  for (const auto& entry : found->entries) names.push_back(entry.key);
  const table_reader table(in_, *found, "[expect]", names);
  for (const std::string_view name : names) {
    const std::string provider(name);
    if (provider != "default") check_provider(table, name, provider);
    out_.expect[provider] = parse_expectation(table, provider);
  }
}

expectation parser::parse_expectation(const table_reader& table,
                                      const std::string& provider) const {
  const std::string value = table.text(provider);
  const std::string kind = value.substr(0, value.find(':'));
  const bool lists = kind == "violates" || kind == "violates-only";
  expectation found;
  if (lists && kind.size() < value.size()) {
    found.kind = kind == "violates" ? expected::violates : expected::violates_only;
    found.properties = split(value.substr(kind.size() + 1));
  } else if (value == "clean") {
    found.kind = expected::clean;
  } else if (value == "not_applicable") {
    found.kind = expected::not_applicable;
  } else if (value != "holds") {
    table.fail(provider, "there is no expectation \"" + value +
                             "\"; allowed: holds, violates:<property>,..., "
                             "violates-only:<property>,..., clean, not_applicable");
  }
  const std::vector<std::string> known = property_names(in_.known);
  for (const std::string& property : found.properties)
    if (std::find(known.begin(), known.end(), property) == known.end())
      table.fail(provider, "there is no property \"" + property + "\"" + suggest(property, known));
  return found;
}

// `acquired = true` is for every provider, `noop.acquired = true` is a table of its own.
void parser::call_expectation(const table_reader& call, call_notes& notes, sim::verb what) const {
  const node* found = call.typed("expect", node_kind::table);
  if (!found) return;
  node general;
  general.kind = node_kind::table;
  general.line = found->line;
  for (const auto& [key, value] : found->entries) {
    if (value.kind != node_kind::table) {
      general.entries.push_back({key, value});
      continue;
    }
    check_provider(call, "expect", key);
    const table_reader own(in_, value, "expect of " + key,
                           {answer_keys.begin(), answer_keys.end()});
    notes.expect_of[key] = parse_answer(own, what);
  }
  const table_reader all(in_, general, "expect of a call",
                         {answer_keys.begin(), answer_keys.end()});
  notes.expect = parse_answer(all, what);
}

answer parser::parse_answer(const table_reader& table, sim::verb what) const {
  using sim::verb;
  const auto only_for = [&](std::string_view key, bool fits, const char* verbs) {
    if (table.has(key) && !fits) table.fail(key, std::string("is an answer of ") + verbs + " only");
  };
  only_for("acquired", what == verb::acquire, "acquire");
  only_for("owner", what == verb::acquire || what == verb::get, "acquire and get");
  only_for("ok", what == verb::renew || what == verb::transfer, "renew and transfer");
  answer found;
  if (table.has("acquired")) found.acquired = table.flag("acquired", false);
  if (table.has("ok")) found.ok = table.flag("ok", false);
  if (table.has("owner")) {
    found.owner = table.text("owner");
    if (found.owner == "none") found.owner = "";
  }
  if (table.has("outcome"))
    found.outcome = static_cast<call_outcome>(table.one_of("outcome", outcome_names));
  return found;
}

}  // namespace leaselab::scenarios
