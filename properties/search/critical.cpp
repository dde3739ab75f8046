// First some run of the plan that passes, drawn by the usual strategies, or had by moving a single
// event as early or as late as it may run. Then what differs from the failing run is made less:
// first by bisection (the first k choices as in the failing run, the others as in the passing one,
// for the largest k that still passes), then by putting back what need not differ, halves first
// (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). Where a
// single choice is left, its instant is brought as near to the failing one as passes, by bisection
// again.
#include "properties/search/critical.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include "properties/search/removal.hpp"
#include "properties/search/strategy.hpp"

namespace leaselab::properties {
namespace {

using sim::decision;
using sim::label;
using decisions = std::vector<decision>;
using labels = std::vector<label>;

// Passing runs to start from, the nearest of those found.
constexpr std::size_t starting_points = 6;
constexpr const char* in_any_case[] = {"in_order", "eager", "lazy"};
constexpr const char* drawn[] = {"random", "pos", "starve", "pct:3"};
constexpr std::uint64_t draws_each = 12;

struct placed {
  sim::true_time at = 0;
  std::size_t place = 0;
};
using placed_by_label = std::map<label, placed>;

placed_by_label index_of(const decisions& all) {
  placed_by_label out;
  for (std::size_t i = 0; i < all.size(); ++i) out.emplace(all[i].event, placed{all[i].at, i});
  return out;
}

class finder {
 public:
  finder(const sim::plan& failing, const trial& test, std::uint32_t budget)
      : test_(test), budget_(budget), failing_(failing) {}

  critical_search find() {
    critical_search out;
    if (run(failing_, nullptr) == trial_end::fails) {
      give_time();
      index_ = index_of(failing_.decisions);
      out.found = search();
      if (!out.found) out.fault = needed_fault();
    }
    out.runs = runs_;
    return out;
  }

 private:
  bool spent() const { return runs_ >= budget_; }

  trial_end run(sim::plan& candidate, sim::chooser* by) {
    ++runs_;
    return test_(candidate, by);
  }

  // A shrunk plan ends with its violation, and a run that ended before it would pass for nothing.
  void give_time() {
    auto& bounds = failing_.bounds;
    if (bounds.safety <= 0 || bounds.quiet > 0) return;
    sim::plan longer = failing_;
    longer.bounds.safety += 3 * longer.ttl_ms * sim::ns_per_ms;
    std::erase_if(longer.decisions,
                  [](const decision& one) { return one.event.what == sim::event_label::quiet; });
    if (run(longer, nullptr) == trial_end::fails) failing_ = std::move(longer);
  }

  std::optional<critical_choice> search() {
    std::optional<critical_choice> best;
    const auto consider = [&best](std::optional<critical_choice> made) {
      if (made && (!best || nearness(*made) < nearness(*best))) best = std::move(made);
    };
    for (const auto& passing : passing_runs()) consider(isolate(passing));
    for (std::size_t i = failing_.decisions.size(); i > 0 && !spent(); --i) {
      const label event = failing_.decisions[i - 1].event;
      for (const sim::true_time at : {sim::true_time{0}, sim::never}) consider(move(event, at));
    }
    return best;
  }

  // Few choices before many, moved ones before those that were never made at all, late ones before
  // early ones (up to there it could still have ended well), small moves before large ones.
  using distance = std::tuple<std::size_t, std::size_t, std::size_t, std::int64_t>;
  static distance nearness(const critical_choice& value) {
    std::size_t unmade = 0;
    std::int64_t moved = 0;
    for (const auto& one : value.choices) {
      unmade += !one.instead;
      if (one.instead) moved += std::min(std::abs(*one.instead - one.taken.at), sim::never / 1024);
    }
    return {value.choices.size(), unmade, ~value.choices.back().place, moved};
  }

  // The nearest ones of a fixed sample.
  std::vector<decisions> passing_runs() {
    std::vector<std::pair<std::size_t, decisions>> found;
    const auto attempt = [&](const char* strategy, std::uint64_t seed) {
      if (runs_ >= budget_ / 2) return;
      sim::plan candidate = failing_;
      candidate.decisions.clear();
      const auto chooser = make_strategy(strategy, seed);
      if (run(candidate, chooser.get()) != trial_end::passes) return;
      const auto distance = differing(candidate.decisions).size();
      found.emplace_back(distance, std::move(candidate.decisions));
    };
    for (const char* strategy : in_any_case) attempt(strategy, 0);
    for (std::uint64_t seed = 1; seed <= draws_each; ++seed)
      for (const char* strategy : drawn) attempt(strategy, seed);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<decisions> out;
    for (std::size_t i = 0; i < std::min(found.size(), starting_points); ++i)
      out.push_back(std::move(found[i].second));
    return out;
  }

  // In the order of the failing run, what only the other one has at the end.
  labels differing(const decisions& other) const {
    const auto there = index_of(other);
    labels out;
    for (const auto& one : failing_.decisions) {
      const auto found = there.find(one.event);
      const bool same = found != there.end() && found->second.at == one.at &&
                        found->second.place == index_.at(one.event).place;
      if (!same) out.push_back(one.event);
    }
    for (const auto& one : other)
      if (!index_.contains(one.event)) out.push_back(one.event);
    return out;
  }

  // The failing run's decisions, but for `changed`, which are as in `other`.
  decisions mixed(const labels& changed, const placed_by_label& other) const {
    std::vector<std::tuple<sim::true_time, std::size_t, int, label>> order;
    labels sorted = changed;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [event, here] : index_)
      if (!std::binary_search(sorted.begin(), sorted.end(), event))
        order.emplace_back(here.at, here.place, 0, event);
    for (const auto& event : changed)
      if (const auto found = other.find(event); found != other.end())
        order.emplace_back(found->second.at, found->second.place, 1, event);
    std::sort(order.begin(), order.end());
    decisions out;
    for (const auto& [at, place, source, event] : order) out.push_back({event, at});
    return out;
  }

