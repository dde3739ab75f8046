// signal.once: no signal begins twice, none vanishes without a word, and the word "unknown" is
// used only where something was lost.
#include <algorithm>
#include <vector>

#include "properties/describe.hpp"
#include "properties/rule.hpp"
#include "properties/runs.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::fault_kind;
using sim::signal_note;

// Where a signal is and what became of it.
struct signal_fate {
  std::uint32_t id = 0;
  std::uint32_t submitted = no_index;  // event
  bool begun = false;
  bool ended = false;
  bool lost = false;  // with an incarnation that had it
  std::vector<sim::process_id> held_by;
};

struct open_offer {
  std::uint32_t signal = 0, number = 0;
  sim::process_id from = 0, to = 0;
  bool excused = false;  // a verdict may have been lost, or nobody could give one
};

// An offer's message or its verdict, and no other errand for the signal.
bool is_of_offers(std::uint32_t subject) {
  if (!sim::is_runtime_subject(subject)) return false;
  const auto what = static_cast<sim::errand>(sim::kind_of_subject(subject));
  return what == sim::errand::offer || what == sim::errand::verdict;
}

struct process_state {
  std::uint8_t incarnation = 0;
  bool up = true;
  int pauses = 0;
  int cuts = 0;
};

class once_rule final : public rule {
 public:
  once_rule()
      : rule("signal.once", level::client,
             "a signal begins at most once, and begins or ends in the history") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (context.plan.signals.empty()) return verdict::not_applicable;
    context_ = &context;
    fates_.clear();
    offers_.clear();
    processes_.assign(context.run.processes.size() + 1, {});
    downs_ = 0;
    for (std::uint32_t i = 0; i < context.run.events.size(); ++i) take(report, i);
    if (!gave_time(context)) return verdict::holds;
    if (context.run.step_limit_reached) return verdict::unknown;
    for (const signal_fate& fate : fates_) expect_end(report, fate);
    return verdict::holds;
  }

  // A world that was cut short has not given its signals their time. Nor has one in which a call
  // may reach its limit before all its trips are made: a handover of release-then-acquire takes
  // four legs, and with D = 0.087 ttl and a limit of 0.25 ttl each one ended unknown just before
  // its acquire landed; the next request was denied by the token of the last, handed that over,
  // and so on without end.
  static bool gave_time(const run_context& context) {
    const sim::bounds& bounds = context.plan.bounds;
    const int trips = context.declared.acquire_trips + (context.declared.atomic_handoff ? 0 : 1);
    // In one line a call waits for what others of its process ask for each signal: leases,
    // renewals.
    const auto line =
        context.declared.one_line ? 2 * std::ssize(context.plan.signals) : std::ptrdiff_t{1};
    if (bounds.call_limit <= 2 * trips * line * bounds.delay_max) return false;
    if (bounds.safety <= 0 && bounds.quiet <= 0) return true;
    const sim::true_duration ttl = context.plan.ttl_ms * sim::ns_per_ms;
    const auto needed = std::int64_t(context.plan.signals.size() + 2) * 3 * ttl;
    return context.timeline.quiet() != no_index && bounds.quiet >= needed;
  }

  void take(reporter& report, std::uint32_t index) {
    const sim::event& event = context_->run.events[index];
    const signal_note note = signal_note::of(event.value);
    switch (event.kind) {
      case event_kind::signal_submitted:
        fate_of(note.signal).submitted = index;
        return hold(event);
      case event_kind::signal_accepted:
        return hold(event);
      case event_kind::signal_handed:
        close(event, note);
        let_go(event);
        return expect_holder(report, index);
      case event_kind::signal_offered:
        return open(event, note);
      case event_kind::signal_refused:
        close(event, note);
        if (note.offer == 0) fate_of(note.signal).ended = true;
        return;
      case event_kind::signal_unknown:
        return take_unknown(report, index);
      case event_kind::signal_begun:
        return take_begun(report, index);
      default:
        return take_circumstance(event);
    }
  }

  void take_begun(reporter& report, std::uint32_t index) {
    const sim::event& event = context_->run.events[index];
    signal_fate& fate = fate_of(signal_note::of(event.value).signal);
    if (fate.begun)
      report(index, sim::no_call, [&] {
        return at_instant(event) + " signal " + signal_name(fate.id) + " begins in " +
               holder_name(context_->run, event.process, event.incarnation) +
               ", and it had begun before";
      });
    fate.begun = true;
  }

  void take_unknown(reporter& report, std::uint32_t index) {
    const sim::event& event = context_->run.events[index];
    const signal_note note = signal_note::of(event.value);
    fate_of(note.signal).ended = true;
    const open_offer* offer = find(event.process, note);
    if (offer && !offer->excused)
      report(index, sim::no_call, [&] {
        return at_instant(event) + " " +
               holder_name(context_->run, event.process, event.incarnation) +
               " gives up its offer of signal " + signal_name(note.signal) + " to " +
               context_->run.processes[offer->to] +
               " as unknown, though no message of it was lost and the receiver was there";
      });
    close(event, note);
  }

  // ---- what may cost a verdict

  void open(const sim::event& event, const signal_note& note) {
    const process_state& receiver = processes_[event.store];
    open_offer offer{note.signal, note.offer, event.process, event.store};
    offer.excused = downs_ > 0 || !receiver.up || receiver.incarnation != note.to_incarnation ||
                    receiver.pauses > 0 || receiver.cuts > 0 || processes_[event.process].cuts > 0;
    offers_.push_back(offer);
  }

  template <class Which>
  void excuse(Which&& which) {
    for (open_offer& offer : offers_)
      if (which(offer)) offer.excused = true;
  }

  void take_circumstance(const sim::event& event) {
    process_state& process =
        processes_[std::min<std::size_t>(event.process, processes_.size() - 1)];
    const auto to_it = [&](const open_offer& offer) { return offer.to == event.process; };
    switch (event.kind) {
      case event_kind::start:
        process.up = true;
        process.incarnation = event.incarnation;
        return;
      case event_kind::crash:
        process.up = false;
        excuse(to_it);
        if (event.value == 0) lose(event.process);
        return;
      case event_kind::pause:
        ++process.pauses;
        return excuse(to_it);
      case event_kind::resume:
        --process.pauses;
        return;
      case event_kind::fault:
        return take_fault(context_->plan.faults[std::size_t(event.value)], 1);
      case event_kind::quiet:  // ends all faults without a word about each
        downs_ = 0;
        for (process_state& one : processes_) one.cuts = 0;
        return;
      case event_kind::heal:
        return take_fault(context_->plan.faults[std::size_t(event.value)], -1);
      default:
        return;
    }
  }

  void take_fault(const sim::fault_spec& fault, int change) {
    switch (fault.kind) {
      case fault_kind::partition:
        processes_[fault.process].cuts += change;
        return excuse([&](const open_offer& offer) {
          return offer.to == fault.process || offer.from == fault.process;
        });
      case fault_kind::backend_down:
        downs_ += change;
        return excuse([](const open_offer&) { return true; });
      case fault_kind::drop:
      case fault_kind::hold:
        return excuse([&](const open_offer& offer) {
          return is_of_offers(fault.call) && sim::signal_of_subject(fault.call) == offer.signal;
        });
      default:
        return;
    }
  }

  // ---- where signals are

  void hold(const sim::event& event) {
    fate_of(signal_note::of(event.value).signal).held_by.push_back(event.process);
  }
  void let_go(const sim::event& event) {
    auto& holders = fate_of(signal_note::of(event.value).signal).held_by;
    const auto mine = std::find(holders.begin(), holders.end(), event.process);
    if (mine != holders.end()) holders.erase(mine);
  }
  void lose(sim::process_id process) {
    for (signal_fate& fate : fates_)
      if (std::erase(fate.held_by, process) > 0) fate.lost = true;
  }

  // Counted as another's though nobody was offered it, and nobody has it: no need to wait for the
  // end of the world.
  void expect_holder(reporter& report, std::uint32_t index) {
    const sim::event& event = context_->run.events[index];
    const signal_note note = signal_note::of(event.value);
    signal_fate& fate = fate_of(note.signal);
    if (note.offer != 0 || fate.begun || fate.ended || fate.lost || !fate.held_by.empty()) return;
    fate.ended = true;
    report(index, sim::no_call, [&] {
      return at_instant(event) + " " +
             holder_name(context_->run, event.process, event.incarnation) + " drops signal " +
             signal_name(note.signal) + ", which never began and which nobody else has";
    });
  }

  void expect_end(reporter& report, const signal_fate& fate) {
    if (fate.begun || fate.ended || fate.lost || fate.submitted == no_index) return;
    const auto last = static_cast<std::uint32_t>(context_->run.events.size()) - 1;
    report(last, sim::no_call, [&] {
      const sim::event& event = context_->run.events[fate.submitted];
      return "signal " + signal_name(fate.id) + ", submitted " + at_instant(event) + " at " +
             holder_name(context_->run, event.process, event.incarnation) +
             ", never began, and nobody said why";
    });
  }

  signal_fate& fate_of(std::uint32_t id) {
    for (signal_fate& fate : fates_)
      if (fate.id == id) return fate;
    signal_fate& added = fates_.emplace_back();
    added.id = id;
    return added;
  }
  const open_offer* find(sim::process_id from, const signal_note& note) const {
    for (const open_offer& offer : offers_)
      if (offer.from == from && offer.signal == note.signal && offer.number == note.offer)
        return &offer;
    return nullptr;
  }
  void close(const sim::event& event, const signal_note& note) {
    std::erase_if(offers_, [&](const open_offer& offer) {
      return offer.from == event.process && offer.signal == note.signal &&
             offer.number == note.offer;
    });
  }
  std::string signal_name(std::uint32_t id) const {
    for (const sim::signal_spec& signal : context_->plan.signals)
      if (signal.id == id && !signal.name.empty()) return signal.name;
    return std::to_string(id);
  }

  const run_context* context_ = nullptr;
  std::vector<signal_fate> fates_;
  std::vector<open_offer> offers_;
  std::vector<process_state> processes_;
  int downs_ = 0;
};

}  // namespace

std::unique_ptr<property> make_signal_once() { return std::make_unique<once_rule>(); }

}  // namespace leaselab::properties
