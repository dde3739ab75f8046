#include "properties/search/directed.hpp"

#include <algorithm>
#include <map>

#include "properties/search/choosers.hpp"

namespace leaselab::properties {
namespace {

using sim::event_label;
using sim::true_duration;
using sim::true_time;

// By label: the first instant at which an event could have run, and the decision that was taken
// just before that was known.
struct opening {
  true_time at = 0;
  std::size_t behind = 0;  // decisions taken by then
};
using openings = std::map<sim::label, opening>;

// Replays a plan's decisions and notes when each event could first have run.
class watching_chooser final : public sim::chooser {
 public:
  explicit watching_chooser(openings& out) : out_(out) {}
  void begin(const sim::plan& value) override {
    replay_.begin(value);
    taken_ = 0;
  }
  sim::choice choose(const sim::moment& now) override {
    for (const auto& one : now.candidates)
      out_.try_emplace(one.event, opening{one.earliest, taken_});
    ++taken_;
    return replay_.choose(now);
  }

 private:
  openings& out_;
  replay_chooser replay_;
  std::size_t taken_ = 0;
};

// How far each decision is put off, so that what ran one after the other at one instant still does
// where ties are broken otherwise.
std::vector<true_duration> spread(const std::vector<sim::decision>& all, true_duration by) {
  std::vector<true_duration> shifts(all.size(), 0);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].at <= all[i - 1].at + shifts[i - 1])
      shifts[i] = all[i - 1].at + shifts[i - 1] + by - all[i].at;
  return shifts;
}

class retelling {
 public:
  retelling(const sim::plan& value, const openings& opened, true_duration apart)
      : told_(value), opened_(opened), shifts_(spread(value.decisions, apart)) {
    if (told_.signals.empty()) told_.workload = sim::workload_kind::directed;
    told_.decisions.clear();
    told_.bounds.delay_min = told_.bounds.delay_max = told_.bounds.lateness = 0;
    for (const auto& fault : told_.faults) next_fault_ = std::max(next_fault_, fault.id + 1);
    for (place_ = 0; place_ < value.decisions.size(); ++place_) see(value.decisions[place_]);
  }

  std::optional<sim::plan> tell() {
    if (!sayable_) return std::nullopt;
    // Ties run in the order of the plan.
    std::stable_sort(told_.calls.begin(), told_.calls.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    renumber_signals();
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
      case event_label::signal:
        return see_signal(one);
      case event_label::quiet:
        // The end comes after what came before it at the same instant.
        if (one.event.repetition == 0 && one.at == told_.bounds.safety)
          told_.bounds.safety = instant_of(one) + (told_.bounds.quiet <= 0 ? 1 : 0);
        return;
      case event_label::publish:
      case event_label::deliver:
        return see_runtime_message(one);
      default:
        return;
    }
  }

  true_time instant_of(const sim::decision& one) const { return one.at + shifts_[place_]; }

  void see_start(const sim::decision& one) {
    auto* call = call_of(one.event);
    if (!call) return;
    sayable_ &= one.event.repetition == 0;
    call->at = instant_of(one);
    call->after = sim::no_spec;
    call->wait = 0;
    call->at_expiry = false;
    sent_[one.event.subject] = call->at;
  }

  // A message leaves at once after what came before it in its call, and so takes the time between.
  void see_message(const sim::decision& one) {
    if (sim::is_runtime_subject(one.event.subject)) return see_runtime_message(one);
    if (!call_of(one.event)) return;
    auto& sent = sent_[one.event.subject];
    if (instant_of(one) > sent) slow_down(one, instant_of(one) - sent);
    sent = instant_of(one);
  }

  // When a runtime sends something depends on all that came before: the replay has seen when it
  // could have arrived.
  void see_runtime_message(const sim::decision& one) {
    const auto found = opened_.find(one.event);
    if (found == opened_.end()) return;
    const auto& [at, behind] = found->second;
    const auto before = behind == 0 ? 0 : shifts_[behind - 1];
    const auto took = instant_of(one) - at - before;
    if (took > 0) slow_down(one, took);
  }

