#include "properties/lone_runs.hpp"

#include <algorithm>
#include <vector>

#include "properties/describe.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::signal_note;
using sim::true_duration;

// All stops and delays together. A renewal is due after ttl/3. One that is held up for longer than
// its limit fails, and is made again by a timer of its own: then late timers count once more.
bool lease_outlives_stops(const run_context& context) {
  const sim::plan& plan = context.plan;
  const true_duration ttl = plan.ttl_ms * sim::ns_per_ms;
  const true_duration margin = ttl / 1'000'000 * plan.margin_ppm;
  const true_duration granule = context.declared.granule_ms * sim::ns_per_ms;
  const true_duration spare =
      ttl - margin - granule - ttl / 3 - 4 * plan.bounds.delay_max - 6 * plan.bounds.lateness;
  const true_duration patience = plan.bounds.call_limit - 2 * plan.bounds.delay_max;
  if (patience <= 0) return false;
  true_duration held_up = 0, late = 0;
  for (const sim::fault_spec& fault : plan.faults) {
    if (fault.kind == sim::fault_kind::pause) held_up += std::min(fault.lasts, ttl);
    if (fault.kind == sim::fault_kind::delay) held_up += std::min(fault.by, ttl);
    if (fault.kind == sim::fault_kind::connect) held_up += std::min(fault.by, ttl);
    if (fault.kind == sim::fault_kind::late_timer) late += std::min(fault.by, ttl);
  }
  const true_duration stopped = held_up + late * (1 + held_up / patience);
  // On a clock that runs as fast as the margin allows.
  return stopped + stopped / 1'000'000 * plan.margin_ppm <= spare;
}

struct key_story {
  std::vector<std::uint32_t> queued;  // signals, in the order of their arrival
  int running = 0;
};

class lone_runs {
 public:
  lone_runs(const run_context& context, reporter& report)
      : context_(context),
        report_(report),
        undisturbed_(lease_outlives_stops(context)),
        shuts_down_(std::any_of(context.plan.calls.begin(), context.plan.calls.end(),
                                [](const auto& call) { return call.what == sim::verb::close; })),
        stories_(std::max<std::size_t>(1, context.run.keys.size())) {}

  void judge() {
    for (std::uint32_t i = 0; i < context_.run.events.size(); ++i) take(i);
  }

 private:
  // A plain run begins or is refused, by what it happens to meet.
  bool is_plain(std::uint32_t id) const {
    return std::any_of(context_.plan.signals.begin(), context_.plan.signals.end(),
                       [id](const auto& signal) { return signal.id == id && signal.plain; });
  }

  void take(std::uint32_t index) {
    const sim::event& event = context_.run.events[index];
    const auto id = signal_note::of(event.value).signal;
    switch (event.kind) {
      case event_kind::signal_submitted:
        if (!is_plain(id)) stories_[event.key].queued.push_back(id);
        return;
      case event_kind::signal_begun:
        if (!is_plain(id)) take_begun(index, id);
        return;
      case event_kind::run_started:
        if (++stories_[event.key].running > 1) tell(index, "starts while another run works");
        return;
      case event_kind::run_ended:
        --stories_[event.key].running;
        return;
      case event_kind::signal_refused:
        return take_refused(index, id);
      case event_kind::signal_interrupted:
        if (undisturbed_) tell(index, "is interrupted");
        return;
      case event_kind::signal_offered:
        return tell(index, "is offered to somebody else");
      case event_kind::signal_unknown:
        return tell(index, "is given up");
      default:
        return;
    }
  }

  void take_begun(std::uint32_t index, std::uint32_t id) {
    auto& queued = stories_[context_.run.events[index].key].queued;
    if (queued.empty() || queued.front() != id) tell(index, "begins out of its turn");
    std::erase(queued, id);
  }

  // Whoever shuts down refuses what comes.
  void take_refused(std::uint32_t index, std::uint32_t id) {
    if (is_plain(id)) return;
    if (shuts_down_) {
      std::erase(stories_[context_.run.events[index].key].queued, id);
      return;
    }
    tell(index, "is refused");
  }

  void tell(std::uint32_t index, const char* what) {
    report_(index, sim::no_call, [&] {
      const sim::event& event = context_.run.events[index];
      return at_instant(event) + " signal " + std::to_string(signal_note::of(event.value).signal) +
             " of " + key_name(context_.run, event.key) + " " + what +
             ", though its process is alone";
    });
  }

  const run_context& context_;
  reporter& report_;
  bool undisturbed_, shuts_down_;
  std::vector<key_story> stories_;
};

}  // namespace

void judge_lone_runs(const run_context& context, reporter& report) {
  lone_runs(context, report).judge();
}

}  // namespace leaselab::properties
