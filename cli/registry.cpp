#include "cli/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "cli/additions.hpp"
#include "cli/exit_status.hpp"
#include "cli/startable.hpp"
#include "properties/builtin.hpp"
#include "properties/foreign.hpp"
#include "properties/lock.hpp"
#include "properties/mutants/controls.hpp"
#include "properties/mutants/mutants.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/strategy.hpp"
#include "properties/split_scripts.hpp"
#include "providers/handed_in.hpp"
#include "providers/plugin/library.hpp"
#include "sim/json_text.hpp"
#include "sim/names.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::cli {
namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& name,
                         const std::vector<std::string>& known) {
  throw usage_error(
      fmt::format("there is no {} `{}`{}", what, name, scenarios::suggest(name, known)));
}

bool is_lock(std::string_view name) { return name.starts_with(properties::lock_prefix); }
bool is_mutant(std::string_view name) { return name.starts_with("mutant:"); }
bool is_glob(std::string_view pattern) {
  return pattern.find('*') != std::string_view::npos && !is_from_elsewhere(pattern);
}

void append_once(std::vector<const sim::variant*>& to, const sim::variant* one) {
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

const char* about_workload(sim::workload_kind kind) {
  switch (kind) {
    case sim::workload_kind::contend:
      return "processes ask for the same keys, renew, work and release";
    case sim::workload_kind::handoff:
      return "a holder hands its lease over while others ask";
    case sim::workload_kind::churn:
      return "short leases, taken and lost in quick turns";
    case sim::workload_kind::calls:
      return "calls in any order with odd arguments, reused owners and closed providers";
    case sim::workload_kind::shared:
      return "processes that share owner names; no part of a plain check";
    case sim::workload_kind::runtime:
      return "signals that a runtime brings to runs, one run a key; see --client";
    default:
      return "";
  }
}

// Built in, and beside them what the program adds.
std::vector<const sim::variant*> shown_variants() {
  std::vector<const sim::variant*> out;
  for (const auto& one : properties::builtin_variants()) out.push_back(&one);
  for (const auto& one : added_providers()) out.push_back(&one.variant);
  return out;
}

}  // namespace

std::vector<described> provider_list() {
  std::vector<described> out;
  for (const auto* one : shown_variants()) {
    const auto lacks = one->missing.empty() ? "" : "; " + fallback_text(one->missing);
    out.push_back({one->name, one->about + lacks});
  }
  return out;
}

std::vector<described> property_list() {
  std::vector<described> out;
  for (const auto& one : properties::all_properties()) {
    out.push_back({std::string(one->id()), std::string(one->statement())});
  }
  return out;
}

std::vector<described> profile_list() {
  std::vector<described> out;
  for (const auto& one : properties::profiles()) {
    out.push_back({std::string(one.id), std::string(one.about)});
  }
  return out;
}

// The directed form is not for the command line.
std::vector<described> workload_list() {
  std::vector<described> out;
  for (const auto name : sim::names<sim::workload_kind>()) {
    const std::string about = about_workload(*sim::named<sim::workload_kind>(name));
    if (!about.empty()) out.push_back({std::string(name), about});
  }
  return out;
}

std::vector<described> policy_list() {
  std::vector<described> out;
  for (const auto& one : sim::policy_table()) {
    out.push_back(
        {std::string(one.key), fmt::format("{}: {}", fmt::join(one.values, " | "), one.about)});
  }
  return out;
}

std::vector<described> strategy_list() {
  std::vector<described> out;
  for (const auto& one : properties::strategies()) {
    out.push_back({std::string(one.name), std::string(one.about)});
  }
  return out;
}

std::vector<described> mutant_list() {
  std::vector<described> out;
  for (const auto& one : properties::mutants()) out.push_back({one.variant.name, one.sentence});
  return out;
}

std::vector<described> engine_list() {
  return {{"model", "a Redis in process: fast, with real Lua"},
          {"server", "a real redis-server under the simulator's clock"}};
}

