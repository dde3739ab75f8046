#include "properties/search/exhaustive/exhaustive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <mutex>
#include <stdexcept>

#include "properties/search/cells.hpp"
#include "properties/search/exhaustive/sample.hpp"
#include "properties/search/exhaustive/walk.hpp"
#include "properties/search/witnesses.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {
namespace {

small_scope scope_of(const check_options& options, const sim::variant& provider) {
  small_scope out;
  out.processes = options.processes.value_or(out.processes);
  out.calls = options.calls.value_or(out.calls);
  out.margin_ppm = options.margin_ppm;
  out.fencing = provider.declared.fencing;
  return out;
}

// What a checkpoint has to agree with, on one line.
std::string scope_line(const check_options& options) {
  std::vector<std::string_view> names;
  for (const auto* one : options.providers) names.push_back(one->name);
  const small_scope least;
  return fmt::format("providers {} properties {} processes {} calls {} margin {} time moves {}{}",
                     fmt::join(names, ","), fmt::join(options.properties, ","),
                     options.processes.value_or(least.processes),
                     options.calls.value_or(least.calls), options.margin_ppm,
                     options.exhaustive.time_moves,
                     options.exhaustive.reduce ? "" : " without reduction");
}

std::vector<campaign> make_campaigns(const check_options& options) {
  auto asked = options;
  asked.workload = sim::workload_kind::handoff;
  const judge judge(options.properties);
  std::vector<campaign> out;
  for (const auto* provider : options.providers)
    out.push_back(make_campaign(*provider, *find_profile("interleave"), asked, judge));
  return out;
}

void add_tasks(const check_options& options, const campaign& of, bool reduce,
               std::vector<walk_task>& out) {
  const auto scope = scope_of(options, *of.provider);
  const auto programs = programs_of(scope.calls);
  for (const auto& who : lineups_of(programs.size(), scope.processes, reduce))
    out.push_back(
        {&of, plan_of(scope, programs, who), {reduce, options.exhaustive.time_moves, who}});
}

std::vector<walk_task> make_tasks(const check_options& options,
                                  const std::vector<campaign>& campaigns) {
  std::vector<walk_task> out;
  for (const auto& campaign : campaigns)
    add_tasks(options, campaign, options.exhaustive.reduce, out);
  return out;
}

checkpoint begin(const check_options& options, std::size_t walks) {
  checkpoint out{scope_line(options), std::vector<walk>(walks)};
  if (options.exhaustive.resume.empty()) return out;
  auto found = checkpoint_from_text(options.exhaustive.resume);
  if (found.scope != out.scope || found.walks.size() != walks)
    throw std::invalid_argument(
        fmt::format("it is of another search: {}; this one is: {}", found.scope, out.scope));
  return found;
}

void walk_all(const std::vector<walk_task>& tasks, checkpoint& state,
              const check_options& options) {
  std::vector<std::unique_ptr<bench>> benches;
  for (unsigned i = 0; i < std::max(options.jobs, 1U); ++i)
    benches.push_back(std::make_unique<bench>(options));
  std::mutex telling;
  std::uint64_t done = 0;
  std::uint64_t violations = 0;
  for_each_in_parallel(benches, tasks.size(), [&](bench& own, std::size_t i) {
    go_on(state.walks[i], tasks[i], own, options.stop);
    if (!options.progress) return;
    const std::lock_guard lock(telling);
    violations += state.walks[i].violations;
    options.progress(++done, tasks.size(), violations);
  });
}

// The walks of one provider as one.
struct total {
  walk sum;
  std::vector<std::optional<sim::plan>> found;  // by property
  std::uint64_t lineups = 0, lineups_done = 0;
};

total add_up(const campaign& of, const std::vector<walk_task>& tasks,
             const std::vector<walk>& walks) {
  total out;
  out.sum.tallies.resize(of.standings.size());
  out.found.resize(of.standings.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].of != &of) continue;
    const auto& one = walks[i];
    ++out.lineups;
    out.lineups_done += one.complete;
    for (std::size_t p = 0; p < one.tallies.size(); ++p) {
      auto later = one.tallies[p];
      if (later.first_violation != no_index_yet) later.first_violation += out.sum.runs;
      out.sum.tallies[p].add(later);
    }
    for (const auto& [property, decisions] : one.first) {
      auto& found = out.found[property];
      if (found) continue;
      found = tasks[i].plan;
      found->decisions = decisions;
    }
    out.sum.runs += one.runs;
    out.sum.redundant += one.redundant;
    out.sum.steps += one.steps;
    out.sum.digest = fold_digest(out.sum.digest, one.digest);
    out.sum.finals.insert(one.finals.begin(), one.finals.end());
  }
  return out;
}

