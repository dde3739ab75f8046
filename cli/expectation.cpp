#include "cli/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace leaselab::cli {
namespace {

using scenarios::answer;
using scenarios::call_outcome;

call_outcome outcome_of(const sim::call_record& call) {
  if (call.completed == sim::never) return call_outcome::info;
  switch (call.ended) {
    case outcome::ok:
      return call_outcome::ok;
    case outcome::fail:
      return call_outcome::fail;
    case outcome::info:
      break;
  }
  return call_outcome::info;
}

std::string name_of_call(const sim::call_spec& spec, std::size_t index, std::uint32_t repetition) {
  std::string out = spec.name.empty() ? fmt::format("call {}", index + 1) : spec.name;
  if (repetition > 0) out += fmt::format(", repetition {}", repetition);
  return out;
}

std::string owner_text(const std::string& owner) { return owner.empty() ? "none" : owner; }

// The first field that is not as expected.
std::optional<std::string> difference(const answer& expected, const sim::call_record& call,
                                      const sim::run_record& run) {
  const auto outcome = outcome_of(call);
  if (expected.outcome && *expected.outcome != outcome) {
    return fmt::format("expected outcome {}, got {}", to_string(*expected.outcome),
                       to_string(outcome));
  }
  const bool asks_answer = expected.acquired || expected.ok || expected.owner;
  if (asks_answer && outcome != call_outcome::ok) {
    return fmt::format("expected an answer, got outcome {}", to_string(outcome));
  }
  if (expected.acquired && *expected.acquired != call.yes) {
    return fmt::format("expected acquired = {}, got {}", *expected.acquired, call.yes);
  }
  if (expected.ok && *expected.ok != call.yes) {
    return fmt::format("expected ok = {}, got {}", *expected.ok, call.yes);
  }
  const std::string& named = run.owners[call.named];
  if (expected.owner && *expected.owner != named) {
    return fmt::format("expected owner {}, got {}", owner_text(*expected.owner), owner_text(named));
  }
  return std::nullopt;
}

bool expects_something(const answer& expected) { return !(expected == answer{}); }

// All records of one call, or that there is none.
void check_call(const answer& expected, const sim::plan& made, std::size_t place,
                const sim::run_record& run, std::vector<std::string>& unmet) {
  const sim::call_spec& spec = made.calls[place];
  bool was_made = false;
  for (const auto& call : run.calls) {
    if (call.contender || call.spec != place) continue;
    was_made = true;
    if (const auto what = difference(expected, call, run)) {
      unmet.push_back(fmt::format("{}: {}", name_of_call(spec, spec.id, call.repetition), *what));
    }
  }
  const bool may_be_missing = expected.outcome == call_outcome::not_made;
  if (!was_made && !may_be_missing) {
    unmet.push_back(
        fmt::format("{}: expected an answer, was not made", name_of_call(spec, spec.id, 0)));
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> unmet_answers(const scenarios::scenario& value,
                                       const std::string& provider, const sim::plan& made,
                                       const sim::run_record& run) {
  std::vector<std::string> unmet;
  for (std::size_t place = 0; place < made.calls.size(); ++place) {
    const std::size_t index = made.calls[place].id;  // the file's own calls come first
    if (index >= value.calls.size()) continue;
    const auto expected = scenarios::answer_of(value, index, provider);
    if (expects_something(expected)) check_call(expected, made, place, run, unmet);
  }
  return unmet;
}

bool meets(const scenarios::expectation& expected, const shown_violations& shown,
           std::vector<run_violation>& out) {
  using scenarios::expected::violates;
  using scenarios::expected::violates_only;
  const bool named = expected.kind == violates || expected.kind == violates_only;
  const bool lenient = expected.kind == violates || expected.kind == scenarios::expected::holds;
  bool ok = true;
  for (const auto& [property, what] : shown) {
    const bool wanted = named && contains(expected.properties, property);
    const bool lawful = wanted || (lenient && !what.guaranteed);
    out.push_back({property, what.text, lawful});
    ok &= lawful;
  }
  if (!named) return ok;
  return ok && std::all_of(expected.properties.begin(), expected.properties.end(),
                           [&](const auto& property) { return shown.contains(property); });
}

std::string got_text(const shown_violations& shown) {
  std::string out;
  for (const auto& [property, ignored] : shown) out += (out.empty() ? "" : ",") + property;
  return out.empty() ? "holds" : "violates:" + out;
}

}  // namespace leaselab::cli
