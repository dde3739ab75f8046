#include "properties/search/exhaustive/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/search/exhaustive/final_state.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {

void sampled::add(const sampled& later) {
  runs += later.runs;
  sum += later.sum;
  squares += later.squares;
  finals.insert(later.finals.begin(), later.finals.end());
  violated |= later.violated;
}

double sampled::standard_error() const {
  if (runs < 2) return estimate();
  const auto n = double(runs);
  const auto variance = (squares - sum * sum / n) / (n - 1);
  return std::sqrt(std::max(variance, 0.0) / n);
}

sampled sample(const std::vector<walk_task>& tasks, bench& own, std::uint64_t seed,
               std::uint64_t count) {
  sampled out;
  sim::random_source random(seed);
  for (; out.runs < count; ++out.runs) {
    const auto& task = tasks[random.below(tasks.size())];
    const auto& provider = *task.of->provider;
    auto& world = own.world_of(provider);
    explorer walker(world, task.how);
    walker.draw_from(random);
    const auto& run = world.run(task.plan, walker);
    if (walker.redundant()) continue;
    const auto product = walker.ways() * double(tasks.size());
    out.sum += product;
    out.squares += product * product;
    out.finals.insert(final_state(run, task.plan, task.how.programs));
    out.violated |= own.judged_by()
                        .look(world, run, task.plan, provider.declared, task.of->judged.front())
                        .violated;
  }
  return out;
}

void hold_against(const sampled& runs, const walk& walked, const judge& judge, check_result& out) {
  auto& shown = out.walked.back();
  shown.sampled = runs.runs;
  shown.sampled_states = runs.finals.size();
  shown.every_order = runs.estimate();
  shown.every_order_error = runs.standard_error();
  for (const auto one : runs.finals) shown.strange_states += !walked.finals.contains(one);
  if (shown.strange_states > 0)
    out.nondeterminism.push_back(
        fmt::format("{}: random runs came to {} final states that the walk does not have",
                    shown.provider, shown.strange_states));
  for (std::size_t p = 0; p < judge.size(); ++p) {
    if (!(runs.violated >> p & 1) || walked.tallies[p].violations > 0) continue;
    out.nondeterminism.push_back(fmt::format("{}: a random run violates {}, and none of the walk",
                                             shown.provider, judge.at(p).id()));
  }
}

}  // namespace leaselab::properties
