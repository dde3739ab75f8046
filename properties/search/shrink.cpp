#include "properties/search/shrink.hpp"

#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Operations.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrink/Shrink.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "properties/search/reductions.hpp"
#include "properties/search/removal.hpp"

namespace leaselab::properties {
namespace {

using sim::event_label;
using sim::ns_per_ms;

template <class Keep>
plans fewer(const sim::plan& value, std::size_t count, Keep keep) {
  return rc::seq::map(rc::shrink::removeChunks(all_places(count)),
                      [value, keep](const places& kept) { return keep(value, kept); });
}

plans idle_parts(const sim::plan& value) {
  std::vector<sim::plan> all;
  auto without = drop_idle_calls(value);
  if (without.calls.size() < value.calls.size()) all.push_back(std::move(without));
  auto named = drop_unused_names(value);
  if (named.processes.size() < value.processes.size() || named.keys.size() < value.keys.size() ||
      named.owners.size() < value.owners.size())
    all.push_back(std::move(named));
  return rc::seq::fromContainer(std::move(all));
}

// Every call at the instant at which it began, whatever came before it. From then on a call can go
// without moving those that waited for it, and what is left keeps meeting.
plans absolute_times(const sim::plan& value) {
  std::map<std::uint32_t, sim::true_time> began;
  for (const auto& one : value.decisions) {
    if (one.event.what == sim::event_label::start) began.emplace(one.event.subject, one.at);
  }
  std::vector<sim::plan> all;
  propose(all, value, [&](sim::plan& plan) {
    bool moved = false;
    for (auto& call : plan.calls) {
      const auto at = began.find(call.id);
      if (call.after == sim::no_spec || call.every > 0 || at == began.end()) continue;
      call.at = at->second;
      call.after = sim::no_spec;
      call.wait = 0;
      call.at_expiry = false;
      moved = true;
    }
    return moved;
  });
  return rc::seq::fromContainer(std::move(all));
}

// An earlier end: just after the k-th decision. Only without a quiet phase, whose beginning the
// end of the other one is.
plans earlier_end(const sim::plan& value) {
  if (value.bounds.quiet > 0 || value.decisions.empty()) return {};
  const auto last = std::int64_t(value.decisions.size()) - 1;
  const auto end_after = [](const sim::plan& plan, std::int64_t k) {
    return plan.decisions[std::size_t(k)].at + 1;
  };
  const auto present = value.bounds.safety > 0 ? value.bounds.safety : end_after(value, last);
  auto places = rc::seq::filter(rc::shrink::towards<std::int64_t>(last, 0),
                                [=](std::int64_t k) { return end_after(value, k) < present; });
  return rc::seq::map(std::move(places), [=](std::int64_t k) {
    sim::plan shorter = value;
    const auto end = end_after(value, k);
    shorter.bounds.safety = end;
    std::erase_if(shorter.decisions, [end](const sim::decision& one) { return one.at >= end; });
    return shorter;
  });
}

plans fewer_processes(const sim::plan& value) {
  if (value.processes.size() < 2) return {};
  return fewer(value, value.processes.size(), keep_processes);
}
plans fewer_calls(const sim::plan& value) { return fewer(value, value.calls.size(), keep_calls); }
plans fewer_signals(const sim::plan& value) {
  return fewer(value, value.signals.size(), keep_signals);
}
plans fewer_faults(const sim::plan& value) {
  return fewer(value, value.faults.size(), keep_faults);
}
plans plainer_world(const sim::plan& value) {
  std::vector<sim::plan> all;
  propose(all, value, [](sim::plan& plan) {
    plan.bounds.asking_period = 0;
    return become<sim::true_duration>(plan.bounds.quiet, 0);
  });
  propose(all, value, [](sim::plan& plan) { return become<std::uint8_t>(plan.decorators, 0); });
  propose(all, value,
          [](sim::plan& plan) { return become<sim::true_duration>(plan.bounds.lateness, 0); });
  propose(all, value,
          [](sim::plan& plan) { return become<sim::true_duration>(plan.bounds.delay_min, 0); });
  propose(all, value,
          [](sim::plan& plan) { return become<sim::true_duration>(plan.backend_phase, 0); });
  for (std::size_t i = 0; i < value.processes.size(); ++i) {
    propose(all, value,
            [i](sim::plan& plan) { return become(plan.processes[i].rate_ppb, sim::rate_one); });
    propose(all, value, [i](sim::plan& plan) {
      auto& process = plan.processes[i];
      const bool stood = become(process.clock_stands_in_pause, false);
      return become<std::int64_t>(process.wall_offset, 0) || stood;
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

// Less time for the contender, and fewer questions of it.
plans shorter_quiet(const sim::plan& value) {
  if (value.bounds.quiet <= 0) return {};
  auto less = rc::seq::map(shorter(value.bounds.quiet), [value](std::int64_t length) {
    sim::plan simpler = value;
    simpler.bounds.quiet = length;
    return simpler;
  });
  if (value.bounds.asking_period > 2 * value.ttl_ms * ns_per_ms) return less;
  sim::plan patient = value;
  patient.bounds.asking_period *= 2;
  return rc::seq::concat(std::move(less), rc::seq::just(std::move(patient)));
}

plans shorter_calls(const sim::plan& value) {
  plans all;
  for (std::size_t i = 0; i < value.calls.size(); ++i) {
    for (auto member : {&sim::call_spec::at, &sim::call_spec::wait, &sim::call_spec::lasts})
      all = rc::seq::concat(std::move(all), shorter_member(value, &sim::plan::calls, i, member));
  }
  return all;
}

plans earlier_faults(const sim::plan& value) {
  std::vector<sim::plan> all;
  for (std::size_t i = 0; i < value.faults.size(); ++i) {
    std::set<sim::true_time> instants{0};
    for (const auto& one : value.decisions) instants.insert(one.at);
    for (const auto at : instants)
      if (at < value.faults[i].at)
        propose(all, value, [&](sim::plan& plan) {
          plan.faults[i].at = plan.faults[i].at_latest = at;
          return true;
        });
  }
  return rc::seq::fromContainer(std::move(all));
}

plans shorter_faults(const sim::plan& value) {
  plans all;
  for (std::size_t i = 0; i < value.faults.size(); ++i) {
    std::vector<sim::plan> certain;
    propose(certain, value, [i](sim::plan& plan) {
      auto& fault = plan.faults[i];
      return !fault.point && become(fault.at_latest, fault.at);
    });
    all = rc::seq::concat(std::move(all), rc::seq::fromContainer(std::move(certain)));
    for (auto member : {&sim::fault_spec::lasts, &sim::fault_spec::until, &sim::fault_spec::by})
      all = rc::seq::concat(std::move(all), shorter_member(value, &sim::plan::faults, i, member));
  }
  return all;
}

// Everything from some event on as much earlier as lets it follow the one before it at once.
plans closer_decisions(const sim::plan& value) {
  std::vector<sim::plan> all;
  for (std::size_t i = 1; i < value.decisions.size(); ++i) {
    const auto gap = value.decisions[i].at - value.decisions[i - 1].at;
    if (gap <= 0) continue;
    propose(all, value, [&](sim::plan& plan) {
      for (std::size_t j = i; j < plan.decisions.size(); ++j) plan.decisions[j].at -= gap;
      return true;
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

// Events as early as they may be: all, then one by one.
plans earlier_decisions(const sim::plan& value) {
  std::vector<sim::plan> all;
  propose(all, value, [](sim::plan& plan) {
    bool moved = false;
    for (auto& one : plan.decisions) moved |= become<sim::true_time>(one.at, 0);
    return moved;
  });
  for (std::size_t i = 0; i < value.decisions.size(); ++i) {
    propose(all, value,
            [i](sim::plan& plan) { return become<sim::true_time>(plan.decisions[i].at, 0); });
  }
  return rc::seq::fromContainer(std::move(all));
}

plans rounder_decisions(const sim::plan& value) {
  std::vector<sim::plan> all;
  for (std::size_t i = 0; i < value.decisions.size(); ++i) {
    propose(all, value, [i](sim::plan& plan) {
      auto& at = plan.decisions[i].at;
      return become(at, at / ns_per_ms * ns_per_ms);
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

// The list. Bold ones first; those that make later ones cheaper before them.
constexpr reduction reductions[] = {
    earlier_end,     end_within,       idle_parts,        absolute_times,  fewer_processes,
    fewer_calls,     fewer_signals,    fewer_faults,      moved_signals,   no_phases,
    plainer_world,   shorter_quiet,    shorter_calls,     shorter_signals, shorter_faults,
    stricter_client, less_time,        earlier_decisions, earlier_faults,  later_signals,
    later_decisions, closer_decisions, rounder_decisions,
};

std::int64_t capped(std::int64_t length) {
  constexpr auto most = std::int64_t{1} << 40;  // sums of these never wrap
  return std::clamp(length, -most, most);
}

// How far a plan is from the simplest, most important first. A run by simpler decisions may turn
// out to be the same run, so a failing candidate counts only if it is smaller in this sense.
using size = std::array<std::int64_t, 5>;
size size_of(const sim::plan& plan) {
  std::int64_t times = capped(plan.bounds.quiet), unround = 0, odd = 0, total = 0, chained = 0;
  for (const auto& call : plan.calls) {
    times += capped(call.at) + capped(call.wait) + capped(call.lasts);
    chained += call.after != sim::no_spec;
    odd += call.at_expiry;
  }
  for (const auto& signal : plan.signals) {
    times += capped(signal.at) + capped(signal.run) + capped(signal.resume_at);
    odd += signal.plain + signal.suspend_at.has_value();
  }
  for (const auto& fault : plan.faults) {
    times += capped(fault.at) + capped(fault.at_latest) + capped(fault.lasts);
    times += capped(fault.until) + std::abs(capped(fault.by));
  }
  for (const auto& process : plan.processes) {
    odd += (process.rate_ppb != sim::rate_one) + (process.wall_offset != 0);
    odd += process.clock_stands_in_pause;
  }
  odd += loose_policies(plan.client);
  odd += (plan.bounds.quiet > 0) + (plan.decorators > 0) + (plan.bounds.lateness > 0) +
         (plan.bounds.delay_min > 0) + (plan.backend_phase > 0);
  for (const auto& one : plan.decisions) {
    unround += one.at % ns_per_ms != 0;
    total += capped(one.at);
  }
  const auto parts = plan.calls.size() + plan.signals.size() + plan.faults.size() +
                     plan.processes.size() + plan.keys.size() + plan.owners.size();
  const auto story = std::int64_t(parts) + chained;
  const auto events = std::int64_t(plan.decisions.size());
  if (plan.signals.empty()) return {story, events, odd, times + unround, total};
  return {3 * story + events, story, odd, times + unround, total};
}

}  // namespace

// Shorter, in whole milliseconds where it was not.
rc::Seq<std::int64_t> shorter(std::int64_t length) {
  if (length == sim::never) return {};
  const auto whole = length / ns_per_ms;
  auto rounder =
      length % ns_per_ms != 0 ? rc::seq::just(whole * ns_per_ms) : rc::Seq<std::int64_t>();
  auto less = rc::seq::map(rc::shrink::towards<std::int64_t>(whole, 0),
                           [](std::int64_t ms) { return ms * ns_per_ms; });
  return rc::seq::concat(std::move(less), std::move(rounder));
}

rc::Seq<sim::plan> shrink_plan(const sim::plan& value) {
  plans all;
  for (const auto reduce : reductions) all = rc::seq::concat(std::move(all), reduce(value));
  return all;
}

shrunk shrink(sim::plan failing, const still_fails& test, std::uint32_t budget) {
  shrunk best{std::move(failing), 0};
  // Round and round, until none of them makes this very plan smaller.
  const std::size_t all = std::size(reductions);
  for (std::size_t i = 0, in_vain = 0; in_vain < all; i = (i + 1) % all, ++in_vain) {
    auto candidates = reductions[i](best.plan);
    while (auto candidate = candidates.next()) {
      if (best.runs >= budget) return best;
      ++best.runs;
      if (!test(*candidate) || size_of(*candidate) >= size_of(best.plan)) continue;
      best.plan = std::move(*candidate);
      candidates = reductions[i](best.plan);
      in_vain = 0;
    }
  }
  return best;
}

}  // namespace leaselab::properties
