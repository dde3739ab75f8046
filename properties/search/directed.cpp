#include "properties/search/directed.hpp"

#include <algorithm>
#include <map>

namespace leaselab::properties {
namespace {

using sim::event_label;

class retelling {
 public:
  explicit retelling(const sim::plan& value) : told_(value) {
    told_.workload = sim::workload_kind::directed;
    told_.decisions.clear();
    told_.bounds.delay_min = told_.bounds.delay_max = told_.bounds.lateness = 0;
    for (const auto& fault : told_.faults) next_fault_ = std::max(next_fault_, fault.id + 1);
    for (const auto& one : value.decisions) see(one);
  }

  std::optional<sim::plan> tell() {
    if (!sayable_) return std::nullopt;
    // Ties run in the order of the plan.
    std::stable_sort(told_.calls.begin(), told_.calls.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    return std::move(told_);
  }

 private:
  void see(const sim::decision& one) {
    switch (one.event.what) {
      case event_label::start:
        return see_start(one);
      case event_label::request:
      case event_label::reply:
        return see_message(one);
      case event_label::step:
        return see_step(one);
      case event_label::begin:
        return see_fault(one);
      default:
        return;
    }
  }

  void see_start(const sim::decision& one) {
    auto* call = call_of(one.event);
    if (!call) return;
    sayable_ &= one.event.repetition == 0;
    call->at = one.at;
    call->after = sim::no_spec;
    call->wait = 0;
    sent_[one.event.subject] = one.at;
  }

  // A message leaves at once after what came before it in its call, and so takes the time between.
  void see_message(const sim::decision& one) {
    if (!call_of(one.event)) return;
    auto& sent = sent_[one.event.subject];
    if (one.at > sent) {
      sayable_ &= (one.event.trip & sim::reload_mark) == 0;  // a file has no name for it
      auto& slow = told_.faults.emplace_back();
      slow.id = next_fault_++;
      slow.kind = sim::fault_kind::delay;
      slow.call = one.event.subject;
      slow.trip = one.event.trip;
      slow.leg = one.event.what == event_label::reply ? sim::leg::reply : sim::leg::request;
      slow.by = one.at - sent;
    }
    sent = one.at;
  }

  // A local step cannot be late by itself; a first one is late because its call began late.
  void see_step(const sim::decision& one) {
    auto* call = call_of(one.event);
    if (!call) return;
    auto& sent = sent_[one.event.subject];
    if (one.event.trip <= 1) {
      call->at = one.at;
    } else {
      sayable_ &= one.at == sent;
    }
    sent = one.at;
  }

  void see_fault(const sim::decision& one) {
    for (auto& fault : told_.faults) {
      if (fault.id != one.event.subject || one.event.repetition > 0) continue;
      fault.point.reset();
      fault.at = fault.at_latest = one.at;
    }
  }

  sim::call_spec* call_of(const sim::label& event) {
    for (auto& call : told_.calls)
      if (call.id == event.subject && call.process == event.process) return &call;
    return nullptr;
  }

  sim::plan told_;
  std::map<std::uint32_t, sim::true_time> sent_;  // by call: when its last leg ended
  std::uint32_t next_fault_ = 0;
  bool sayable_ = true;
};

}  // namespace

std::optional<sim::plan> directed(const sim::plan& value, const sim::run_record& run) {
  if (run.step_limit_reached || !value.signals.empty()) return std::nullopt;
  return retelling(value).tell();
}

}  // namespace leaselab::properties
