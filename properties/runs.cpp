// run.serialized, run.covered, loss.noticed: a run's span goes from its first to its last work step
// in one incarnation. A step counts when the run makes it; when it takes effect on a resource that
// is not at hand is judged by single_owner.effect.
#include "properties/runs.hpp"

#include <algorithm>
#include <vector>

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::nobody;
using sim::true_duration;
using sim::true_time;

struct run_span {
  sim::process_id process = 0;
  std::uint8_t incarnation = 0;
  sim::key_id key = 0;
  sim::owner_id token = nobody;
  std::int64_t signal = 0;
  std::uint32_t last = 0;       // event
  true_time lost = sim::never;  // since when the record is not the run's

  bool same_holder(const run_span& other) const {
    return process == other.process && incarnation == other.incarnation;
  }
};

run_span span_of(const sim::event& event, std::uint32_t index) {
  return {event.process, event.incarnation, event.key, event.owner, event.value, index, sim::never};
}

run_span* find(std::vector<run_span>& spans, const run_span& wanted) {
  const auto found = std::find_if(spans.begin(), spans.end(), [&](const run_span& one) {
    return one.same_holder(wanted) && one.key == wanted.key && one.signal == wanted.signal &&
           one.token == wanted.token;
  });
  return found == spans.end() ? nullptr : &*found;
}

std::string run_name(const run_context& context, const run_span& of) {
  std::string name = std::to_string(of.signal);
  for (const sim::signal_spec& signal : context.plan.signals)
    if (signal.id == of.signal && !signal.name.empty()) name = signal.name;
  return "the run of signal " + name + " in " +
         holder_name(context.run, of.process, of.incarnation) + " (as " +
         owner_name(context.run, of.token) + ")";
}

bool has_runtime(const run_context& context) { return !context.plan.signals.empty(); }

event_kind step_kind(const run_context& context) {
  const bool at_hand = context.plan.resource == sim::resource_kind::local;
  return at_hand ? event_kind::work : event_kind::work_sent;
}

class serialized_rule final : public rule {
 public:
  serialized_rule()
      : rule("run.serialized", level::client,
             "runs of one thread key in different incarnations never overlap") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!has_runtime(context)) return verdict::not_applicable;
    spans_.clear();
    const event_kind step = step_kind(context);
    for (std::uint32_t i = 0; i < context.run.events.size(); ++i)
      if (context.run.events[i].kind == step) take(context, report, i);
    return verdict::holds;
  }

  // Somebody else's step since my last one lies inside my span.
  void take(const run_context& context, reporter& report, std::uint32_t index) {
    const sim::event& event = context.run.events[index];
    const run_span now = span_of(event, index);
    run_span* const mine = find(spans_, now);
    if (!mine) return spans_.push_back(now);
    for (const run_span& other : spans_) {
      if (other.key != now.key || other.same_holder(now) || other.last < mine->last) continue;
      report(
          index, sim::no_call,
          [&] {
            return at_instant(event) + " " + run_name(context, now) + " works on " +
                   key_name(context.run, now.key) + " as it did " +
                   at_instant(context.run.events[mine->last]) + ", and in between " +
                   run_name(context, other) + " worked on it, " +
                   at_instant(context.run.events[other.last]);
          },
          event.at - context.run.events[other.last].at);
      break;
    }
    mine->last = index;
  }

  std::vector<run_span> spans_;
};

// Follows the records beside the runs' spans, and calls `late` for each work step that comes after
// its run's record has gone.
class span_watch {
 public:
  template <class Late>
  void watch(const run_context& context, Late&& late) {
    context_ = &context;
    keys_ = std::max<std::size_t>(1, context.run.keys.size());
    spans_.clear();
    held_.clear();
    store_of_.assign(256, 0);
    const event_kind step = step_kind(context);
    for (std::uint32_t i = 0; i < context.run.events.size(); ++i) {
      const sim::event& event = context.run.events[i];
      if (event.kind == event_kind::step || event.kind == event_kind::change) {
        take_record(event);
      } else if (event.kind == step) {
        const run_span& span = take_work(event, i);
        if (span.lost != sim::never) late(span, i);
      }
    }
  }

