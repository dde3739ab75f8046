#include "properties/search/exhaustive/explorer.hpp"

#include <algorithm>
#include <stdexcept>

namespace leaselab::properties {
namespace {

using sim::candidate;
using sim::event_kind;
using sim::event_label;
using sim::moment;
using sim::true_time;

// Instants nearer to each other than this are one: events of one instant are a nanosecond apart,
// so that of two calls one after the other the second starts later than the first has ended.
constexpr true_time grain = 1000;

std::uint32_t bit(sim::process_id process) { return std::uint32_t{1} << (process & 31); }

bool is_start(const candidate& one) { return one.event.what == event_label::start; }

[[noreturn]] void diverged(const std::string& where) {
  throw std::logic_error("exhaustive: a run went another way than before: " + where);
}

// The number of candidates where there is none.
template <class Predicate>
std::size_t first_of(const moment& now, Predicate predicate) {
  return std::size_t(std::find_if(now.candidates.begin(), now.candidates.end(), predicate) -
                     now.candidates.begin());
}

// Not just any step of its process: a call that was given up may have left a request on its way,
// and that may land before this call's first step or after it.
std::size_t first_step_of(const sim::label& start, const moment& now) {
  return first_of(now, [&](const candidate& one) {
    return one.event.process == start.process && one.event.subject == start.subject &&
           one.event.what != event_label::start && one.event.what != event_label::limit &&
           one.earliest <= now.now;
  });
}

}  // namespace

void explorer::begin(const sim::plan& value) {
  plan_ = &value;
  depth_ = seen_ = 0;
  touched_.clear();
  beliefs_.clear();
  begun_ = starting_ = times_moved_ = 0;
  started_.reset();
  target_.reset();
  starts_after_ = 0;
  redundant_ = false;
  if (!random_) return;
  path_.clear();
  ways_ = 1;
}

// Learns from the record what the last move did.
void explorer::look_back() {
  const auto& events = world_.record().events;
  for (; seen_ < events.size(); ++seen_) {
    const auto& one = events[seen_];
    if (one.kind == event_kind::believe || one.kind == event_kind::disbelieve) note_belief(one);
    if (touched_.empty()) continue;
    auto& touched = touched_.back();
    if (one.process != sim::no_process) touched.processes |= bit(one.process);
    if (one.kind == event_kind::step || one.kind == event_kind::change)
      touched.keys |= std::uint64_t{1} << (one.key & 63);
    touched.all |= one.kind == event_kind::fault || one.kind == event_kind::heal;
  }
}

void explorer::note_belief(const sim::event& one) {
  std::erase_if(beliefs_, [&](const belief& old) {
    return old.process == one.process && old.owner == one.owner;
  });
  if (one.kind == event_kind::believe && one.value != sim::no_deadline)
    beliefs_.push_back({one.process, one.owner, one.value});
}

sim::choice explorer::choose(const moment& now) {
  look_back();
  // What goes with the move that was made last.
  const auto answer =
      first_of(now, [](const candidate& one) { return one.event.what == event_label::reply; });
  if (answer < now.candidates.size()) return {answer, now.candidates[answer].earliest};
  if (started_) {
    const auto step = first_step_of(*std::exchange(started_, std::nullopt), now);
    if (step < now.candidates.size()) return {step, now.now};
  }
  if (starting_ > 0) return start_of(starting_, now);
  present_ = target_.value_or(now.now);
  while (!redundant_) {
    const auto& parting = next_fork(now);
    if (parting.moves.empty()) break;
    const auto& taken = parting.moves[parting.taken];
    if (taken.what == move::kind::event) return make(taken, now);
    ++times_moved_;
    starts_after_ = present_;
    target_ = present_ = taken.at;
    starting_ = taken.first;
    if (starting_ > 0) return start_of(starting_, now);
  }
  redundant_ = true;
  return {0, now.candidates[0].earliest};
}

sim::choice explorer::start_of(std::uint32_t processes, const moment& now) {
  const auto start = first_of(now, [&](const candidate& one) {
    return is_start(one) && (processes & bit(one.event.process)) != 0;
  });
  if (start == now.candidates.size()) diverged("a start is gone");
  const auto process = bit(now.candidates[start].event.process);
  starting_ &= ~process;
  begun_ |= process;
  // Where time has moved before without an event, it is later than the last event.
  return {start, std::max(now.now, starts_after_) + 1};
}

sim::choice explorer::make(const move& taken, const moment& now) {
  const auto index = first_of(now, [&](const candidate& one) { return one.event == taken.event; });
  if (index == now.candidates.size()) diverged(to_string(taken.event));
  target_.reset();
  if (!is_start(now.candidates[index]))
    return {index, std::max(present_, now.candidates[index].earliest)};
  begun_ |= bit(taken.event.process);
  if (how_.reduce) started_ = taken.event;
  return {index, present_ + 1};
}

const fork& explorer::next_fork(const moment& now) {
  if (depth_ == path_.size()) {
    fork made;
    made.asleep = asleep();
    add_events(now, made);
    add_times(now, made);
    if (random_ && !made.moves.empty()) {
      made.taken = std::uint32_t(random_->below(made.moves.size()));
      ways_ *= double(made.moves.size());
    }
    path_.push_back(std::move(made));
  }
  touched_.emplace_back();
  return path_[depth_++];
}

// Steps before starts: not that it mattered, but the first run is then a plausible one.
void explorer::add_events(const moment& now, fork& into) const {
  const auto sleeps = [&](const sim::label& event) {
    return std::any_of(into.asleep.begin(), into.asleep.end(),
                       [&](const fork::sleeper& one) { return one.event == event; });
  };
  for (const bool starts : {false, true}) {
    for (const auto& one : now.candidates) {
      if (is_start(one) != starts || one.earliest > present_ || sleeps(one.event)) continue;
      if (starts && !in_turn(bit(one.event.process))) continue;
      into.moves.push_back({move::kind::event, one.event, 0, 0});
    }
  }
}

// Of two moves of time without an event between them the first is none.
void explorer::add_times(const moment& now, fork& into) const {
  if (times_moved_ == how_.time_moves) return;
  const auto may_start = how_.reduce ? startable(now) : 0;
  for (std::uint32_t first = may_start;; first = (first - 1) & may_start) {
    if ((first > 0 || !target_) && in_turn(first)) {
      for (const auto at : instants(now, first))
        into.moves.push_back({move::kind::time, {}, at, first});
    }
    if (first == 0) return;
  }
}

std::vector<fork::sleeper> explorer::asleep() const {
  std::vector<fork::sleeper> out;
  if (!how_.reduce || depth_ == 0) return out;
  const auto& parent = path_[depth_ - 1];
  if (parent.moves[parent.taken].what == move::kind::time) return out;
  const auto& made = touched_.back();
  for (const auto& one : parent.asleep)
    if (!one.touched.shares_with(made)) out.push_back(one);
  for (std::size_t i = 0; i < parent.taken; ++i) {
    if (parent.moves[i].what != move::kind::event || parent.touched[i].shares_with(made)) continue;
    out.push_back({parent.moves[i].event, parent.touched[i]});
  }
  return out;
}

std::uint32_t explorer::startable(const moment& now) const {
  std::uint32_t out = 0;
  for (const auto& one : now.candidates)
    if (is_start(one) && one.earliest <= present_) out |= bit(one.event.process);
  return out;
}

bool explorer::in_turn(std::uint32_t starting) const {
  if (!how_.reduce) return true;
  for (std::size_t later = 1; later < how_.programs.size(); ++later) {
    if (!(starting & bit(sim::process_id(later)))) continue;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const bool alike = how_.programs[earlier] == how_.programs[later];
      if (alike && !((starting | begun_) & bit(sim::process_id(earlier)))) return false;
    }
  }
  return true;
}

