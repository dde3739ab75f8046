#include "properties/search/witnesses.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "properties/search/directed.hpp"
#include "properties/search/shrink.hpp"

namespace leaselab::properties {
namespace {

// A runtime's plan says little and its run decides much: there is more to try.
constexpr std::uint32_t runtime_factor = 2;

struct task {
  std::size_t campaign = 0;
  std::size_t cell = 0;  // in check_result::cells
  claim_to_prove what;
};

std::vector<task> tasks_for(const std::vector<campaign>& campaigns, const check_options& options,
                            const check_result& out) {
  std::vector<task> tasks;
  std::set<std::pair<std::string, std::string>> seen;
  std::size_t cell = 0;
  for (std::size_t c = 0; c < campaigns.size(); ++c) {
    for (std::size_t p = 0; p < campaigns[c].standings.size(); ++p, ++cell) {
      const auto& shown = out.cells[cell];
      if (!shown.first_violation) continue;
      if (options.for_comparison && shown.result != cell_result::broken) continue;
      const bool first = seen.insert({shown.provider, shown.property}).second;
      const auto budget = first ? full_budget : short_budget;
      tasks.push_back({c, cell, {p, *shown.first_violation, budget, nullptr, {}, options.stop}});
    }
  }
  return tasks;
}

// Tells how far the shrinking is, one caller at a time.
class shrinking_line {
 public:
  shrinking_line(const check_options& options, std::uint64_t of) : options_(options), of_(of) {}
  std::function<void()> for_runs_of(const std::string& property) {
    if (!options_.shrinking) return {};
    return [this, property] { tell(0, 1, property); };
  }
  void add_done(const std::string& property) {
    if (options_.shrinking) tell(1, 0, property);
  }

 private:
  void tell(std::uint64_t done, std::uint64_t runs, const std::string& property) {
    const std::lock_guard lock(mutex_);
    options_.shrinking(done_ += done, of_, runs_ += runs, property);
  }

  const check_options& options_;
  std::mutex mutex_;
  std::uint64_t of_, done_ = 0, runs_ = 0;
};

// One property judged on runs of one provider.
class prover {
 public:
  prover(bench& own, const sim::variant& provider, const claim_to_prove& what)
      : own_(own),
        provider_(provider),
        wanted_(property_set{1} << what.property),
        without_(what.without),
        also_(what.also) {}

  bool violates(const sim::run_record& run, const sim::plan& plan, bool explain = false) {
    return own_.judged_by()
               .look(own_.world_of(provider_), run, plan, provider_.declared, wanted_, explain)
               .violated != 0;
  }
  // A smaller plan may run for ever, asking again at one instant: one that needs many more steps
  // than what is known to violate is not smaller.
  bool replay_violates(sim::plan& plan) {
    const auto limit =
        std::exchange(plan.bounds.step_limit, std::min(plan.bounds.step_limit, most_));
    const auto& run = own_.replay(provider_, plan);
    const bool cut = plan.decisions.size() >= plan.bounds.step_limit && run.step_limit_reached &&
                     plan.bounds.step_limit < limit;
    plan.bounds.step_limit = limit;
    if (cut || !violates(run, plan)) return false;
    const auto steps = static_cast<std::uint32_t>(plan.decisions.size());
    if (fails_anyway(plan) || (also_ && !also_(plan))) return false;
    most_ = 4 * steps + 1'000;
    return true;
  }
  // The same story with absolute instants, if told that way it still shows.
  std::optional<sim::plan> as_directed(const sim::plan& plan) {
    retelling_world world;
    world.run = [&](const sim::plan& told, sim::chooser& choices) -> const sim::run_record& {
      return own_.world_of(provider_).run(told, choices);
    };
    world.shows_in_order = [&](sim::plan& told) {
      return violates(own_.run_in_order(provider_, told), told);
    };
    return directed(plan, world);
  }

 private:
  bool fails_anyway(const sim::plan& plan) {
    if (!without_) return false;
    auto other = plan;
    other.client = *without_;
    const auto& run = own_.replay(provider_, other);
    return violates(run, other);
  }

  bench& own_;
  const sim::variant& provider_;
  property_set wanted_;
  const sim::client_policy* without_;
  std::uint32_t most_ = std::numeric_limits<std::uint32_t>::max();  // steps of a candidate
  const std::function<bool(const sim::plan&)>& also_;
};

}  // namespace

std::optional<witness> prove(bench& own, const campaign& of, const claim_to_prove& what,
                             const std::optional<sim::plan>& known) {
  const auto& provider = *of.provider;
  prover prover(own, provider, what);
  if (!known) own.run_schedule(of, what.index);
  if (what.without) {
    auto drawn = own.plan();
    if (!prover.replay_violates(drawn)) return std::nullopt;
  }
  const sim::plan drawn_plan = known ? *known : own.plan();
  // What one policy alone makes of it is told with that very client.
  const auto fails = [&](sim::plan& candidate) {
    if (what.stop && what.stop->load()) return false;
    if (what.runs) what.runs();
    const bool asked = !what.without || candidate.client == drawn_plan.client;
    return asked && prover.replay_violates(candidate);
  };
  auto found = shrink(drawn_plan, fails,
                      drawn_plan.signals.empty() ? what.budget : what.budget * runtime_factor);
  witness made;
  made.provider = provider.name;
  made.property = own.judged_by().at(what.property).id();
  made.profile = of.faults->id;
  made.index = what.index;
  made.directed = prover.as_directed(found.plan);
  const auto& run = own.replay(provider, found.plan);
  if (prover.violates(run, found.plan, true)) made.text = own.judged_by().found().front().text;
  // Of a program that keeps its own time.
  if (made.text.empty()) made.text = "seen in the search, and not when the run was repeated";
  made.digest = run.digest;
  made.events = std::uint32_t(found.plan.decisions.size());
  made.plan = std::move(found.plan);
  return made;
}

void find_witnesses(const std::vector<campaign>& campaigns,
                    std::vector<std::unique_ptr<bench>>& benches, const check_options& options,
                    check_result& out) {
  auto tasks = tasks_for(campaigns, options, out);
  shrinking_line line(options, tasks.size());
  for (auto& each : tasks) each.what.runs = line.for_runs_of(out.cells[each.cell].property);
  std::vector<std::optional<witness>> made(tasks.size());
  for_each_in_parallel(benches, tasks.size(), [&](bench& own, std::size_t i) {
    if (options.stop && options.stop->load()) return;
    made[i] =
        prove(own, campaigns[tasks[i].campaign], tasks[i].what, out.cells[tasks[i].cell].found);
    line.add_done(out.cells[tasks[i].cell].property);
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!made[i]) continue;
    out.cells[tasks[i].cell].witness = out.witnesses.size();
    out.witnesses.push_back(std::move(*made[i]));
  }
}

}  // namespace leaselab::properties