void add_provider(const campaign& of, total summed, const judge& judge, std::uint64_t programs,
                  check_result& out) {
  const bool complete = summed.lineups_done == summed.lineups;
  for (std::size_t p = 0; p < of.standings.size(); ++p) {
    auto& cell = out.cells.emplace_back(make_cell(of, p, summed.sum.tallies[p], judge));
    // What these programs cannot show is not left open by them.
    if (complete && cell.schedules == 0) cell.result = cell_result::not_applicable;
    if (!complete && cell.violations == 0 && cell.result != cell_result::not_applicable)
      cell.result = cell_result::unknown;
    cell.found = std::move(summed.found[p]);
  }
  std::uint64_t finals = 0;
  for (const auto one : summed.sum.finals) finals = fold_digest(finals, one);
  out.walked.push_back({of.provider->name, programs, summed.lineups, summed.lineups_done,
                        summed.sum.runs, summed.sum.redundant, summed.sum.finals.size(), finals});
  out.schedules += summed.sum.runs;
  out.stopped |= !complete;
}

// Blocks of their own seeds, so that jobs change nothing.
sampled sample_every_order(const check_options& options, const campaign& of) {
  constexpr std::uint64_t block = 5000;
  std::vector<walk_task> tasks;
  add_tasks(options, of, false, tasks);
  auto benches = make_benches(options);
  const auto count = options.exhaustive.sample;
  std::vector<sampled> parts((count + block - 1) / block);
  for_each_in_parallel(benches, parts.size(), [&](bench& own, std::size_t i) {
    if (options.stop && options.stop->load()) return;
    const auto seed = sim::split(options.seed, sim::purpose::choices, i);
    parts[i] = sample(tasks, own, seed, std::min(block, count - i * block));
  });
  sampled out;
  for (const auto& one : parts) out.add(one);
  return out;
}

}  // namespace

check_result check_exhaustively(const check_options& options) {
  const auto begun = std::chrono::steady_clock::now();
  const auto campaigns = make_campaigns(options);
  const auto tasks = make_tasks(options, campaigns);
  auto state = begin(options, tasks.size());
  walk_all(tasks, state, options);
  check_result out;
  const judge judge(options.properties);
  std::uint64_t digest = 0;
  for (const auto& one : campaigns) {
    auto summed = add_up(one, tasks, state.walks);
    digest = fold_digest(digest, summed.sum.digest);
    const auto programs = programs_of(scope_of(options, *one.provider).calls).size();
    const auto walked = summed.sum;
    add_provider(one, std::move(summed), judge, programs, out);
    if (options.exhaustive.sample > 0 && out.walked.back().complete())
      hold_against(sample_every_order(options, one), walked, judge, out);
  }
  if (!out.stopped) out.digest = digest;
  out.checkpoint = to_text(state);
  const std::chrono::duration<double> searched = std::chrono::steady_clock::now() - begun;
  out.seconds = searched.count();
  auto benches = make_benches(options);
  find_witnesses(campaigns, benches, options, out);
  return out;
}

void expect_checkpoint(const check_options& options) {
  const auto campaigns = make_campaigns(options);
  begin(options, make_tasks(options, campaigns).size());
}

std::string scope_text(const check_options& options) {
  const small_scope least;
  return fmt::format(
      "scope     {} processes x {} calls on one key: every program of acquire, renew, transfer and "
      "release\n"
      "          that a strict client may run, every order of starts and backend steps, and up to "
      "{}\n"
      "          moves of time a run, each to before, on or after a deadline of the backend or of "
      "a client\n"
      "not in it faults, clocks that differ, answers that come late, reads of the owner, work on a "
      "resource, a\n"
      "          second key{}\n",
      options.processes.value_or(least.processes), options.calls.value_or(least.calls),
      options.exhaustive.time_moves,
      options.exhaustive.reduce ? "" : "\n          (every order, without reduction and symmetry)");
}

}  // namespace leaselab::properties