// A client that releases or hands over believes no more, from the start of its call.
bool explorer::given_up(const belief& held, const moment& now, std::uint32_t starting) const {
  if (!(starting & bit(held.process))) return false;
  const auto start = first_of(now, [&](const candidate& one) {
    return is_start(one) && one.event.process == held.process;
  });
  if (start == now.candidates.size()) return false;
  const auto id = now.candidates[start].event.subject;
  return std::any_of(plan_->calls.begin(), plan_->calls.end(), [&](const sim::call_spec& call) {
    const bool gives = call.what == sim::verb::release ||
                       (call.what == sim::verb::transfer && call.owner != call.to);
    return call.id == id && gives && call.owner == held.owner;
  });
}

std::vector<true_time> explorer::instants(const moment& now, std::uint32_t starting) const {
  std::vector<true_time> out;
  const auto add = [&](true_time at) {
    if (at > present_) out.push_back(at);
  };
  for (const auto at : now.deadlines) add(at / grain * grain);
  for (const auto& one : beliefs_) {
    const auto at = one.deadline / grain * grain;
    if (at <= present_ || given_up(one, now, starting)) continue;
    add(at - grain);
    add(at + grain);
  }
  for (const auto& one : now.candidates)
    if (one.event.what == event_label::wake || one.event.what == event_label::unblock)
      add(one.earliest);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool explorer::advance() {
  look_back();
  while (!path_.empty()) {
    const auto at = path_.size() - 1;
    auto& last = path_.back();
    last.touched.push_back(at < touched_.size() ? touched_[at] : footprint{});
    if (++last.taken < last.moves.size()) return true;
    path_.pop_back();
  }
  return false;
}

}  // namespace leaselab::properties