std::vector<std::string> names_of(const std::vector<described>& list) {
  std::vector<std::string> out;
  for (const auto& one : list) out.push_back(one.name);
  return out;
}

std::vector<std::string> select(const std::vector<std::string>& patterns,
                                const std::vector<std::string>& known, std::string_view what) {
  const auto matches = [](const std::string& pattern, const std::string& name) {
    return glob_match(pattern, name);
  };
  for (const auto& pattern : patterns) {
    const bool found = std::any_of(known.begin(), known.end(),
                                   [&](const auto& name) { return matches(pattern, name); });
    if (!found) refuse(what, pattern, known);
  }
  std::vector<std::string> out;
  for (const auto& name : known) {
    const bool wanted = patterns.empty() ||
                        std::any_of(patterns.begin(), patterns.end(),
                                    [&](const auto& pattern) { return matches(pattern, name); });
    if (wanted) out.push_back(name);
  }
  return out;
}

// "split:redis", "split:redis/renew".
static const sim::variant* find_split(const std::string& name) {
  auto base = name.substr(std::string_view("split:").size());
  if (is_from_elsewhere(base)) return nullptr;  // it runs no scripts of ours
  std::string script;
  if (const auto slash = base.find('/'); slash != std::string::npos) {
    script = base.substr(slash + 1);
    base.resize(slash);
  }
  const auto* const found = find_provider(base);
  if (!found || !found->needs_engine) return nullptr;
  const auto known = properties::scripts_of(*found);
  const bool there = script.empty() || std::find(known.begin(), known.end(), script) != known.end();
  return there ? &properties::split_variant(*found, script) : nullptr;
}

// A missing file is a slip of the pen; what goes wrong after the start is the provider's affair.
static const sim::variant& find_from_elsewhere(const std::string& name, const std::string& folder) {
  expect_startable(name, folder);
  try {
    return properties::find_foreign(name, folder).variant;
  } catch (const plugin::no_plugin& error) {
    const std::string hint =
        name.ends_with(".so") ? "" : fmt::format("; of a program say exec:{}", name);
    throw usage_error(error.what() + hint);
  }
}

static const sim::variant* find_lock(const std::string& name, const std::string& folder) {
  const auto* const base = find_provider(name.substr(properties::lock_prefix.size()), folder);
  if (!base || base->declared.as_lock) return base;
  try {
    return &properties::lock_variant(*base);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--as lock: {}", error.what()));
  }
}

const sim::variant* find_provider(const std::string& name, const std::string& folder) {
  if (is_lock(name)) return find_lock(name, folder);
  if (properties::is_foreign(name)) return &find_from_elsewhere(name, folder);
  if (name.starts_with("split:")) return find_split(name);
  if (name.starts_with("control:")) return properties::find_control_variant(name);
  if (const auto* const added = find_added(name)) return &added->variant;
  if (!is_mutant(name)) return properties::find_variant(name);
  const auto* const found = properties::find_mutant(name);
  return found ? &found->variant : nullptr;
}

const sim::variant& provider_named(const std::string& name, const std::string& folder) {
  const auto* const found = find_provider(name, folder);
  if (found) return *found;
  const auto base = is_lock(name) ? name.substr(properties::lock_prefix.size()) : name;
  if (std::error_code error; std::filesystem::is_regular_file(base, error)) {
    throw usage_error(fmt::format(
        "there is no provider `{0}`, but a file: of a program say exec:./{0}, of a library ./{0}",
        base));
  }
  refuse("provider", base, names_of(is_mutant(base) ? mutant_list() : provider_list()));
}

bool is_from_elsewhere(std::string_view name) {
  while (is_lock(name)) name.remove_prefix(properties::lock_prefix.size());
  return properties::is_foreign(name);
}

