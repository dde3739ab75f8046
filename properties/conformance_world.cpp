#include "properties/conformance_world.hpp"

#include <algorithm>
#include <memory>

#include "properties/conformance_program.hpp"
#include "properties/conformance_text.hpp"
#include "properties/search/judge.hpp"
#include "properties/search/strategy.hpp"
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

class runner {
 public:
  runner(const sim::variant& provider, const engine_factory& engine, std::uint64_t seed)
      : held_to_(provider.declared),
        world_(provider, provider.needs_engine ? engine() : nullptr),
        in_order_(make_strategy("in_order")),
        judge_(of_providers()),
        seed_(seed) {}

  row run(const conformance_case& about) {
    if (auto why = inapplicable(about, held_to_.declared()); !why.empty())
      return not_run(about, std::move(why));
    const sim::plan value = plan_of(about, held_to_.declared(), seed_);
    const auto& run = world_.run(value, *in_order_);
    row by_answers = judge(about, held_to_, answers_of(run, about.steps.size()));
    if (by_answers.broken() || by_answers.ended == row_end::not_run) return by_answers;
    return by_properties(about, value, run, std::move(by_answers));
  }

 private:
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
  for (std::uint32_t i = 0; i < about.steps.size(); ++i) {
    out.calls.push_back(call_of(about.steps[i], i, out));
  }
  return out;
}

std::vector<row> run_in_worlds(const sim::variant& provider, const engine_factory& engine,
                               std::uint64_t seed) {
  runner all(provider, engine, seed);
  std::vector<row> out;
  for (const auto& one : cases()) out.push_back(all.run(one));
  return out;
}

}  // namespace leaselab::properties::conformance
