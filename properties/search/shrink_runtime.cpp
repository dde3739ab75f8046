// How the plan of a runtime becomes simpler: its signals, its client, and the time that it takes.
#include <optional>
#include <type_traits>

#include "properties/search/cut_time.hpp"
#include "properties/search/reductions.hpp"

namespace leaselab::properties {

using sim::event_label;

// The same, with what else happens at that instant left undone.
plans end_within(const sim::plan& value) {
  if (value.bounds.quiet > 0 || value.signals.empty()) return {};
  std::vector<sim::plan> all;
  for (std::size_t k = 0; k + 1 < value.decisions.size(); ++k) {
    const auto at = value.decisions[k].at;
    if (at <= 0 || value.decisions[k + 1].at > at) continue;
    propose(all, value, [&](sim::plan& plan) {
      sim::decision end;
      end.event.what = event_label::quiet;
      end.at = plan.bounds.safety = at;
      plan.decisions.resize(k + 1);
      plan.decisions.push_back(end);
      return true;
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

// All policies as the strict client has them, or one of them.
plans stricter_client(const sim::plan& value) {
  std::vector<sim::plan> all;
  if (value.signals.empty()) return {};
  propose(all, value, [](sim::plan& plan) { return become(plan.client, sim::client_policy{}); });
  std::size_t count = 0;
  sim::client_policy strict;
  each_policy(strict, [&](std::string_view, auto&) { ++count; });
  for (std::size_t i = 0; i < count; ++i) {
    propose(all, value, [i](sim::plan& plan) {
      std::size_t place = 0;
      bool changed = false;
      each_policy(plan.client, [&](std::string_view, auto& member) {
        if (place++ == i) changed = become(member, std::decay_t<decltype(member)>{});
      });
      return changed;
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

// Ended when nothing is left to do, with no phase after it.
plans no_phases(const sim::plan& value) {
  std::vector<sim::plan> all;
  if (value.signals.empty()) return {};
  propose(all, value, [](sim::plan& plan) {
    const bool shorter = become<sim::true_duration>(plan.bounds.quiet, 0);
    plan.bounds.safety = 0;
    return shorter;
  });
  return rc::seq::fromContainer(std::move(all));
}

plans less_time(const sim::plan& value) {
  return rc::seq::map(rc::seq::fromContainer(stretches_of(value)),
                      [value](const stretch& out) { return cut_time(value, out); });
}

plans shorter_signals(const sim::plan& value) {
  plans all;
  for (std::size_t i = 0; i < value.signals.size(); ++i) {
    std::vector<sim::plan> simpler;
    propose(simpler, value, [i](sim::plan& plan) {
      auto& signal = plan.signals[i];
      signal.resume_at = 0;
      signal.resume_in = signal.process;
      return become<std::optional<sim::true_duration>>(signal.suspend_at, std::nullopt);
    });
    propose(simpler, value, [i](sim::plan& plan) { return become(plan.signals[i].plain, false); });
    all = rc::seq::concat(std::move(all), rc::seq::fromContainer(std::move(simpler)));
    for (auto member :
         {&sim::signal_spec::at, &sim::signal_spec::run, &sim::signal_spec::resume_at})
      all = rc::seq::concat(std::move(all), shorter_member(value, &sim::plan::signals, i, member));
  }
  return all;
}

// In another process: what went to it by way of an offer is there from the beginning.
plans moved_signals(const sim::plan& value) {
  std::vector<sim::plan> all;
  for (std::size_t i = 0; i < value.signals.size(); ++i) {
    for (std::size_t p = 0; p < value.processes.size(); ++p) {
      const auto process = sim::process_id(p);
      const auto move = [&](std::uint16_t trip, sim::process_id sim::signal_spec::*member) {
        propose(all, value, [&](sim::plan& plan) {
          auto& signal = plan.signals[i];
          for (auto& one : plan.decisions) {
            const auto& event = one.event;
            if (event.what == event_label::signal && event.trip == trip &&
                sim::signal_of_subject(event.subject) == signal.id)
              one.event.process = process;
          }
          return become(signal.*member, process);
        });
      };
      move(0, &sim::signal_spec::process);
      if (value.signals[i].suspend_at) move(1, &sim::signal_spec::resume_in);
    }
  }
  return rc::seq::fromContainer(std::move(all));
}

// Later: what goes on meanwhile has then no part in it.
plans later_signals(const sim::plan& value) {
  std::vector<sim::plan> all;
  for (std::size_t i = 0; i < value.signals.size(); ++i) {
    for (const auto& one : value.decisions) {
      const auto put_off = [&](sim::true_time sim::signal_spec::*member) {
        if (one.at <= value.signals[i].*member) return;
        propose(all, value,
                [&](sim::plan& plan) { return become(plan.signals[i].*member, one.at); });
      };
      put_off(&sim::signal_spec::at);
      if (value.signals[i].suspend_at) put_off(&sim::signal_spec::resume_at);
    }
  }
  return rc::seq::fromContainer(std::move(all));
}

// An event whose decision is forgotten waits as long as it may.
plans later_decisions(const sim::plan& value) {
  std::vector<sim::plan> all;
  if (value.signals.empty()) return {};
  for (std::size_t i = 0; i < value.decisions.size(); ++i) {
    propose(all, value, [i](sim::plan& plan) {
      plan.decisions.erase(plan.decisions.begin() + std::ptrdiff_t(i));
      return true;
    });
  }
  return rc::seq::fromContainer(std::move(all));
}

std::int64_t loose_policies(const sim::client_policy& value) {
  std::int64_t count = 0;
  auto looked_at = value;
  each_policy(looked_at, [&](std::string_view, auto& member) { count += int(member) != 0; });
  return count;
}

}  // namespace leaselab::properties