  void slow_down(const sim::decision& one, true_duration by) {
    sayable_ &= (one.event.trip & sim::reload_mark) == 0;  // a file has no name for it
    const bool up =
        one.event.what == event_label::request || one.event.what == event_label::publish;
    auto& slow = told_.faults.emplace_back();
    slow.id = next_fault_++;
    slow.kind = sim::fault_kind::delay;
    slow.call = one.event.subject;
    slow.trip = std::max<std::uint16_t>(one.event.trip, 1);
    slow.leg = up ? sim::leg::request : sim::leg::reply;
    slow.by = by;
  }

  // A local step cannot be late by itself; a first one is late because its call began late.
  void see_step(const sim::decision& one) {
    auto* call = call_of(one.event);
    if (!call) return;
    auto& sent = sent_[one.event.subject];
    if (one.event.trip <= 1) {
      call->at = instant_of(one);
    } else {
      sayable_ &= instant_of(one) == sent;
    }
    sent = instant_of(one);
  }

  void see_fault(const sim::decision& one) {
    for (auto& fault : told_.faults) {
      if (fault.id != one.event.subject || one.event.repetition > 0) continue;
      fault.point.reset();
      fault.at = fault.at_latest = instant_of(one);
    }
  }

  void see_signal(const sim::decision& one) {
    for (auto& signal : told_.signals) {
      if (signal.id != sim::signal_of_subject(one.event.subject)) continue;
      (one.event.trip == 0 ? signal.at : signal.resume_at) = instant_of(one);
    }
  }

  // A file counts its signals, and names them: the first is s1.
  void renumber_signals() {
    std::stable_sort(told_.signals.begin(), told_.signals.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (auto& signal : told_.signals) {
      const auto number = std::uint32_t(numbers.size());
      numbers.emplace(signal.id, number);
      signal.id = number;
      signal.name = "s" + std::to_string(number + 1);
    }
    const auto renumber = [&](std::uint32_t& subject) {
      if (!sim::is_runtime_subject(subject)) return;
      const auto nth = subject & 255;
      sayable_ &= nth < 255;
      subject = sim::runtime_subject(numbers[sim::signal_of_subject(subject)],
                                     sim::kind_of_subject(subject), nth);
    };
    for (auto& fault : told_.faults) {
      renumber(fault.call);
      renumber(fault.until_call);
      if (fault.point) renumber(fault.point->call);
    }
  }

  sim::call_spec* call_of(const sim::label& event) {
    for (auto& call : told_.calls)
      if (call.id == event.subject && call.process == event.process) return &call;
    return nullptr;
  }

  sim::plan told_;
  const openings& opened_;
  std::vector<true_duration> shifts_;
  std::size_t place_ = 0;                    // of the decision that is being seen
  std::map<std::uint32_t, true_time> sent_;  // by call: when its last leg ended
  std::uint32_t next_fault_ = 0;
  bool sayable_ = true;
};

}  // namespace

std::optional<sim::plan> directed(const sim::plan& value, const retelling_world& world) {
  // With no least delay the same decisions make the same run, and a message's first possible
  // instant is when it was sent.
  sim::plan instant = value;
  instant.bounds.delay_min = 0;
  openings opened;
  watching_chooser watching(opened);
  if (world.run(instant, watching).step_limit_reached) return std::nullopt;
  // The second time with events at one instant a nanosecond apart, the third with a microsecond:
  // enough for what one granule's end is near.
  for (const true_duration apart : {0, 1, 1000}) {
    auto told = retelling(value, opened, apart).tell();
    if (!told) continue;
    if (world.shows_in_order(*told)) return told;
    // A quiet phase heals what delays its messages. Most stories need none to come to an end.
    if (told->bounds.quiet <= 0 || told->signals.empty()) continue;
    told->bounds.safety = told->bounds.quiet = 0;
    if (world.shows_in_order(*told)) return told;
  }
  return std::nullopt;
}

}  // namespace leaselab::properties
