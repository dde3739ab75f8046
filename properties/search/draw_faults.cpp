// What goes wrong, and where: faults that meet a renewal, a handoff or a deadline find most.
#include <algorithm>

#include "properties/search/call_chain.hpp"

namespace leaselab::properties {
namespace {

using kind = sim::fault_kind;
using sim::fault_spec;
using sim::one_in;
using sim::true_duration;
using sim::verb;

sim::process_id draw_process(drawing& now) {
  return sim::process_id(now.random.below(now.out.processes.size()));
}

// Log-uniform between fractions of the ttl, given in thousandths.
true_duration draw_part(drawing& now, std::int64_t low_thousandths, std::int64_t high_thousandths) {
  return now.random.log_uniform(std::max<true_duration>(now.ttl * low_thousandths / 1000, 1),
                                std::max<true_duration>(now.ttl * high_thousandths / 1000, 1));
}

// When: a window, in which the scheduler aims at deadlines.
void set_window(drawing& now, fault_spec& fault) {
  fault.at = now.random.uniform(0, now.horizon);
  fault.at_latest = fault.at + draw_part(now, 10, 1000);
}

// A call, or a runtime's errand for a signal: renewals and messages are many, so which of them is
// drawn too.
struct target {
  std::uint32_t subject = 0;
  sim::process_id process = 0;
};

target draw_errand(drawing& now) {
  const auto& signal = now.out.signals[now.random.below(now.out.signals.size())];
  constexpr unsigned work = 7, offer = 14, verdict = 15;
  constexpr unsigned kinds[] = {0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 4, 4, offer, offer, verdict, verdict};
  const bool remote = now.out.resource != sim::resource_kind::local && now.random.chance(one_in(4));
  const unsigned drawn = kinds[now.random.below(std::size(kinds))];
  const unsigned what = remote ? work : drawn;
  const auto nth =
      unsigned(now.random.log_uniform(1, what == unsigned(verb::renew) || what == work ? 12 : 4));
  return {sim::runtime_subject(signal.id, what, nth), signal.process};
}

// Of two calls the one more worth disturbing.
const sim::call_spec& draw_planned_call(drawing& now) {
  const auto& calls = now.out.calls;
  const auto worth = [](verb what) {
    switch (what) {
      case verb::renew:
      case verb::transfer:
        return 2;
      case verb::acquire:
      case verb::release:
        return 1;
      default:
        return 0;
    }
  };
  const auto& one = calls[now.random.below(calls.size())];
  const auto& other = calls[now.random.below(calls.size())];
  return worth(other.what) > worth(one.what) ? other : one;
}

target draw_call(drawing& now) {
  if (now.options.workload == sim::workload_kind::runtime) return draw_errand(now);
  const auto& call = draw_planned_call(now);
  return {call.id, call.process};
}

// Half of them at a code point: just before or after a trip of some call.
void set_place(drawing& now, fault_spec& fault) {
  if (now.random.chance(one_in(2))) {
    fault.process = draw_process(now);
    return set_window(now, fault);
  }
  const auto call = draw_call(now);
  fault.process = call.process;
  auto& point = fault.point.emplace();
  point.call = call.subject;
  point.trip = now.random.chance(one_in(4)) ? 2 : 1;
  point.after = now.random.chance(one_in(2));
}

target set_message(drawing& now, fault_spec& fault) {
  const auto call = draw_call(now);
  fault.call = call.subject;
  fault.trip = now.random.chance(one_in(4)) ? std::uint16_t(now.random.uniform(2, 3)) : 1;
  fault.leg = now.random.chance(one_in(2)) ? sim::leg::request : sim::leg::reply;
  return call;
}

// Held until a time of its own or until another call has ended: the lease may be someone else's
// by then.
void set_hold(drawing& now, fault_spec& fault) {
  const auto held = set_message(now, fault);
  const auto other = draw_call(now);
  if (other.process != held.process && !sim::is_runtime_subject(other.subject) &&
      now.random.chance(one_in(2))) {
    fault.until_call = other.subject;
  } else {
    const bool planned = !sim::is_runtime_subject(held.subject);
    fault.until = planned ? about_when(now, held.subject) : now.random.uniform(0, now.horizon);
    fault.until += draw_part(now, 10, 3000);
  }
}

void set_rate(drawing& now, fault_spec& fault, bool inside) {
  fault.clock = sim::which_clock::both;
  fault.lasts = draw_part(now, 100, 10'000);
  if (inside) {
    const auto half_margin = now.options.margin_ppm * 1000 / 2;
    const auto drawn = now.random.uniform(0, half_margin);
    const auto by = now.random.chance(one_in(2)) ? half_margin : drawn;
    const bool slower = now.random.chance(one_in(2));
    fault.to_ppb = sim::rate_one + (slower ? -by : by);
  } else {
    const auto slow = now.random.uniform(100'000'000, 900'000'000);
    const auto fast = now.random.uniform(1'100'000'000, 4'000'000'000);
    fault.to_ppb = now.random.chance(one_in(2)) ? slow : fast;
  }
}

void set_jump(drawing& now, fault_spec& fault) {
  constexpr std::int64_t hour = 3'600'000 * sim::ns_per_ms;
  const bool back = now.random.chance(one_in(2));
  const auto by = now.random.chance(one_in(2)) ? draw_part(now, 10, 3000)
                                               : now.random.log_uniform(sim::ns_per_ms, hour);
  fault.by = back ? -by : by;
}

void set_client_clock(drawing& now, fault_spec& fault) {
  fault.process = draw_process(now);
  set_window(now, fault);
  switch (fault.kind) {
    case kind::rate:
      return set_rate(now, fault, now.options.faults->clocks == clock_courses::inside_margin);
    case kind::freeze:
      fault.clock = sim::which_clock::both;
      fault.lasts = draw_part(now, 50, 5000);
      return;
    case kind::strobe:
      fault.lasts = draw_part(now, 100, 2000);
      fault.period = std::max<true_duration>(fault.lasts / 6, 1);
      [[fallthrough]];
    default:
      return set_jump(now, fault);
  }
}

// Steps in whole granules, in proportion to the ttl; never behind the start of time.
void set_backend_clock(drawing& now, fault_spec& fault) {
  fault.process = sim::backend_process;
  fault.clock = sim::which_clock::both;
  set_window(now, fault);
  switch (fault.kind) {
    case kind::rate:
      return set_rate(now, fault, false);
    case kind::freeze:
      fault.lasts = draw_part(now, 50, 3000);
      return;
    default: {
      const auto by = draw_part(now, 10, 5000) / sim::ns_per_ms * sim::ns_per_ms + sim::ns_per_ms;
      const bool back = now.random.chance(one_in(2));
      fault.by = back ? -std::min(by, fault.at) : by;
    }
  }
}

// A clock may stand for so long in all: most pauses take what is left.
void spend_standing(drawing& now, fault_spec& pause) {
  auto& left = now.standing_left.at(pause.process);
  const bool some = now.random.chance(one_in(4));
  pause.lasts = some ? std::min(pause.lasts, left) : left;
  left -= pause.lasts;
}

void set_process_fault(drawing& now, fault_spec& fault) {
  set_place(now, fault);
  if (fault.kind == kind::pause) {
    fault.lasts =
        now.random.chance(one_in(4)) ? draw_part(now, 10, 100'000) : draw_part(now, 100, 3000);
    fault.clock_stands = now.options.faults->clocks_stand && now.random.chance(one_in(2));
    if (now.options.clocks) spend_standing(now, fault);
    if (fault.process < now.out.processes.size())
      fault.clock_stands |= now.out.processes[fault.process].clock_stands_in_pause;
    return;
  }
  fault.lasts = now.random.chance(one_in(4)) ? sim::never : draw_part(now, 10, 3000);
  fault.new_identity = now.random.chance(one_in(2));
  fault.state_lost = now.random.chance(one_in(2));
}

void set_partition(drawing& now, fault_spec& fault) {
  fault.process = draw_process(now);
  set_window(now, fault);
  fault.lasts = draw_part(now, 50, 5000);
  const auto way = now.random.below(3);
  fault.cut_requests = way != 1;
  fault.cut_replies = way != 2;
}

void set_backend_fault(drawing& now, fault_spec& fault) {
  set_window(now, fault);
  switch (fault.kind) {
    case kind::backend_down:
      fault.lasts = draw_part(now, 10, 2000);
      fault.data = sim::data_kept(now.random.below(3));
      return;
    case kind::failover:
      fault.behind = std::uint32_t(now.random.uniform(1, 3));
      return;
    case kind::two_primaries:
      fault.lasts = draw_part(now, 100, 3000);
      fault.replica = std::uint32_t(now.random.below(2));
      return;
    case kind::replica_read:
    case kind::reap_late:
      fault.by = draw_part(now, 10, 1000);
      fault.lasts = draw_part(now, 500, 5000);
      return;
    default:
      fault.key = sim::key_id(now.random.below(now.out.keys.size()));
      if (fault.kind == kind::overwrite) fault.value = "stranger";
  }
}

void set_answer(drawing& now, fault_spec& fault, std::initializer_list<const char*> replies) {
  set_message(now, fault);
  fault.leg = sim::leg::request;
  fault.reply = replies.begin()[now.random.below(replies.size())];
}

void fill(drawing& now, fault_spec& fault) {
  switch (fault.kind) {
    case kind::offset:
    case kind::step:
    case kind::rate:
    case kind::strobe:
    case kind::freeze:
      return now.options.faults->id == "backend-clock" ? set_backend_clock(now, fault)
                                                       : set_client_clock(now, fault);
    case kind::pause:
    case kind::crash:
      return set_process_fault(now, fault);
    case kind::drop:
      set_message(now, fault);
      return;
    case kind::hold:
      return set_hold(now, fault);
    case kind::delay:
      // No message takes longer than D.
      set_message(now, fault);
      fault.by = now.random.uniform(0, now.ttl / 10 - now.out.bounds.delay_max);
      return;
    case kind::duplicate:
      set_message(now, fault);
      // A second execution is outside the model; a second reply is not.
      fault.leg = now.options.faults->in_model ? sim::leg::reply : sim::leg::request;
      fault.by = draw_part(now, 1, 2000);
      return;
    case kind::partition:
      return set_partition(now, fault);
    case kind::error_reply:
      return set_answer(now, fault, {"LOADING", "READONLY", "OOM", "BUSY"});
    case kind::redirect:
      return set_answer(now, fault, {"MOVED", "ASK", "CROSSSLOT"});
    case kind::flush_scripts:
      return set_window(now, fault);
    case kind::late_timer:
      fault.process = draw_process(now);
      set_window(now, fault);
      fault.by = draw_part(now, 10, 1000);
      fault.lasts = draw_part(now, 100, 3000);
      return;
    case kind::connect:
      fault.process = draw_process(now);
      fault.by = draw_part(now, 10, 1000);
      return;
    default:
      return set_backend_fault(now, fault);
  }
}

void add(drawing& now, kind what) {
  auto& fault = now.out.faults.emplace_back();
  fault.id = std::uint32_t(now.out.faults.size() - 1);
  fault.kind = what;
  fill(now, fault);
}

// The message that its process sends next: of a span of work, for a signal, or at all.
bool move_to_next(const drawing& now, fault_spec& fault) {
  if (sim::is_runtime_subject(fault.call)) return (++fault.call & 255) < 255;
  const auto& calls = now.out.calls;
  if (calls[fault.call].what == verb::write) return ++fault.trip < 12;
  const auto process = calls[fault.call].process;
  return ++fault.call < calls.size() && calls[fault.call].process == process;
}

// Messages are lost and held in bursts (Gilbert, "Capacity of a burst-noise channel", 1960).
void draw_burst(drawing& now) {
  const auto what = now.out.faults.back().kind;
  if ((what != kind::drop && what != kind::hold) || !now.random.chance(one_in(3))) return;
  for (auto more = now.random.uniform(1, 6); more > 0; --more) {
    auto next = now.out.faults.back();
    next.id = std::uint32_t(now.out.faults.size());
    if (!move_to_next(now, next)) return;
    now.out.faults.push_back(std::move(next));
  }
}

kind draw_kind(drawing& now) {
  const auto& kinds = now.options.injects;
  std::uint64_t total = 0;
  for (const auto& one : kinds) total += one.weight;
  auto place = now.random.below(total);
  for (const auto& one : kinds) {
    if (place < one.weight) return one.kind;
    place -= one.weight;
  }
  return kinds.back().kind;
}

}  // namespace

void draw_faults(drawing& now) {
  const auto& faults = *now.options.faults;
  if (now.options.injects.empty() || (now.out.calls.empty() && now.out.signals.empty())) return;
  // The smaller of two draws: few faults are more often enough than many.
  const auto one = now.random.uniform(faults.least_faults, faults.most_faults);
  const auto other = now.random.uniform(faults.least_faults, faults.most_faults);
  for (auto count = std::min(one, other); count > 0; --count) {
    add(now, draw_kind(now));
    draw_burst(now);
  }
  // Each profile is `interleave` and its own: now and then one fault from there.
  if (!faults.in_model || !now.random.chance(one_in(8))) return;
  constexpr kind slow[] = {kind::delay, kind::late_timer, kind::connect};
  add(now, slow[now.random.below(3)]);
}

}  // namespace leaselab::properties