  bool passes(const labels& changed, const placed_by_label& other) {
    sim::plan candidate = failing_;
    candidate.decisions = mixed(changed, other);
    return run(candidate, nullptr) == trial_end::passes;
  }

  std::optional<critical_choice> isolate(const decisions& passing) {
    const auto other = index_of(passing);
    labels changed = differing(passing);
    if (changed.empty() || !passes(changed, other)) return std::nullopt;
    changed = bisect(std::move(changed), other);
    auto made = told(less(std::move(changed), other), other);
    const bool alone = made && made->choices.size() == 1 && made->choices.front().instead;
    return alone ? nearer(*std::move(made)) : made;
  }

  // The last choices only, as few of them as pass.
  labels bisect(labels changed, const placed_by_label& other) {
    std::size_t passing = 0, failing = changed.size();
    while (passing + 1 < failing && !spent()) {
      const std::size_t middle = (passing + failing) / 2;
      const labels rest(changed.begin() + std::ptrdiff_t(middle), changed.end());
      (passes(rest, other) ? passing : failing) = middle;
    }
    changed.erase(changed.begin(), changed.begin() + std::ptrdiff_t(passing));
    return changed;
  }

  // Without what need not differ.
  labels less(labels changed, const placed_by_label& other) {
    for (std::size_t chunk = changed.size() / 2; chunk > 0 && !spent();) {
      bool removed = false;
      for (std::size_t from = 0; from < changed.size() && changed.size() > 1 && !spent();) {
        labels rest = changed;
        const auto to = std::min(from + chunk, rest.size());
        rest.erase(rest.begin() + std::ptrdiff_t(from), rest.begin() + std::ptrdiff_t(to));
        if (!rest.empty() && passes(rest, other)) {
          changed = std::move(rest);
          removed = true;
        } else {
          from += chunk;
        }
      }
      if (chunk == 1 && !removed) break;
      if (!removed || chunk > changed.size() / 2) chunk = std::max<std::size_t>(1, chunk / 2);
    }
    return changed;
  }

  placed_by_label moved_to(const label& event, sim::true_time at) const {
    const bool earlier = at < index_.at(event).at;
    return {{event, {at, earlier ? 0 : failing_.decisions.size()}}};
  }

  // This event as near that instant as it may run, everything else as it was; then, by bisection,
  // as near to where it was as passes.
  std::optional<critical_choice> move(const label& event, sim::true_time at) {
    if (!passes({event}, moved_to(event, at))) return std::nullopt;
    auto made = told({event}, moved_to(event, at));
    if (!made || !made->choices.front().instead) return made;
    return nearer(std::move(*made));
  }

  critical_choice nearer(critical_choice made) {
    const label event = made.choices.front().taken.event;
    sim::true_time failing = made.choices.front().taken.at, passing = *made.choices.front().instead;
    while (std::abs(passing - failing) > 1 && !spent()) {
      const sim::true_time middle = failing + (passing - failing) / 2;
      (passes({event}, moved_to(event, middle)) ? passing : failing) = middle;
    }
    auto again = told({event}, moved_to(event, passing));
    return again && nearness(*again) < nearness(made) ? *std::move(again) : made;
  }

  std::optional<critical_choice> told(const labels& changed, const placed_by_label& other) {
    critical_choice out;
    out.failing = failing_;
    out.changed = failing_;
    out.changed.decisions = mixed(changed, other);
    out.passing = out.changed;
    if (run(out.passing, nullptr) != trial_end::passes) return std::nullopt;
    const auto now = index_of(out.passing.decisions);
    for (const auto& event : changed) {
      const auto here = index_.find(event);
      if (here == index_.end()) continue;
      changed_choice& choice = out.choices.emplace_back();
      choice.place = here->second.place;
      choice.taken = failing_.decisions[choice.place];
      const auto there = now.find(event);
      if (there == now.end()) continue;
      choice.instead = there->second.at;
      if (there->second.at == choice.taken.at) choice.against = overtaken(event, now);
    }
    if (out.choices.empty()) return std::nullopt;
    return out;
  }

  // The nearest event with which this one has changed places.
  std::optional<label> overtaken(const label& event, const placed_by_label& now) const {
    const std::size_t here = index_.at(event).place, there = now.at(event).place;
    for (std::size_t distance = 1; distance < failing_.decisions.size(); ++distance) {
      for (const std::size_t place : {here - distance, here + distance}) {
        if (place >= failing_.decisions.size()) continue;  // also below 0, which wraps
        const auto& other = failing_.decisions[place].event;
        const auto found = now.find(other);
        if (found == now.end()) continue;
        if ((found->second.place < there) != (place < here)) return other;
      }
    }
    return std::nullopt;
  }

  std::optional<std::size_t> needed_fault() {
    for (std::size_t i = 0; i < failing_.faults.size(); ++i) {
      auto kept = all_places(failing_.faults.size());
      kept.erase(kept.begin() + std::ptrdiff_t(i));
      sim::plan candidate = keep_faults(failing_, kept);
      if (run(candidate, nullptr) == trial_end::passes) return i;
    }
    return std::nullopt;
  }

  const trial& test_;
  std::uint32_t budget_, runs_ = 0;
  sim::plan failing_;
  placed_by_label index_;
};

}  // namespace

critical_search find_critical(const sim::plan& failing, const trial& test, std::uint32_t budget) {
  return finder(failing, test, budget).find();
}

}  // namespace leaselab::properties
