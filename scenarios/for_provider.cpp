// A scenario as one provider meets it.
#include <algorithm>
#include <vector>

#include "properties/foreign.hpp"
#include "properties/lock.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What answers at which instant is written for the built-in ones; the properties judge the others.
bool judged_by_properties_alone(std::string_view provider) {
  return provider.starts_with("mutant:") || provider.starts_with(properties::lock_prefix) ||
         properties::is_foreign(provider);
}

void put_in_front(answer& of, const answer& own) {
  if (own.acquired) of.acquired = own.acquired;
  if (own.owner) of.owner = own.owner;
  if (own.ok) of.ok = own.ok;
  if (own.outcome) of.outcome = own.outcome;
}

}  // namespace

std::vector<std::string> providers_of(const scenario& value) {
  std::vector<std::string> all = value.providers;
  for (const auto& [name, expectation] : value.expect)
    if (name != "default" && !contains(all, name)) all.push_back(name);
  std::erase_if(all, [&](const std::string& name) {
    return expectation_of(value, name).kind == expected::not_applicable;
  });
  return all;
}

expectation expectation_of(const scenario& value, const std::string& provider) {
  const auto own = value.expect.find(provider);
  if (own != value.expect.end()) return own->second;
  // What a file says of all providers, it says of those that it knows.
  const auto plain = without_client(provider);
  if (properties::is_foreign(plain) || plain.starts_with(properties::lock_prefix)) return {};
  const auto all = value.expect.find("default");
  return all != value.expect.end() ? all->second : expectation{};
}

answer answer_of(const scenario& value, std::size_t index, const std::string& provider) {
  const call_notes& notes = value.calls[index];
  answer expect = judged_by_properties_alone(provider) ? answer{} : notes.expect;
  for (const std::string& name : {std::string(without_client(provider)), provider})
    if (const auto found = notes.expect_of.find(name); found != notes.expect_of.end())
      put_in_front(expect, found->second);
  return expect;
}

sim::plan plan_for(const scenario& value, const std::string& provider, const std::string& base) {
  const auto wanted = [&](const std::vector<std::string>& filter) {
    return filter.empty() || contains(filter, provider) ||
           contains(filter, std::string(without_client(provider))) ||
           (!base.empty() && contains(filter, base));
  };
  sim::plan plan = value.plan;
  // Ids are places in the file's lists, so they serve as indices into the notes.
  std::vector<bool> gone(plan.calls.size());
  for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = !wanted(value.calls[i].providers);
  const auto lost = [&](std::uint32_t call) { return call < gone.size() && gone[call]; };
  // A call may wait for one further down, so once through is not enough.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < gone.size(); ++i)
      if (!gone[i] && lost(plan.calls[i].after)) changed = gone[i] = true;
  }
  std::erase_if(plan.calls, [&](const sim::call_spec& call) { return gone[call.id]; });
  std::erase_if(plan.faults, [&](const sim::fault_spec& fault) {
    return !wanted(value.faults[fault.id].providers) || lost(fault.call) ||
           lost(fault.until_call) || (fault.point && lost(fault.point->call));
  });
  return plan;
}

std::string_view to_string(expected value) {
  switch (value) {
    case expected::holds:
      return "holds";
    case expected::violates:
      return "violates";
    case expected::violates_only:
      return "violates-only";
    case expected::clean:
      return "clean";
    case expected::not_applicable:
      break;
  }
  return "not_applicable";
}

std::string to_string(const expectation& value) {
  std::string text(to_string(value.kind));
  for (std::size_t i = 0; i < value.properties.size(); ++i)
    text += (i == 0 ? ":" : ",") + value.properties[i];
  return text;
}

std::string_view to_string(call_outcome value) {
  switch (value) {
    case call_outcome::ok:
      return "ok";
    case call_outcome::fail:
      return "fail";
    case call_outcome::info:
      return "info";
    case call_outcome::not_made:
      break;
  }
  return "not_made";
}

}  // namespace leaselab::scenarios
