#include "properties/timeline.hpp"

#include <algorithm>
#include <cassert>

#include "properties/clock_query.hpp"

namespace leaselab::properties {
namespace {

using sim::event_kind;
using sim::nobody;
using sim::verb;

constexpr std::uint16_t no_store = 0xffff;

// Whom a yes to this call makes the holder.
sim::owner_id asked_for(const sim::call_record& call) {
  if (call.what == verb::acquire || call.what == verb::renew) return call.owner;
  return call.what == verb::transfer ? call.to : nobody;
}

std::uint32_t planned_verbs(const sim::plan& plan) {
  if (plan.workload == sim::workload_kind::runtime) return ~std::uint32_t{0};
  std::uint32_t verbs = 0;
  for (const sim::call_spec& call : plan.calls) verbs |= 1u << static_cast<int>(call.what);
  return verbs;
}

}  // namespace

void timeline::build(const sim::run_record& run, const sim::plan& plan,
                     const guarantees& declared) {
  run_ = &run;
  reset(plan, declared);
  const auto count = static_cast<std::uint32_t>(run.events.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const sim::event& event = run.events[i];
    switch (event.kind) {
      case event_kind::step:
      case event_kind::change:
        add_step(i, event);
        break;
      case event_kind::crash:
        crashes_.push_back(i);
        [[fallthrough]];
      case event_kind::believe:
      case event_kind::disbelieve:
        beliefs_.add(run, i);
        break;
      case event_kind::work:
        work_.push_back(i);
        break;
      case event_kind::quiet:
        quiet_ = i;
        break;
      default:
        break;
    }
  }
  find_unbacked();
}

void timeline::reset(const sim::plan& plan, const guarantees& declared) {
  reads_at_ = declared.reading == expiry_reading::at;
  granule_ms_ = std::max<std::int64_t>(1, declared.granule_ms);
  only_ahead_ = only_ahead(run_->backend);
  unbacked_ = false;
  planned_ = planned_verbs(plan);
  quiet_ = no_index;
  key_count_ = std::max<std::size_t>(1, run_->keys.size());
  steps_.clear();
  calls_.assign(run_->calls.size(), {});
  for (slot& one : slots_) one.clear();
  store_of_.clear();
  work_.clear();
  crashes_.clear();
  beliefs_.clear();
}

void timeline::add_step(std::uint32_t index, const sim::event& event) {
  if (event.refused) return;
  step value;
  value.event = index;
  value.call = event.call;
  value.change = event.kind == event_kind::change;
  value.live_before = alive(event.before, event.granule);
  value.live_after = alive(event.after, event.granule);
  value.changed = !(event.before == event.after);
  value.changed_live = value.changed && (value.live_before || value.live_after);
  if (event.call != sim::no_call) mark_grants(value, event);
  add_segments(index, event);
  if (!value.change && event.call != sim::no_call) {
    call_view& view = calls_[event.call];
    const auto self = static_cast<std::uint32_t>(steps_.size());
    (view.last_step == no_index ? view.first_step : steps_[view.last_step].next) = self;
    view.last_step = self;
    const sim::process_id process = run_->calls[event.call].process;
    if (process >= store_of_.size()) store_of_.resize(process + 1, no_store);
    store_of_[process] = event.store;
  }
  if (value.granted != nobody) calls_[event.call].granted_by_step = true;
  steps_.push_back(value);
}

void timeline::mark_grants(step& value, const sim::event& event) const {
  const sim::call_record& call = run_->calls[event.call];
  if (!call.arguments_lawful) return;
  value.promised = event.granule + call.ttl_ms;
  if ((call.what == verb::release || call.what == verb::transfer) &&
      event.before.owner == call.owner && event.after.owner != call.owner)
    value.ended = call.owner;
  const sim::owner_id asked = asked_for(call);
  // A refresh in the very granule of the last one leaves the record as it was.
  if (asked != nobody && event.after.owner == asked &&
      (value.changed || event.after.deadline == value.promised))
    value.granted = asked;
}

// A step that only looks adds nothing. Where `before` is not what was last seen, the change in
// between had no event of its own and is taken to have happened here.
void timeline::add_segments(std::uint32_t index, const sim::event& event) {
  slot& segments = slot_at(event.store, event.key);
  for (const sim::record_state* state : {&event.before, &event.after}) {
    segment& last = segments.back();
    if (last.owner == state->owner && last.deadline == state->deadline) continue;
    last.until = index;
    segments.push_back({state->owner, state->deadline, index, no_index});
  }
}

void timeline::find_unbacked() {
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const sim::call_record& call = run_->calls[i];
    if (call.ended == outcome::ok && call.yes && !calls_[i].granted_by_step &&
        asked_for(call) != nobody)
      unbacked_ = true;
  }
}

timeline::slot& timeline::slot_at(std::uint8_t store, sim::key_id key) {
  assert(key < key_count_);
  const std::size_t at = store * key_count_ + key;
  if (at >= slots_.size()) slots_.resize(at + 1);
  slot& segments = slots_[at];
  if (segments.empty()) segments.push_back({nobody, 0, 0, no_index});
  return segments;
}

