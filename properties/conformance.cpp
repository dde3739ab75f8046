#include "properties/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "properties/conformance_text.hpp"
#include "properties/lock.hpp"
#include "properties/property.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/standing.hpp"

namespace leaselab::properties::conformance {
namespace {

using sim::verb;

bool fits(under when, const guarantees& declared) {
  switch (when) {
    case under::always:
      return true;
    case under::reads_at:
      return declared.reading == expiry_reading::at;
    case under::reads_after:
      return declared.reading == expiry_reading::after;
    case under::atomic_handoff:
      return declared.atomic_handoff;
    case under::two_step_handoff:
      return !declared.atomic_handoff;
  }
  return false;
}

// Of a step that is no close.
operation operation_of(const step& asked) { return static_cast<operation>(asked.what); }

bool uncalled(const step& asked, const guarantees& declared) {
  return declared.as_lock && asked.what != verb::close && lacks(declared, operation_of(asked));
}

bool failed_with(const answer& got, errc code) {
  return got.ended == outcome::fail && got.code == code;
}

bool meets(const step& asked, const expectation& expected, const answer& got,
           const guarantees& declared) {
  if (expected.answer == wanted::refused) return failed_with(got, errc::invalid_argument);
  if (expected.answer == wanted::closed) return failed_with(got, errc::closed);
  if (got.ended != outcome::ok) return false;
  switch (expected.answer) {
    case wanted::acquired:  // it may name the owner, and then no other than the caller
      return got.yes && got.named.value_or(asked.owner) == asked.owner;
    case wanted::denied:
      return !got.yes && (declared.as_lock || got.named == expected.name);
    case wanted::owner:
      return got.named == expected.name;
    case wanted::nobody:
      return !got.named;
    case wanted::yes:
      return got.yes;
    case wanted::no:
      return !got.yes;
    default:
      return true;
  }
}

// The promise that such a departure breaks, unless the step names one.
std::string_view broken_promise(const step& asked, const expectation& expected, const answer& got) {
  if (!asked.property.empty()) return asked.property;
  if (expected.answer == wanted::refused || expected.answer == wanted::closed)
    return "argument.refused";
  switch (asked.what) {
    case verb::acquire:
      if (expected.answer == wanted::denied && got.yes) return "single_owner.grant";
      if (asked.lease == lease_time::over) return "expiry.on_time";
      return expected.answer == wanted::denied ? "acquire.honest_denial" : "acquire.idempotent";
    case verb::release:
      return "release.owner_only";
    case verb::renew:
      return "renew.honest";
    case verb::transfer:
      return "handoff.honest";
    default:
      return "expiry.on_time";
  }
}

// The tokens seen so far, by key.
class token_memory {
 public:
  // Empty: as it must be.
  std::string departure(const step& asked, const answer& got) {
    const auto last = std::exchange(last_[asked.key], got.token ? got.token : last_[asked.key]);
    if (asked.token == token_rule::any) return "";
    if (!got.token) return "no fencing token";
    const bool good = asked.token == token_rule::same ? last == got.token : got.token > last;
    return good ? "" : fmt::format("token {} after {}", *got.token, last.value_or(0));
  }

 private:
  std::map<std::string, std::optional<std::uint64_t>> last_;
};

row row_of(const conformance_case& about) {
  row out;
  out.what = about.what;
  out.edge = about.edge;
  out.expected = about.sentence;
  return out;
}

row departed_at(const conformance_case& about, const promises& held_to, std::size_t index,
                std::string_view property, const std::string& expected, const std::string& got) {
  row out = departed(about, held_to, property,
                     fmt::format("{} to {}", got, describe_call(about.steps[index])));
  if (!expected.empty()) out.expected = expected;
  return out;
}

}  // namespace

std::string_view to_string(row_end value) {
  switch (value) {
    case row_end::ok:
      return "ok";
    case row_end::departed:
      return "departed";
    case row_end::not_run:
      return "not_run";
  }
  return "?";
}

promises::promises(guarantees declared) : declared_(std::move(declared)) {
  // Between them these three look at every property of providers.
  const sim::workload_kind workloads[] = {sim::workload_kind::calls, sim::workload_kind::handoff,
                                          sim::workload_kind::contend};
  for (const auto& one : all_properties()) {
    // A token is the provider's; what clients make of it is not asked here.
    const bool fence = one->id() == "single_owner.fenced";
    if (one->at() == level::client && !fence) continue;
    if (standing_of(*one, declared_, *find_profile("calm"), workloads) == standing::guaranteed)
      made_.emplace_back(one->id());
  }
}

bool promises::made(std::string_view property) const {
  return std::find(made_.begin(), made_.end(), property) != made_.end();
}

const expectation* expected_of(const step& asked, const guarantees& declared) {
  const auto found = std::find_if(asked.expected.begin(), asked.expected.end(),
                                  [&](const auto& one) { return fits(one.when, declared); });
  return found == asked.expected.end() ? nullptr : &*found;
}

row not_run(const conformance_case& about, std::string why) {
  row out = row_of(about);
  out.why = std::move(why);
  return out;
}

std::string inapplicable(const conformance_case& about, const guarantees& declared) {
  if (about.of_tokens && !declared.fencing) return "declares no fencing token";
  if (!declared.as_lock) return "";
  if (lacks(declared, about.what)) return fmt::format("it has no {}", to_string(about.what));
  for (const step& one : about.steps) {
    if (one.what != verb::get && uncalled(one, declared))
      return fmt::format("needs {}, which it has not", to_string(operation_of(one)));
  }
  return "";
}

conformance_case as_asked(const conformance_case& about, const guarantees& declared) {
  conformance_case out = about;
  std::erase_if(out.steps, [&](const step& one) { return uncalled(one, declared); });
  return out;
}

row departed(const conformance_case& about, const promises& held_to, std::string_view property,
             std::string got) {
  row out = row_of(about);
  out.ended = row_end::departed;
  out.promised = held_to.made(property);
  out.property = property;
  out.got = std::move(got);
  out.why = fmt::format("{} {}", property, out.promised ? "is promised" : "is not promised");
  return out;
}

row judge(const conformance_case& about, const promises& held_to,
          const std::vector<answer>& answers) {
  token_memory tokens;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const step& asked = about.steps[i];
    const auto* const expected = expected_of(asked, held_to.declared());
    if (!expected) continue;
    const answer& got = answers[i];
    if (!meets(asked, *expected, got, held_to.declared())) {
      return departed_at(about, held_to, i, broken_promise(asked, *expected, got),
                         expected->sentence, describe(asked, got));
    }
    const auto token = tokens.departure(asked, got);
    if (!token.empty())
      return departed_at(about, held_to, i, "single_owner.fenced", about.sentence, token);
  }
  if (answers.size() < about.steps.size()) return not_run(about, "not all of its calls were made");
  row out = row_of(about);
  out.ended = row_end::ok;
  out.got = describe_all(about, answers);
  return out;
}

}  // namespace leaselab::properties::conformance
