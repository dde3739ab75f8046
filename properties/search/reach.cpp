#include "properties/search/reach.hpp"

#include <algorithm>

#include "properties/lock.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::verb;

enum claim_number : unsigned {
  denial,
  takeover,
  renewal_at_deadline,
  transfer_contended,
  refused_argument,
  clock_of_holder,
  holder_paused_past_deadline,
  holder_crashed,
  restarted_holder_asks,
  landed_after_giving_up,
  unknown_outcome,
  error_reply,
  quiet_winner,
  backend_clock_moved,
  changed_from_outside,
  signal_taken_elsewhere,
  signal_back_or_unknown,
  run_handed_over,
  run_interrupted,
  run_resumed,
  plain_run_denied,
  own_token_named,
  waiter_looked,
  refused_at_shutdown,
  work_fenced_off,
  behind_decorators,
  claim_count
};

constexpr claim_info all[claim_count] = {
    {"denial"},
    {"takeover after expiry"},
    {"renewal in flight at a deadline"},
    {"transfer with a contender inside it"},
    {"argument refused"},
    {"clock fault on a holder"},
    {"holder paused past its deadline"},
    {"holder's crash"},
    {"call after a restart"},
    {"request that landed after its client gave up"},
    {"call that ended unknown"},
    {"error reply instead of the execution"},
    {"fresh contender that won in the quiet phase"},
    {"backend clock fault while a lease was held"},
    {"record changed from outside"},
    {"signal accepted by another process"},
    {"offer refused or given up"},
    {"lease handed over to the next run"},
    {"run that stopped when its lease was lost"},
    {"suspended run resumed"},
    {"plain run denied"},
    {"denial that named an own left-over token"},
    {"waiter that looked who owns the key"},
    {"offer refused by a process that shuts down"},
    {"work refused by the fence"},
    {"provider found behind three decorators"},
};

constexpr claim_set bit(unsigned number) { return claim_set{1} << number; }

// Keeps, for each process, until when it believes in anything, and for each key what was last
// granted. A run has few of both.
class watcher {
 public:
  watcher(const sim::run_record& run, const sim::plan& plan) : run_(run), plan_(plan) {}

  claim_set watch() {
    if (plan_.decorators == 3) reach(behind_decorators);
    for (const auto& event : run_.events) see(event);
    for (const auto& call : run_.calls) see(call);
    return reached_;
  }

 private:
  static constexpr std::size_t most_processes = 16;
  static constexpr std::size_t most_keys = 8;

  struct holder {
    bool believes = false;
    bool paused = false;
    std::int64_t deadline = 0;  // reading of its monotonic clock
    bool closing = false;
  };
  struct lease {
    sim::owner_id owner = sim::nobody;
    std::int64_t deadline = 0;
  };

  void reach(unsigned number) { reached_ |= bit(number); }
  holder& of(sim::process_id process) { return holders_[process % most_processes]; }
  bool holds(sim::process_id process, sim::true_time at) {
    const auto& one = of(process);
    return process < run_.monotonic.size() && one.believes &&
           run_.monotonic[process].read(at) < one.deadline;
  }

  void see(const sim::event& event) {
    switch (event.kind) {
      case event_kind::step:
        return see_step(event);
      case event_kind::change:
        if (event.call == sim::no_call) reach(changed_from_outside);
        return remember(event);
      case event_kind::believe:
        of(event.process).believes = true;
        of(event.process).deadline = event.value;
        return;
      case event_kind::disbelieve:
        of(event.process).believes = false;
        return;
      case event_kind::pause:
        of(event.process).paused = holds(event.process, event.at);
        return;
      case event_kind::resume:
        if (of(event.process).paused && !holds(event.process, event.at))
          reach(holder_paused_past_deadline);
        return;
      case event_kind::crash:
        if (holds(event.process, event.at)) reach(holder_crashed);
        of(event.process).believes = false;
        return;
      case event_kind::fault:
        return see_fault(event);
      case event_kind::signal_accepted:
        return reach(signal_taken_elsewhere);
      case event_kind::signal_unknown:
        return reach(signal_back_or_unknown);
      case event_kind::signal_offered:
        offered_to_ = event.store;
        return;
      case event_kind::signal_refused:
        return see_refused(event);
      case event_kind::work_refused:
        return reach(work_fenced_off);
      case event_kind::signal_interrupted:
        return reach(run_interrupted);
      case event_kind::run_started:
        return see_run(event);
      case event_kind::invoke:
        if (run_.calls[event.call].what == verb::close) of(event.process).closing = true;
        if (event.incarnation > 0) reach(restarted_holder_asks);
        return;
      default:
        return;
    }
  }

