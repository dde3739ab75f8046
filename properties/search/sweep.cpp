// A point of an axis is safe if the worst case and a handful of random schedules of the sweep's
// world leave both properties unviolated. An edge is found by bisection between a safe end and an
// unsafe one.
#include "properties/search/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "properties/search/search.hpp"
#include "properties/search/strategy.hpp"
#include "properties/search/sweep_world.hpp"
#include "properties/search/witnesses.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;

constexpr sweep_axis_info axes[sweep_axis_count] = {
    {"clock.rate", "how fast the holder's monotonic clock runs", 200'000, 1'500'000, true},
    {"pause/ttl", "how long the holder and its clocks stand still", 0, 1'500'000, false},
    {"delay/ttl", "how long a message may take; work goes to a remote resource", 0, 1'500'000,
     false},
    {"margin", "the client's safety margin as a share of the ttl", 0, 900'000, true},
};

struct safety {
  bool belief = true, effect = true;
};

// The points of one line, each run once.
class prober {
 public:
  prober(bench& own, const sweep_options& options)
      : own_(own), options_(options), random_(make_strategy("portfolio", options.seed)) {}

  bool holds(const sweep_point& at, sweep_guarantee guarantee) {
    for (const auto& [known, found] : known_)
      if (known.ppm == at.ppm) return of(found, guarantee);
    known_.emplace_back(at, probe(at));
    return of(known_.back().second, guarantee);
  }
  std::uint64_t runs() const { return runs_; }
  std::uint64_t digest() const { return digest_; }
  bool vacuous() const { return vacuous_; }

 private:
  static bool of(const safety& found, sweep_guarantee guarantee) {
    return guarantee == sweep_guarantee::belief ? found.belief : found.effect;
  }

  safety probe(const sweep_point& at) {
    const auto& declared = options_.provider->declared;
    safety found;
    sim::plan plan = sweep_plan(at, declared, 0);
    run(plan, worst_, found, true);
    plan = sweep_plan(at, declared, sweep_ttl_ms * ns_per_ms / 20);
    for (std::uint64_t i = 0; i < options_.schedules && (found.belief || found.effect); ++i) {
      plan.seed = split(options_.seed, sim::purpose::plan, i);
      run(plan, *random_, found, false);
    }
    return found;
  }

  void run(const sim::plan& plan, sim::chooser& chooser, safety& found, bool must_meet) {
    auto& world = own_.world_of(*options_.provider);
    const auto& record = world.run(plan, chooser);
    ++runs_;
    digest_ = fold_digest(digest_, record.digest);
    if (record.step_limit_reached) throw std::logic_error("a sweep's world ran out of steps");
    vacuous_ |= must_meet && !taken_over(record);
    auto& judge = own_.judged_by();
    const property_set all = (property_set{1} << judge.size()) - 1;
    const auto said = judge.look(world, record, plan, options_.provider->declared, all);
    const auto bit = [&](std::string_view id) { return property_set{1} << judge.index_of(id); };
    found.belief &= (said.violated & bit("single_owner.belief")) == 0;
    found.effect &= (said.violated & bit("single_owner.effect")) == 0;
  }

  static bool taken_over(const sim::run_record& record) {
    return std::any_of(record.calls.begin(), record.calls.end(), [](const auto& one) {
      return one.process == sweep_contender && one.what == sim::verb::acquire && one.yes;
    });
  }

  bench& own_;
  const sweep_options& options_;
  std::unique_ptr<sim::chooser> random_;
  worst_case_chooser worst_;
  std::vector<std::pair<sweep_point, safety>> known_;
  std::uint64_t runs_ = 0, digest_ = 0;
  bool vacuous_ = false;
};

sweep_edge find_edge(prober& probe, sweep_axis axis, sweep_point at, sweep_guarantee guarantee) {
  const auto& info = info_of(axis);
  std::int64_t safe = info.safe_above ? info.most_ppm : info.least_ppm;
  std::int64_t unsafe = info.safe_above ? info.least_ppm : info.most_ppm;
  const auto holds = [&](std::int64_t value) {
    at[axis] = value;
    return probe.holds(at, guarantee);
  };
  if (!holds(safe)) return {std::nullopt, safe, std::nullopt};
  if (holds(unsafe)) return {unsafe, std::nullopt, std::nullopt};
  while (std::abs(safe - unsafe) > sweep_resolution_ppm) {
    const std::int64_t middle = std::min(safe, unsafe) + std::abs(safe - unsafe) / 2;
    (holds(middle) ? safe : unsafe) = middle;
  }
  return {safe, unsafe, std::nullopt};
}

// A margin shows nothing where the clock is exact: none is needed then.
sweep_point start_of(const sweep_options& options) {
  sweep_point at;
  const bool margin_alone = options.axis == sweep_axis::margin && !options.second;
  if (margin_alone) at[sweep_axis::clock_rate] = 900'000;
  return at;
}

std::vector<sweep_line> empty_lines(const sweep_options& options) {
  std::vector<sweep_line> lines(options.second ? std::max<std::size_t>(2, options.lines) : 1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].at = start_of(options);
    if (!options.second) continue;
    const auto& info = info_of(*options.second);
    const auto step = (info.most_ppm - info.least_ppm) / std::int64_t(lines.size() - 1);
    lines[i].at[*options.second] = info.least_ppm + std::int64_t(i) * step;
  }
  return lines;
}

}  // namespace

const sweep_axis_info& info_of(sweep_axis axis) { return axes[static_cast<std::size_t>(axis)]; }

