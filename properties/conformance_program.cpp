#include "properties/conformance_program.hpp"

#include <algorithm>
#include <iterator>

#include "properties/conformance_text.hpp"

namespace leaselab::properties::conformance {
namespace {

conformance_case make(operation what, std::string edge, std::string sentence, bool exact,
                      const program& steps) {
  conformance_case out;
  out.what = what;
  out.edge = std::move(edge);
  out.sentence = std::move(sentence);
  out.exact = exact;
  out.steps = steps.steps();
  return out;
}

case_list all_cases() {
  case_list all;
  for (auto* const list : {acquire_cases, get_cases, release_cases, renew_cases, transfer_cases,
                           argument_cases, name_cases, closed_cases, token_cases}) {
    auto some = list();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.what < b.what; });
  return all;
}

}  // namespace

program& program::call(sim::verb what, double at_ms, sim::process_id who, std::string owner,
                       std::string to, std::int64_t ttl_ms) {
  step made;
  made.what = what;
  made.process = who;
  made.at = std::chrono::microseconds(static_cast<std::int64_t>(at_ms * 1000 + 0.5));
  made.owner = std::move(owner);
  made.to = std::move(to);
  made.ttl_ms = ttl_ms;
  steps_.push_back(std::move(made));
  return *this;
}

program& program::on(std::string key) {
  steps_.back().key = std::move(key);
  return *this;
}

program& program::exact_ttl() {
  steps_.back().exact_ttl = true;
  return *this;
}

program& program::lease(lease_time where) {
  steps_.back().lease = where;
  return *this;
}

program& program::token(token_rule rule) {
  steps_.back().token = rule;
  return *this;
}

program& program::breaks(std::string property) {
  steps_.back().property = std::move(property);
  return *this;
}

program& program::when(under condition) {
  next_ = condition;
  return *this;
}

program& program::denied(std::string name) {
  auto sentence = "a denial that names " + readable(name);
  return expect(wanted::denied, std::move(name), std::move(sentence));
}

program& program::names(std::string name) {
  auto sentence = readable(name);
  return expect(wanted::owner, std::move(name), std::move(sentence));
}

program& program::expect(wanted answer, std::string name, std::string sentence) {
  const under when = std::exchange(next_, under::always);
  steps_.back().expected.push_back({when, answer, std::move(name), std::move(sentence)});
  return *this;
}

conformance_case on_both(operation what, std::string edge, std::string sentence,
                         const program& steps) {
  return make(what, std::move(edge), std::move(sentence), false, steps);
}

conformance_case at_instants(operation what, std::string edge, std::string sentence,
                             const program& steps) {
  return make(what, std::move(edge), std::move(sentence), true, steps);
}

const std::vector<conformance_case>& cases() {
  static const case_list all = all_cases();
  return all;
}

}  // namespace leaselab::properties::conformance