  // A verdict that comes after another offer was made is taken for one on that: a claim may err.
  void see_refused(const sim::event& event) {
    const auto note = sim::signal_note::of(event.value);
    if (note.offer > 0) {
      reach(signal_back_or_unknown);
      if (of(offered_to_).closing) reach(refused_at_shutdown);
      return;
    }
    for (const sim::signal_spec& signal : plan_.signals)
      if (signal.id == note.signal && signal.plain) reach(plain_run_denied);
  }

  // A run starts in the event in which its lease was answered.
  void see_run(const sim::event& event) {
    const auto& begun = run_.events[std::size_t(&event - run_.events.data()) - 1];
    if (begun.kind != event_kind::signal_begun) reach(run_resumed);
    for (const auto& call : run_.calls)
      if (call.what == verb::transfer && call.to == event.owner && call.completed == event.at)
        reach(run_handed_over);
  }

  void see_fault(const sim::event& event) {
    const auto& fault = plan_.faults[std::size_t(event.value)];
    switch (fault.kind) {
      case sim::fault_kind::offset:
      case sim::fault_kind::step:
      case sim::fault_kind::rate:
      case sim::fault_kind::strobe:
      case sim::fault_kind::freeze:
        break;
      default:
        return;
    }
    if (fault.process == sim::backend_process) {
      for (const auto& one : leases_) {
        if (one.owner != sim::nobody && one.deadline >= event.granule) reach(backend_clock_moved);
      }
    } else if (holds(fault.process, event.at)) {
      reach(clock_of_holder);
    }
  }

  void see_step(const sim::event& event) {
    const auto& call = run_.calls[event.call];
    auto& known = leases_[event.key % most_keys];
    const bool over = known.owner != sim::nobody && known.deadline <= event.granule;
    if (event.refused) reach(error_reply);
    if (call.completed < event.at) reach(landed_after_giving_up);
    if (call.what == verb::acquire && over && known.owner != event.after.owner &&
        event.after.owner != sim::nobody)
      reach(takeover);
    if (call.what == verb::renew && known.owner == call.owner &&
        call.invoked_granule <= known.deadline &&
        std::max(event.granule, call.completed_granule) >= known.deadline)
      reach(renewal_at_deadline);
    if (call.what == verb::acquire) {
      for (const auto& other : run_.calls) {
        if (other.what == verb::transfer && other.key == call.key &&
            other.process != call.process && other.invoked <= event.at &&
            event.at <= other.completed)
          reach(transfer_contended);
      }
    }
    remember(event);
  }

  // A record that expired is forgotten by some stores and kept by others; here it is kept.
  void remember(const sim::event& event) {
    auto& known = leases_[event.key % most_keys];
    const bool removed = event.after.owner == sim::nobody && known.deadline > event.granule;
    if (event.after.owner != sim::nobody) {
      known = {event.after.owner, event.after.deadline};
    } else if (removed) {
      known = {};
    }
  }

  void see(const sim::call_record& call) {
    if (call.completed == sim::never) return;
    if (call.ended == outcome::info) reach(unknown_outcome);
    if (call.ended == outcome::fail && call.code == errc::invalid_argument) reach(refused_argument);
    if (call.by_runtime() && call.what == verb::get) reach(waiter_looked);
    if (call.what != verb::acquire || call.ended != outcome::ok) return;
    if (!call.yes) reach(denial);
    if (!call.yes && call.by_runtime() && is_own(call)) reach(own_token_named);
    if (call.yes && call.contender) reach(quiet_winner);
  }