std::optional<sweep_axis> sweep_axis_named(std::string_view name) {
  for (std::size_t i = 0; i < sweep_axis_count; ++i)
    if (axes[i].name == name) return static_cast<sweep_axis>(i);
  return std::nullopt;
}

std::optional<double> sweep_edge::measured_ppm() const {
  if (!holds_ppm || !violated_ppm) return std::nullopt;
  return static_cast<double>(*holds_ppm + *violated_ppm) / 2;
}

std::optional<double> sweep_edge::off_by() const {
  const auto measured = measured_ppm();
  if (!measured || !analytic_ppm || *analytic_ppm == 0) return std::nullopt;
  return (*measured - *analytic_ppm) / *analytic_ppm;
}

namespace {

bool promises(sweep_guarantee guarantee, const guarantees& declared) {
  const bool effect = guarantee == sweep_guarantee::effect;
  const auto* const id = effect ? "single_owner.effect" : "single_owner.belief";
  return declared.scope != scope::none && !declared.excludes(id, "interleave");
}

}  // namespace

bool safe_by_formula(const sweep_point& at, sweep_guarantee guarantee, const guarantees& declared) {
  if (!promises(guarantee, declared)) return false;
  const bool effect = guarantee == sweep_guarantee::effect;
  if (effect && declared.fencing) return true;
  const double late = effect ? static_cast<double>(at[sweep_axis::delay]) * sweep_ttl_ms : 0;
  return belief_ends_ns(at) + late <= lease_ends_ns(declared);
}

bool ends_early(sweep_axis axis, const sweep_point& at, const sweep_edge& edge,
                sweep_guarantee guarantee, const guarantees& declared) {
  constexpr std::int64_t spared = 10'000;
  if (!edge.violated_ppm) return false;
  sweep_point beyond = at;
  beyond[axis] = *edge.violated_ppm + (info_of(axis).safe_above ? -spared : spared);
  return beyond[axis] >= 0 && safe_by_formula(beyond, guarantee, declared);
}

std::optional<double> analytic_edge(sweep_axis axis, const sweep_point& at,
                                    sweep_guarantee guarantee, const guarantees& declared) {
  const bool effect = guarantee == sweep_guarantee::effect;
  if (!promises(guarantee, declared)) return std::nullopt;
  if (effect && declared.fencing) return std::nullopt;  // the fence refuses what comes late
  const double ttl = sweep_ttl_ms * 1e6, granule = ns_per_ms;
  const auto share = [&](sweep_axis of) { return static_cast<double>(at[of]) / 1e6; };
  const double lease = lease_ends_ns(declared);
  const double pause = share(sweep_axis::pause) * ttl;
  const double delay = effect ? share(sweep_axis::delay) * ttl : 0;
  const double local = (1 - share(sweep_axis::margin)) * ttl - granule;
  const double rate = share(sweep_axis::clock_rate);
  double edge = 0;
  switch (axis) {
    case sweep_axis::clock_rate:
      if (lease - pause - delay <= 0) return std::nullopt;
      edge = local / (lease - pause - delay);
      break;
    case sweep_axis::pause:
      edge = (lease - delay - local / rate) / ttl;
      break;
    case sweep_axis::delay:
      if (!effect) return std::nullopt;
      edge = (lease - pause - local / rate) / ttl;
      break;
    case sweep_axis::margin:
      edge = 1 - (rate * (lease - pause - delay) + granule) / ttl;
      break;
  }
  const auto& info = info_of(axis);
  const double ppm = edge * 1e6;
  const bool inside = ppm >= double(info.least_ppm) && ppm <= double(info.most_ppm);
  return inside ? std::optional(ppm) : std::nullopt;
}

sweep_result sweep(const sweep_options& options) {
  check_options asked;
  asked.properties = {"single_owner.belief", "single_owner.effect"};
  asked.engine = options.engine;
  asked.seed = options.seed;
  sweep_result out;
  out.lines = empty_lines(options);
  std::vector<std::unique_ptr<bench>> benches;
  for (std::size_t i = 0; i < std::clamp<std::size_t>(options.jobs, 1, out.lines.size()); ++i)
    benches.push_back(std::make_unique<bench>(asked));
  struct count {
    std::uint64_t runs = 0, digest = 0;
    bool vacuous = false, done = false;
  };
  std::vector<count> counts(out.lines.size());
  std::mutex telling;
  std::size_t done = 0;
  for_each_in_parallel(benches, out.lines.size(), [&](bench& own, std::size_t i) {
    if (options.stop && options.stop->load()) return;
    prober probe(own, options);
    auto& line = out.lines[i];
    for (const auto guarantee : {sweep_guarantee::belief, sweep_guarantee::effect}) {
      auto& edge = guarantee == sweep_guarantee::belief ? line.belief : line.effect;
      edge = find_edge(probe, options.axis, line.at, guarantee);
      edge.analytic_ppm =
          analytic_edge(options.axis, line.at, guarantee, options.provider->declared);
    }
    counts[i] = {probe.runs(), probe.digest(), probe.vacuous(), true};
    const std::lock_guard lock(telling);
    ++done;
    if (options.progress) options.progress(done, out.lines.size());
  });
  std::vector<sweep_line> finished;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].done) continue;
    finished.push_back(out.lines[i]);
    out.vacuous |= counts[i].vacuous;
    out.runs += counts[i].runs;
    out.digest = fold_digest(out.digest, counts[i].digest);
  }
  out.lines = std::move(finished);
  return out;
}

}  // namespace leaselab::properties