sim::true_time timeline::instant_of(std::int64_t granule) const {
  if (granule >= sim::never / sim::ns_per_ms) return sim::never;
  return first_instant(run_->backend, granule * sim::ns_per_ms, 0);
}

sim::true_time timeline::over_at(std::int64_t deadline, sim::true_time not_before) const {
  if (deadline >= sim::never / sim::ns_per_ms - 1) return sim::never;
  const std::int64_t dead = reads_at_ ? deadline : deadline + 1;
  return first_instant(run_->backend, dead * sim::ns_per_ms, not_before);
}

std::uint32_t timeline::end_event(const sim::call_record& call) const {
  if (call.completed != sim::never) return call.complete_event;
  return static_cast<std::uint32_t>(run_->events.size()) - 1;
}

// A piece is what a segment has in common with the call: from the later of "put" and "invoked" to
// the earlier of "replaced" and "completed". The instant of its replacement still belongs to it:
// between a deadline and the step that takes over at that very instant, the key was free.
template <class Test>
bool timeline::any_piece_in(const slot& segments, const sim::call_record& call, Test&& test) const {
  const std::uint32_t begin = call.invoke_event;
  const std::uint32_t end = end_event(call);
  const auto replaced_before = [](const segment& value, std::uint32_t event) {
    return value.until < event;
  };
  auto i = std::lower_bound(segments.begin(), segments.end(), begin, replaced_before);
  for (; i != segments.end() && i->from <= end; ++i)
    if (test(*i, std::max(begin, i->from), std::min(end, i->until))) return true;
  return false;
}

template <class Test>
bool timeline::any_piece(sim::call_index index, Test&& test) const {
  static const slot never_touched{{nobody, 0, 0, no_index}};
  const sim::call_record& call = run_->calls[index];
  const std::uint16_t store = call.process < store_of_.size() ? store_of_[call.process] : no_store;
  // A process that made no step has shown no store: any of them may be its own.
  const std::size_t first = store == no_store ? 0 : store;
  const std::size_t last = store == no_store ? slots_.size() / key_count_ : store;
  bool looked = false;
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t at = i * key_count_ + call.key;
    if (at >= slots_.size() || slots_[at].empty()) continue;
    looked = true;
    if (any_piece_in(slots_[at], call, test)) return true;
  }
  return !looked && any_piece_in(never_touched, call, test);
}

std::int64_t timeline::lowest_granule(std::uint32_t from, std::uint32_t to) const {
  const sim::event& first = run_->events[from];
  if (only_ahead_) return first.granule;
  return std::max<std::int64_t>(0, readings(run_->backend, first.at, run_->events[to].at).lowest) /
         sim::ns_per_ms;
}

std::int64_t timeline::highest_granule(std::uint32_t from, std::uint32_t to) const {
  const sim::event& last = run_->events[to];
  if (only_ahead_) return last.granule;
  return std::max<std::int64_t>(0,
                                readings(run_->backend, run_->events[from].at, last.at).highest) /
         sim::ns_per_ms;
}

bool timeline::live_somewhere(const segment& value, std::uint32_t from, std::uint32_t to) const {
  return value.owner != nobody && alive(value.deadline, lowest_granule(from, to));
}

bool timeline::dead_somewhere(const segment& value, std::uint32_t from, std::uint32_t to) const {
  return value.owner == nobody || !alive(value.deadline, highest_granule(from, to));
}

bool timeline::live_within(sim::call_index call, sim::owner_id owner) const {
  return any_piece(call, [&](const segment& value, std::uint32_t from, std::uint32_t to) {
    return value.owner == owner && live_somewhere(value, from, to);
  });
}

bool timeline::absent_within(sim::call_index call, sim::owner_id owner) const {
  return any_piece(call, [&](const segment& value, std::uint32_t from, std::uint32_t to) {
    return value.owner != owner || dead_somewhere(value, from, to);
  });
}

bool timeline::other_live_within(sim::call_index call, sim::owner_id owner) const {
  return any_piece(call, [&](const segment& value, std::uint32_t from, std::uint32_t to) {
    return value.owner != owner && live_somewhere(value, from, to);
  });
}

bool timeline::free_within(sim::call_index call) const {
  return any_piece(call, [&](const segment& value, std::uint32_t from, std::uint32_t to) {
    return dead_somewhere(value, from, to);
  });
}

bool timeline::died_before(sim::call_index index, sim::owner_id owner) const {
  const sim::call_record& call = run_->calls[index];
  bool died = false;
  for (std::size_t at = call.key; at < slots_.size(); at += key_count_) {
    for (const segment& value : slots_[at]) {
      if (value.owner != owner || value.from > end_event(call)) continue;
      const std::uint32_t to = std::min(value.until, end_event(call));
      died = dead_somewhere(value, value.from, to);
    }
  }
  return died;
}

}  // namespace leaselab::properties