std::string folder_of(const std::string& provider) {
  if (!is_from_elsewhere(provider)) return "";
  std::error_code error;
  const auto here = std::filesystem::current_path(error).string();
  return sim::is_utf8(here) ? here : "";
}

tested_as tested_as_named(const std::string& word) {
  if (word == "lease") return tested_as::lease;
  if (word == "lock") return tested_as::lock;
  throw usage_error(fmt::format("--as: `{}`{}", word, scenarios::suggest(word, {"lease", "lock"})));
}

std::string provider_name(const std::string& name, tested_as as) {
  return as == tested_as::lock ? std::string(properties::lock_prefix) + name : name;
}

static std::vector<const sim::variant*> all_providers(tested_as as) {
  std::vector<const sim::variant*> out;
  for (const auto* const one : shown_variants()) {
    if (as == tested_as::lock && one->declared.scope == scope::none) continue;
    out.push_back(&provider_named(provider_name(one->name, as)));
  }
  return out;
}

std::vector<const sim::variant*> select_providers(const std::vector<std::string>& patterns,
                                                  tested_as as) {
  if (patterns.empty()) return all_providers(as);
  std::vector<const sim::variant*> out;
  for (const auto& pattern : patterns) {
    if (!is_glob(pattern)) {
      append_once(out, &provider_named(provider_name(pattern, as)));
      continue;
    }
    const auto known = names_of(is_mutant(pattern) ? mutant_list() : provider_list());
    for (const auto& name : select({pattern}, known, "provider")) {
      append_once(out, find_provider(provider_name(name, as)));
    }
  }
  return out;
}

std::vector<operation> missing_of(const sim::variant& provider) { return provider.missing; }

std::optional<sim::workload_kind> workload_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto known = names_of(workload_list());
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse("workload", name, known);
  return sim::named<sim::workload_kind>(name);
}

sim::client_policy client_named(const std::string& text) {
  try {
    return sim::parse_client(text);
  } catch (const sim::policy_error& error) {
    throw usage_error(
        fmt::format("--client: {}{}", error.what(), scenarios::suggest(error.word, error.allowed)));
  }
}

std::string strategy_named(const std::string& name) {
  if (name == "exhaustive") return name;
  try {
    properties::make_strategy(name);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--strategy: {}", error.what()));
  }
  return name;
}

properties::engine_factory engine_named(const std::string& name) {
  using sim::redis::engine;
  if (name == "model") {
    return [] { return std::unique_ptr<engine>(std::make_unique<sim::redis::model_engine>()); };
  }
  if (name == "server") {
    return [] { return std::unique_ptr<engine>(std::make_unique<sim::redis::server_engine>()); };
  }
  refuse("engine", name, names_of(engine_list()));
}

bool engine_can(const std::string& engine, const sim::fault_spec& fault) {
  using sim::fault_kind;
  if (engine == "model") return true;
  switch (fault.kind) {
    case fault_kind::failover:
    case fault_kind::two_primaries:
    case fault_kind::replica_read:
      return false;
    case fault_kind::backend_down:
      return fault.data == sim::data_kept::kept;
    default:
      return true;
  }
}

bool engine_can(const std::string& engine, std::string_view profile) {
  return engine == "model" || (profile != "failover" && profile != "backend-restart");
}

scenarios::known_names known_names() {
  scenarios::known_names out;
  out.providers = names_of(provider_list());
  out.mutants = names_of(mutant_list());
  out.properties = names_of(property_list());
  out.profiles = names_of(profile_list());
  out.strategies = names_of(strategy_list());
  std::erase(out.strategies, "exhaustive");  // it walks worlds of its own
  std::replace(out.strategies.begin(), out.strategies.end(), std::string("pct:d"),
               std::string("pct"));
  for (const auto& one : sim::policy_table())
    out.policies.emplace(one.key, std::vector<std::string>(one.values.begin(), one.values.end()));
  return out;
}

}  // namespace leaselab::cli