  // The denial names a token under which the same incarnation has asked.
  bool is_own(const sim::call_record& denied) const {
    return std::any_of(run_.calls.begin(), run_.calls.end(), [&](const auto& call) {
      const sim::owner_id asked = call.what == verb::transfer ? call.to : call.owner;
      return asked == denied.named && call.process == denied.process &&
             call.incarnation == denied.incarnation && call.what != verb::get;
    });
  }

  const sim::run_record& run_;
  const sim::plan& plan_;
  claim_set reached_ = 0;
  sim::process_id offered_to_ = 0;
  holder holders_[most_processes];
  lease leases_[most_keys];
};

bool has(std::span<const sim::workload_kind> workloads, sim::workload_kind wanted) {
  return std::find(workloads.begin(), workloads.end(), wanted) != workloads.end();
}

// What runtimes do to each other whatever goes wrong, and what only loss brings about.
claim_set owed_to_runtimes(const profile& faults) {
  claim_set owed = bit(signal_taken_elsewhere) | bit(run_handed_over) | bit(run_resumed) |
                   bit(plain_run_denied) | bit(waiter_looked) | bit(behind_decorators);
  if (faults.id != "chaos") owed |= bit(refused_at_shutdown);
  if (faults.id == "crash" || faults.id == "chaos") owed |= bit(signal_back_or_unknown);
  if (faults.id == "pause" || faults.id == "chaos") owed |= bit(run_interrupted);
  return owed;
}

// What the faults of the profile are there for.
claim_set owed_to_faults(const profile& faults, const guarantees& declared) {
  const bool messages = !declared.inapplicable("*", "lossy");
  if (faults.id == "skew" || faults.id == "drift") return bit(clock_of_holder);
  if (faults.id == "pause") return bit(holder_paused_past_deadline);
  if (faults.id == "crash") return bit(holder_crashed) | bit(restarted_holder_asks);
  if (faults.id == "lossy" || faults.id == "partition")
    return bit(landed_after_giving_up) | bit(unknown_outcome);
  if (faults.id == "scripts") return bit(error_reply);
  if (faults.id == "chaos")
    return bit(holder_crashed) |
           (messages ? bit(unknown_outcome) | bit(landed_after_giving_up) : 0);
  return 0;
}

claim_set owed_to_environment(const profile& faults) {
  if (faults.id == "backend-clock") return bit(backend_clock_moved);
  if (faults.id == "backend-restart" || faults.id == "eviction" || faults.id == "failover")
    return bit(changed_from_outside);
  return 0;
}

}  // namespace

std::span<const claim_info> claims() { return all; }

claim_set reached_by(const sim::run_record& run, const sim::plan& plan) {
  return watcher(run, plan).watch();
}

claim_set owed_by(const profile& faults, const guarantees& declared,
                  std::span<const sim::workload_kind> workloads) {
  // What holds no lease for anybody has no deadline to meet.
  if (declared.scope == scope::none) return 0;
  if (!faults.in_model) return owed_to_environment(faults);
  const bool strict = has(workloads, sim::workload_kind::contend);
  claim_set owed = has(workloads, sim::workload_kind::calls) ? bit(refused_argument) : 0;
  const bool apart = declared.excludes("single_owner.grant", faults.id);
  if (has(workloads, sim::workload_kind::runtime) && !apart) owed |= owed_to_runtimes(faults);
  if (has(workloads, sim::workload_kind::runtime) && declared.fencing) owed |= bit(work_fenced_off);
  if (!strict) return owed;
  owed |= owed_to_faults(faults, declared) | bit(takeover);
  if (faults.quiet_phase) owed |= bit(quiet_winner);
  if (declared.excludes("single_owner.grant", faults.id)) return owed;
  owed |= bit(denial);
  if (faults.one_at_a_time) return owed;
  // Where incarnations end, nobody renews on the chance that the lease is still its own.
  const bool ends = faults.id == "crash" || faults.id == "chaos";
  if (!ends && !lacks(declared, operation::renew)) owed |= bit(renewal_at_deadline);
  const bool hands_over = has(workloads, sim::workload_kind::handoff);
  if (hands_over && !lacks(declared, operation::transfer)) owed |= bit(transfer_contended);
  return owed;
}

}  // namespace leaselab::properties
