// What can be named on the command line: providers, properties, profiles, workloads, strategies,
// engines. Names may be globs; one that does not exist is a usage_error with the nearest that does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/search/check.hpp"
#include "scenarios/names.hpp"
#include "sim/deployment.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

struct described {
  std::string name, about;
};

std::vector<described> provider_list();
std::vector<described> property_list();
std::vector<described> profile_list();
std::vector<described> workload_list();
std::vector<described> policy_list();  // keys of the client policy table, the strict value first
std::vector<described> strategy_list();
std::vector<described> mutant_list();
std::vector<described> engine_list();

std::vector<std::string> names_of(const std::vector<described>& list);

// Those of `known` that a pattern matches, in the order of `known`; no pattern: all of them.
// `what` is how an error calls them: "property".
std::vector<std::string> select(const std::vector<std::string>& patterns,
                                const std::vector<std::string>& known, std::string_view what);

// Built-in variants, those of additions.hpp, mutants ("mutant:M10"), `release-then-acquire:<base>`,
// what a control of `score` runs on ("control:dead-after"), those from elsewhere (started in
// `folder`), and "lock:" before any of them. Null: there is none.
const sim::variant* find_provider(const std::string& name, const std::string& folder = {});
const sim::variant& provider_named(const std::string& name, const std::string& folder = {});
// As --as says: itself, or tested as a lock.
enum class tested_as { lease, lock };
tested_as tested_as_named(const std::string& word);
std::string provider_name(const std::string& name, tested_as as);
// By name or glob. Mutants are meant only where the pattern begins with "mutant:". Without a
// pattern all built-in ones; as a lock, those that can be one.
std::vector<const sim::variant*> select_providers(const std::vector<std::string>& patterns,
                                                  tested_as as = tested_as::lease);
// Whether such a name is that of a provider from elsewhere, as a lease or a lock.
bool is_from_elsewhere(std::string_view name);
// The present folder where the provider is from elsewhere: what a trace of it is replayed in.
std::string folder_of(const std::string& provider);

// What one from elsewhere lacks, so that a runtime falls back to the no-op provider.
std::vector<operation> missing_of(const sim::variant& provider);

std::optional<sim::workload_kind> workload_named(const std::string& name);  // empty: nothing
// A preset and what differs from it: "strict,acquire_error=fail_open".
sim::client_policy client_named(const std::string& text);
std::string strategy_named(const std::string& name);
properties::engine_factory engine_named(const std::string& name);
// A real server has no replica and cannot be set back: some faults want the model.
bool engine_can(const std::string& engine, const sim::fault_spec& fault);
bool engine_can(const std::string& engine, std::string_view profile);

// What scenario files may name.
scenarios::known_names known_names();

}  // namespace leaselab::cli
