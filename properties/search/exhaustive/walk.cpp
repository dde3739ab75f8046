#include "properties/search/exhaustive/walk.hpp"

#include <bit>

#include "properties/search/exhaustive/final_state.hpp"

namespace leaselab::properties {
namespace {

void count(walk& into, const judge::sentence& passed, property_set wanted,
           const std::vector<sim::decision>& decisions) {
  for (auto left = wanted & ~passed.not_applicable; left != 0; left &= left - 1) {
    const auto bit = left & -left;
    const auto property = std::uint32_t(std::countr_zero(left));
    auto& tally = into.tallies[property];
    ++tally.judged;
    tally.unknown += (passed.unknown & bit) != 0;
    if (!(passed.violated & bit)) continue;
    ++tally.violations;
    ++into.violations;
    if (tally.first_violation != no_index_yet) continue;
    tally.first_violation = into.runs;
    into.first[property] = decisions;
  }
}

}  // namespace

void go_on(walk& so_far, const walk_task& task, bench& own, const std::atomic<bool>* stop) {
  if (so_far.complete) return;
  const auto& provider = *task.of->provider;
  auto& world = own.world_of(provider);
  auto& judge = own.judged_by();
  const auto wanted = task.of->judged.front();
  so_far.tallies.resize(judge.size());
  explorer walker(world, task.how);
  walker.go_on_from(std::move(so_far.path));
  do {
    if (stop && stop->load(std::memory_order_relaxed)) {
      so_far.path = walker.path();
      return;
    }
    const auto& run = world.run(task.plan, walker);
    so_far.steps += world.decisions().size();
    if (walker.redundant()) {
      ++so_far.redundant;
      continue;
    }
    const auto passed = judge.look(world, run, task.plan, provider.declared, wanted);
    count(so_far, passed, wanted, world.decisions());
    so_far.finals.insert(final_state(run, task.plan, task.how.programs));
    so_far.digest = fold_digest(so_far.digest, run.digest);
    ++so_far.runs;
  } while (walker.advance());
  so_far.path.clear();
  so_far.complete = true;
}

}  // namespace leaselab::properties
