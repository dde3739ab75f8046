#include "properties/testing/findings.hpp"

#include <algorithm>

#include "properties/builtin.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/shrink.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties::testing {
namespace {

using sim::call_record;
using sim::event_kind;
using sim::nobody;
using sim::run_record;
using sim::verb;

template <class Test>
bool any_call(const run_record& run, verb what, Test test) {
  return std::any_of(run.calls.begin(), run.calls.end(), [&](const call_record& call) {
    return call.by_runtime() && call.what == what && test(call);
  });
}
template <class Test>
bool any_event(const run_record& run, event_kind kind, Test test) {
  return std::any_of(run.events.begin(), run.events.end(),
                     [&](const sim::event& event) { return event.kind == kind && test(event); });
}

bool is_denial(const call_record& call) { return call.ended == outcome::ok && !call.yes; }
bool failed(const call_record& call) {
  return call.completed != sim::never && call.ended != outcome::ok;
}

// A token of the same incarnation as that call.
bool is_own(const run_record& run, sim::owner_id token, const call_record& of) {
  return any_call(run, verb::acquire,
                  [&](const call_record& call) {
                    return call.owner == token && call.process == of.process &&
                           call.incarnation == of.incarnation;
                  }) ||
         any_call(run, verb::transfer, [&](const call_record& call) {
           return call.to == token && call.process == of.process &&
                  call.incarnation == of.incarnation;
         });
}

bool denied_by_nobody(const run_record& run, const sim::plan&, const violation&) {
  return any_call(run, verb::acquire,
                  [](const call_record& call) { return is_denial(call) && call.named == nobody; });
}

bool denied_by_its_own(const run_record& run, const sim::plan&, const violation&) {
  return any_call(run, verb::acquire, [&](const call_record& call) {
    return is_denial(call) && call.named != nobody && is_own(run, call.named, call);
  });
}

// Whoever is named had sent its release, and no step of it had taken effect.
bool offered_to_the_finished(const run_record& run, const sim::plan&, const violation&) {
  return any_call(run, verb::acquire, [&](const call_record& denial) {
    if (!is_denial(denial) || denial.named == nobody) return false;
    return any_call(run, verb::release, [&](const call_record& release) {
      return release.owner == denial.named && release.process != denial.process &&
             release.invoked <= denial.invoked;
    });
  });
}

bool drained_in_vain(const run_record& run, const sim::plan&, const violation&) {
  return any_call(run, verb::transfer, failed);
}

// More than a ttl after its lease was over, and no renewal since had been answered yes.
bool ran_on(const run_record& run, const sim::plan& plan, const violation& found) {
  const sim::event& late = run.events[found.event];
  std::int64_t deadline = 0;
  for (const sim::event& event : run.events)
    if (event.kind == event_kind::step && event.after.owner == late.owner)
      deadline = std::max(deadline, event.after.deadline);
  // Answered no or not at all, or sent in time and never answered.
  const bool lost = any_call(run, verb::renew, [&](const call_record& call) {
    if (call.owner != late.owner || call.invoked >= late.at) return false;
    if (call.completed <= late.at) return !call.yes;
    return call.invoked_granule <= deadline;
  });
  const bool began_in_time = any_event(run, event_kind::work, [&](const sim::event& work) {
    return work.owner == late.owner && work.granule <= deadline;
  });
  return lost && began_in_time && late.granule - deadline > plan.ttl_ms;
}

// A release by another process than the one whose run works.
bool freed_by_the_origin(const run_record& run, const sim::plan&, const violation& found) {
  const sim::event& late = run.events[found.event];
  return std::any_of(
      run.events.begin(), run.events.begin() + found.event, [&](const sim::event& event) {
        if (event.kind != event_kind::step || event.before.owner != late.owner) return false;
        const call_record& call = run.calls[event.call];
        const bool resumed = any_event(run, event_kind::run_started, [&](const sim::event& start) {
          return start.process == late.process && start.owner == late.owner && start.at <= event.at;
        });
        return resumed && call.what == verb::release && call.owner == late.owner &&
               call.process != late.process && event.after.owner == nobody;
      });
}

// A run that begins where an owner read has failed.
bool began_after_a_failed_read(const run_record& run, const sim::plan&, const violation&) {
  return any_call(run, verb::get, [&](const call_record& call) {
    if (!failed(call)) return false;
    return any_event(run, event_kind::run_started, [&](const sim::event& start) {
      return start.process == call.process && start.at == call.completed;
    });
  });
}

// Two processes' acquires failed, both began to run at that, and both worked on when all faults
// that had held them off were over.
bool both_open_after_the_heal(const run_record& run, const sim::plan&, const violation&) {
  sim::true_time healed = -1;
  for (const sim::event& event : run.events)
    if (event.kind == event_kind::heal || event.kind == event_kind::quiet) healed = event.at;
  if (healed < 0) return false;
  std::vector<sim::process_id> open;
  for (const call_record& call : run.calls) {
    if (!call.by_runtime() || call.what != verb::acquire || !failed(call)) continue;
    const bool began = any_event(run, event_kind::run_started, [&](const sim::event& start) {
      return start.process == call.process && start.owner == call.owner && start.at <= healed;
    });
    const bool worked_on = any_event(run, event_kind::work, [&](const sim::event& work) {
      return work.process == call.process && work.owner == call.owner && work.at >= healed;
    });
    if (began && worked_on) open.push_back(call.process);
  }
  return std::adjacent_find(open.begin(), open.end(), std::not_equal_to<>()) != open.end();
}

bool behind_a_decorator(const run_record&, const sim::plan& plan, const violation&) {
  return plan.decorators > 0;
}

// The world, the judge and what counts as found.
class hunt {
 public:
  hunt(const finding& wanted, std::uint64_t seed) : wanted_(wanted) {
    options_.workload = sim::workload_kind::runtime;
    options_.client = sim::parse_client(wanted.client);
    options_.properties = {wanted.property};
    options_.seed = seed;
    options_.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
    provider_ = find_variant(wanted.provider);
    campaign_ = make_campaign(*provider_, *find_profile(wanted.profile), options_,
                              judge(options_.properties));
    own_ = std::make_unique<bench>(options_);
  }

