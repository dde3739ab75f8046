#include "properties/mutants/score.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>

#include "properties/mutants/hunt.hpp"
#include "properties/search/witnesses.hpp"

namespace leaselab::properties {
namespace {

// Long enough to make handing out and a new world cheap.
constexpr std::uint64_t control_block = 5000;
// Over all controls, at the least.
constexpr std::uint64_t least_control_schedules = 1'000'000;

struct task {
  std::string step;
  std::function<void()> work;
};

class progress_report {
 public:
  progress_report(const score_options& options, std::uint64_t of) : options_(options), of_(of) {}
  void add(const std::string& step) {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    options_.progress(++done_, of_, step);
  }

 private:
  const score_options& options_;
  std::mutex mutex_;
  std::uint64_t of_, done_ = 0;
};

bool is_stopped(const score_options& options) {
  return options.search.stop && options.search.stop->load();
}

// Each result has its own place, so which thread does what leaves no trace.
void work_off(const score_options& options, const std::vector<task>& tasks) {
  progress_report progress(options, tasks.size());
  std::vector<std::size_t> threads(std::max(options.search.jobs, 1U));
  in_parallel(threads, tasks.size(), [&](std::size_t&, std::size_t i) {
    if (is_stopped(options)) return;
    tasks[i].work();
    progress.add(tasks[i].step);
  });
}

// What others do on the machine does not count.
double seconds_of_this_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

bool replays(const mutant& of, const witness& shown, const check_options& asked) {
  bench elsewhere(asked);
  auto plan = shown.plan;
  return elsewhere.replay(of.variant, plan).digest == shown.digest;
}

void hunt_down(mutant_score& out, const score_options& options) {
  hunter hunter(*out.of, options.search);
  const auto found = hunter.hunt(options.schedules);
  out.tried = hunter.done();
  if (!found) return;
  out.schedules = found->schedules;
  const auto begun = seconds_of_this_thread();
  out.shown = hunter.prove(*found);
  out.shrink_seconds = seconds_of_this_thread() - begun;
  out.replays = replays(*out.of, *out.shown, options.search);
}

void hunt_with(std::optional<std::uint64_t>& out, const mutant& of, const score_options& options,
               std::uint64_t seed, const std::string& strategy) {
  auto asked = options.search;
  asked.seed = seed;
  asked.strategy = strategy;
  hunter hunter(of, asked);
  if (const auto found = hunter.hunt(options.schedules)) out = found->schedules;
}

void add_seeds(const score_options& options, score_result& out, std::vector<task>& tasks) {
  if (options.seeds < 2) return;
  for (const auto* one : options.mutants)
    out.seeded.push_back({one, censored(options.seeds), censored(options.seeds)});
  for (auto& row : out.seeded) {
    for (std::uint32_t i = 0; i < options.seeds; ++i) {
      const auto seed = options.search.seed + i;
      tasks.push_back({row.of->id, [&row, &options, i, seed] {
                         hunt_with(row.by_strategy[i], *row.of, options, seed,
                                   options.search.strategy);
                         hunt_with(row.by_random[i], *row.of, options, seed, "random");
                       }});
    }
  }
}

struct control_part {
  std::size_t control = 0;
  control_result result;
};

void add_controls(const score_options& options, score_result& out, std::vector<control_part>& parts,
                  std::vector<task>& tasks) {
  if (!options.controls) return;
  const auto all = controls();
  const auto share = (least_control_schedules + all.size() - 1) / all.size();
  out.control_schedules = std::max(10 * options.schedules, share);
  for (const auto& one : all) out.controls.push_back({&one, {}});
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::uint64_t first = 0; first < out.control_schedules; first += control_block)
      parts.push_back({c, {}});
  std::size_t part = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (std::uint64_t first = 0; first < out.control_schedules; first += control_block, ++part) {
      const auto last = std::min(first + control_block, out.control_schedules);
      tasks.push_back({all[c].name, [&parts, &options, &one = all[c], part, first, last] {
                         parts[part].result = run_control(one, options.search, first, last);
                       }});
    }
  }
}

void sum_up(const std::vector<control_part>& parts, score_result& out) {
  for (const auto& part : parts) {
    auto& sum = out.controls[part.control].result;
    sum.schedules += part.result.schedules;
    sum.alarms += part.result.alarms;
    if (!sum.first) sum.first = part.result.first;
  }
}

}  // namespace

std::optional<std::uint64_t> median(censored sample) {
  if (sample.empty()) return std::nullopt;
  // What is censored took longer than anything that is not.
  const auto middle = sample.begin() + std::ptrdiff_t((sample.size() - 1) / 2);
  std::nth_element(sample.begin(), middle, sample.end(), [](const auto& one, const auto& other) {
    return one && (!other || *one < *other);
  });
  return *middle;
}

std::size_t score_result::killed() const {
  return std::size_t(std::count_if(mutants.begin(), mutants.end(), [](const mutant_score& one) {
    return one.schedules.has_value();
  }));
}

std::optional<std::uint64_t> score_result::median_events() const {
  censored sizes;
  for (const auto& one : mutants)
    if (one.shown) sizes.push_back(one.shown->events);
  return median(sizes);
}

const mutant_score* score_result::longest_shrunk() const {
  const auto longest = std::max_element(
      mutants.begin(), mutants.end(),
      [](const auto& one, const auto& other) { return one.shrink_seconds < other.shrink_seconds; });
  return longest == mutants.end() || !longest->shown ? nullptr : &*longest;
}

std::uint64_t score_result::alarms() const {
  return std::accumulate(
      controls.begin(), controls.end(), std::uint64_t{0},
      [](std::uint64_t sum, const control_score& one) { return sum + one.result.alarms; });
}

score_result score(const score_options& options) {
  const auto begun = std::chrono::steady_clock::now();
  score_result out;
  for (const auto* one : options.mutants) out.mutants.emplace_back().of = one;
  std::vector<task> tasks;
  std::vector<control_part> parts;
  for (auto& one : out.mutants)
    tasks.push_back({one.of->id, [&one, &options] { hunt_down(one, options); }});
  add_seeds(options, out, tasks);
  add_controls(options, out, parts, tasks);
  work_off(options, tasks);
  sum_up(parts, out);
  out.stopped = is_stopped(options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  out.seconds = took.count();
  return out;
}

int exit_status(const score_result& result) {
  const bool all_replay = std::all_of(result.mutants.begin(), result.mutants.end(),
                                      [](const mutant_score& one) { return one.replays; });
  if (!all_replay) return 4;
  if (result.alarms() > 0) return 1;
  if (result.stopped) return 2;
  return result.killed() == result.mutants.size() ? 0 : 1;
}

}  // namespace leaselab::properties