 private:
  sim::record_state& held(std::uint8_t store, sim::key_id key) {
    const std::size_t at = store * keys_ + key;
    if (at >= held_.size()) held_.resize(at + 1);
    return held_[at];
  }
  bool owns(const sim::record_state& record, const run_span& span, std::int64_t granule) const {
    return record.owner == span.token && context_->timeline.alive(record, granule);
  }

  // The record as it has lain up to this event: was it the run's all the time?
  void look(run_span& span, const sim::record_state& record, const sim::event& event) {
    if (span.lost != sim::never || owns(record, span, event.granule)) return;
    span.lost = event.at;
    if (record.owner == span.token) {
      const true_time last = context_->run.events[span.last].at;
      span.lost = std::min(event.at, context_->timeline.over_at(record.deadline, last));
    }
  }

  void take_record(const sim::event& event) {
    if (event.kind == event_kind::step) store_of_[event.process] = event.store;
    sim::record_state& record = held(event.store, event.key);
    for (run_span& span : spans_) {
      if (span.key != event.key || store_of_[span.process] != event.store) continue;
      look(span, record, event);
      look(span, event.after, event);
    }
    record = event.after;
  }

  const run_span& take_work(const sim::event& event, std::uint32_t index) {
    const run_span now = span_of(event, index);
    run_span* span = find(spans_, now);
    if (!span) span = &spans_.emplace_back(now);
    look(*span, held(store_of_[event.process], event.key), event);
    span->last = index;
    return *span;
  }

  const run_context* context_ = nullptr;
  std::size_t keys_ = 1;
  std::vector<run_span> spans_;
  std::vector<sim::record_state> held_;  // by store and key
  std::vector<std::uint8_t> store_of_;   // by process
};

// There is a lease, and its records can be seen.
bool can_be_covered(const run_context& context) {
  return has_runtime(context) && context.run.instrumented && !context.fallback_selected;
}

class covered_rule final : public rule {
 public:
  covered_rule()
      : rule("run.covered", level::client,
             "from its first to its last work step the live record's owner is the run's token") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!can_be_covered(context)) return verdict::not_applicable;
    watch_.watch(context, [&](const run_span& span, std::uint32_t index) {
      const sim::event& event = context.run.events[index];
      report(
          index, sim::no_call,
          [&] {
            return at_instant(event) + " " + run_name(context, span) +
                   " works, and the record of " + key_name(context.run, span.key) +
                   " has not been its own since " + milliseconds(span.lost);
          },
          event.at - span.lost);
    });
    return verdict::holds;
  }

  span_watch watch_;
};

// Within which a client notices that its lease is gone.
true_duration noticing_bound(const sim::plan& plan) {
  const true_duration ttl = plan.ttl_ms * sim::ns_per_ms;
  if (plan.client.local_deadline == sim::local_deadline_policy::checked) return 0;
  if (plan.client.renew_false == sim::renew_false_policy::stop)
    return ttl / 3 + plan.bounds.call_limit + plan.bounds.lateness;
  return ttl;
}

class noticed_rule final : public rule {
 public:
  noticed_rule()
      : rule("loss.noticed", level::client,
             "no work step later than the client's bound after its lease is gone") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!can_be_covered(context)) return verdict::not_applicable;
    const true_duration bound = noticing_bound(context.plan);
    watch_.watch(context, [&](const run_span& span, std::uint32_t index) {
      const sim::event& event = context.run.events[index];
      const true_duration late = event.at - span.lost;
      if (late <= bound) return;
      report(
          index, sim::no_call,
          [&] {
            return at_instant(event) + " " + run_name(context, span) + " still works, " +
                   milliseconds(late) + " after it lost " + key_name(context.run, span.key) +
                   "; it should have noticed within " + milliseconds(bound);
          },
          late);
    });
    return verdict::holds;
  }

  span_watch watch_;
};

}  // namespace

std::unique_ptr<property> make_run_serialized() { return std::make_unique<serialized_rule>(); }
std::unique_ptr<property> make_run_covered() { return std::make_unique<covered_rule>(); }
std::unique_ptr<property> make_loss_noticed() { return std::make_unique<noticed_rule>(); }

}  // namespace leaselab::properties
