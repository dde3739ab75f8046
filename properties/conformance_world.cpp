#include "properties/conformance_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "properties/conformance_program.hpp"
#include "properties/conformance_text.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/strategy.hpp"
#include "sim/json_text.hpp"
#include "sim/world.hpp"

namespace leaselab::properties::conformance {
namespace {

// Of a violation; it may hold owners of any length.
constexpr std::size_t longest_sentence = 400;

// The number of `name` in the table, where it comes to stand if it is new.
template <class Id>
Id number_of(std::vector<std::string>& table, const std::string& name) {
  const auto found = std::find(table.begin(), table.end(), name);
  const auto index = found - table.begin();
  if (found == table.end()) table.push_back(name);
  return static_cast<Id>(index);
}

sim::call_spec call_of(const step& asked, std::uint32_t id, sim::plan& value) {
  sim::call_spec out;
  out.id = id;
  out.what = asked.what;
  out.process = asked.process;
  out.key = number_of<sim::key_id>(value.keys, asked.key);
  out.owner = number_of<sim::owner_id>(value.owners, asked.owner);
  out.to = number_of<sim::owner_id>(value.owners, asked.to);
  out.ttl_ms = asked.ttl_ms;
  out.at = std::chrono::nanoseconds(asked.at).count();
  return out;
}

answer answer_of(const sim::run_record& run, const sim::call_record& call) {
  answer out;
  out.ended = call.ended;
  out.code = call.code;
  out.yes = call.yes;
  if (call.named != sim::nobody) out.named = run.owners[call.named];
  out.token = call.token;
  return out;
}

// By step; up to the first that was not made or did not end.
std::vector<answer> answers_of(const sim::run_record& run, std::size_t steps) {
  std::vector<const sim::call_record*> made(steps, nullptr);
  for (const auto& call : run.calls) {
    if (call.spec < steps && call.completed != sim::never) made[call.spec] = &call;
  }
  std::vector<answer> out;
  for (std::size_t i = 0; i < steps && made[i]; ++i) out.push_back(answer_of(run, *made[i]));
  return out;
}

std::vector<std::string> of_providers() {
  std::vector<std::string> out;
  for (const auto& one : all_properties()) {
    if (one->at() != level::client) out.emplace_back(one->id());
  }
  return out;
}

bool is_text(const conformance_case& about) {
  return std::all_of(about.steps.begin(), about.steps.end(), [](const step& one) {
    return sim::is_utf8(one.key) && sim::is_utf8(one.owner) && sim::is_utf8(one.to);
  });
}

class runner {
 public:
  runner(const sim::variant& provider, const engine_factory& engine, std::uint64_t seed)
      : text_only_(provider.text_only),
        held_to_(provider.declared),
        world_(provider, provider.needs_engine ? engine() : nullptr),
        in_order_(make_strategy("in_order")),
        judge_(of_providers()),
        seed_(seed) {}

  row run(const conformance_case& whole) {
    if (auto why = inapplicable(whole, held_to_.declared()); !why.empty())
      return not_run(whole, std::move(why));
    if (text_only_ && !is_text(whole)) return not_run(whole, "its names are text: UTF-8");
    const conformance_case about = as_asked(whole, held_to_.declared());
    const sim::plan value = plan_of(about, held_to_.declared(), seed_);
    const auto& run = run_told(about, value);
    row by_answers = judge(about, held_to_, answers_of(run, about.steps.size()));
    if (by_answers.broken() || by_answers.ended == row_end::not_run) return by_answers;
    // What a case has come to may show in its last look alone, unless the records are looked at.
    const bool looked = about.steps.size() == whole.steps.size() ||
                        whole.steps.back().what != sim::verb::get || run.instrumented;
    if (!looked) return not_run(whole, "needs get_lease_owner, which it has not");
    return by_properties(about, value, run, std::move(by_answers));
  }

 private:
  const sim::run_record& run_told(const conformance_case& about, const sim::plan& value) {
    try {
      return world_.run(value, *in_order_);
    } catch (const host_failed& error) {
      throw host_failed(fmt::format("{} (the case was {}, {})", error.what(),
                                    leaselab::to_string(about.what), about.edge));
    }
  }

  // The run had no fault in it and the answers were as they should be, or as declared; so the
  // properties have the last word. One that is promised comes before one that is not.
  row by_properties(const conformance_case& about, const sim::plan& value,
                    const sim::run_record& run, row so_far) {
    const property_set all = (property_set{1} << judge_.size()) - 1;
    const auto passed = judge_.look(world_, run, value, held_to_.declared(), all, true);
    for (const auto& one : judge_.found()) {
      row found = departed(about, held_to_, one.property, readable(one.text, longest_sentence));
      if (found.promised) return found;
      if (so_far.ended == row_end::ok) so_far = std::move(found);
    }
    if (passed.unknown != 0 && so_far.ended == row_end::ok)
      return not_run(about, "a property could not be judged");
    return so_far;
  }

  const bool text_only_;
  promises held_to_;
  sim::world world_;
  std::unique_ptr<sim::chooser> in_order_;
  properties::judge judge_;
  std::uint64_t seed_;
};

}  // namespace

sim::plan plan_of(const conformance_case& about, const guarantees& declared, std::uint64_t seed) {
  sim::plan out;
  out.profile = "calm";
  out.seed = seed;
  out.ttl_ms = usual_ttl_ms;
  out.one_at_a_time = true;
  if (declared.scope == scope::none) out.lacking = 1 << int(operation::transfer);
  for (const char* name : {"P1", "P2", "P3"}) out.processes.push_back({name});
  const auto asked = as_asked(about, declared);
  for (std::uint32_t i = 0; i < asked.steps.size(); ++i) {
    out.calls.push_back(call_of(asked.steps[i], i, out));
  }
  return out;
}

std::vector<row> run_in_worlds(const sim::variant& provider, const engine_factory& engine,
                               std::uint64_t seed, const std::atomic<bool>* stop) {
  runner all(provider, engine, seed);
  std::vector<row> out;
  for (const auto& one : cases()) {
    const bool stopped = stop && stop->load();
    out.push_back(stopped ? not_run(one, "interrupted") : all.run(one));
  }
  return out;
}

}  // namespace leaselab::properties::conformance