  bool draw(std::uint64_t index) {
    return shows(own_->run_schedule(campaign_, index), own_->plan());
  }
  const sim::plan& drawn() const { return own_->plan(); }
  bool replay_shows(sim::plan& plan) {
    return plan.client == options_.client && shows(own_->replay(*provider_, plan), plan);
  }
  std::optional<sim::plan> told(const sim::plan& plan) {
    retelling_world world;
    world.run = [&](const sim::plan& one, sim::chooser& choices) -> const run_record& {
      return own_->world_of(*provider_).run(one, choices);
    };
    world.shows_in_order = [&](sim::plan& one) {
      return shows(own_->run_in_order(*provider_, one), one);
    };
    return directed(plan, world);
  }
  std::string text(sim::plan plan) {
    shows(own_->replay(*provider_, plan), plan, true);
    return own_->judged_by().found().front().text;
  }

 private:
  bool shows(const run_record& run, const sim::plan& plan, bool explain = false) {
    auto& judge = own_->judged_by();
    const auto looked =
        judge.look(own_->world_of(*provider_), run, plan, provider_->declared, 1, explain);
    if (!looked.violated) return false;
    return std::any_of(judge.found().begin(), judge.found().end(),
                       [&](const violation& one) { return wanted_.is_it(run, plan, one); });
  }

  const finding& wanted_;
  check_options options_;
  const sim::variant* provider_ = nullptr;
  campaign campaign_;
  std::unique_ptr<bench> own_;
};

}  // namespace

const std::vector<finding>& findings() {
  static const std::vector<finding> all = {
      {"a_refused_in_nobodys_name", "strict,nobody_named=drop", "redis-three-step", "crash",
       "signal.once", denied_by_nobody, 15, 45},
      {"b_refused_by_its_own_leftover", "strict,own_token_named=route,offer=once", "redis", "lossy",
       "signal.once", denied_by_its_own, 2, 5},
      {"c_offered_to_the_finished", "strict,release=fire_and_forget,offer=once", "redis", "lossy",
       "signal.once", offered_to_the_finished, 1, 70},
      {"d_drained_in_vain", "strict,drain_error=drop", "redis", "scripts", "signal.once",
       drained_in_vain, 1, 17},
      {"e_on_after_a_lost_renewal",
       "strict,renew_error=ignore,renew_false=run_on,local_deadline=none", "memory", "pause",
       "run.serialized", ran_on, 7, 132},
      {"f_freed_by_the_origin", "strict,token=run_id,suspend=keep", "redis", "interleave",
       "run.covered", freed_by_the_origin, 18, 7},
      {"g_one_failed_read", "strict,waiter_error=dead,dead_means=run", "redis", "lossy",
       "run.covered", began_after_a_failed_read, 38, 596},
      {"h_both_fail_open", "strict,acquire_error=fail_open", "redis", "partition", "run.serialized",
       both_open_after_the_heal, 10, 2945},
      {"i_hidden_by_a_decorator", "strict,detection=outermost", "redis", "interleave",
       "run.serialized", behind_a_decorator, 1, 3},
  };
  return all;
}

std::optional<found> search_for(const finding& wanted, std::uint64_t seed,
                                std::uint64_t schedules) {
  // Runs; more than a check spends on a witness, so that it is the smallest that descent finds.
  constexpr std::uint32_t budget = 6000;
  hunt own(wanted, seed);
  for (std::uint64_t index = 0; index < schedules; ++index) {
    if (!own.draw(index)) continue;
    found out;
    out.index = index;
    out.events_before = own.drawn().decisions.size();
    auto smaller = shrink(
        own.drawn(), [&](sim::plan& candidate) { return own.replay_shows(candidate); }, budget);
    out.plan = std::move(smaller.plan);
    out.directed = own.told(out.plan);
    out.text = own.text(out.plan);
    return out;
  }
  return std::nullopt;
}

}  // namespace leaselab::properties::testing
