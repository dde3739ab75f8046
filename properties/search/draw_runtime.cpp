// The workload `runtime`: signals for one or two thread keys that arrive at processes while others
// run, a plain run here, a suspended one there.
#include <algorithm>

#include "properties/search/call_chain.hpp"

namespace leaselab::properties {
namespace {

using sim::one_in;
using sim::true_duration;

// Signals come in bursts: what meets a run, its end or its handover is worth more than what finds
// everything idle.
true_duration draw_gap(drawing& now) {
  switch (now.random.below(4)) {
    case 0:
      return 0;
    case 1:
      return now.random.log_uniform(now.ttl / 1000, now.ttl / 10);
    case 2:
      return now.random.log_uniform(now.ttl / 100, now.ttl);
    default:
      return now.random.uniform(0, now.ttl * 2);
  }
}

void draw_suspension(drawing& now, sim::signal_spec& signal) {
  if (!now.random.chance(one_in(8))) return;
  signal.suspend_at = now.random.log_uniform(signal.run / 8 + 1, signal.run);
  const auto away = now.random.log_uniform(now.ttl / 100, now.ttl * 2);
  signal.resume_at = signal.at + *signal.suspend_at + away;
  signal.resume_in = sim::process_id(now.random.below(now.out.processes.size()));
}

sim::true_time draw_signals(drawing& now) {
  const auto drawn = now.random.uniform(2, 6);
  const auto count =
      now.options.calls ? std::int64_t(*now.options.calls * now.out.processes.size()) : drawn;
  sim::true_time at = 0;
  sim::true_time work = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    auto& signal = now.out.signals.emplace_back();
    signal.id = std::uint32_t(i);
    at += draw_gap(now);
    signal.at = at;
    signal.process = sim::process_id(now.random.below(now.out.processes.size()));
    signal.key = draw_key(now);
    signal.run = now.random.log_uniform(now.ttl / 10, now.ttl * 10);
    signal.plain = now.random.chance(one_in(8));
    draw_suspension(now, signal);
    work += signal.run;
  }
  return at + work;
}

// Mostly at hand, which shows what a lease covers; else behind the network, fenced where there are
// tokens.
void draw_resource(drawing& now) {
  const bool at_hand = now.random.chance(one_in(2));
  const bool rarely = now.random.chance(one_in(3));
  if (now.options.fencing) {
    if (at_hand) now.out.resource = sim::resource_kind::local;
  } else if (!at_hand && rarely) {
    now.out.resource = sim::resource_kind::remote;
  }
}

// A process that shuts down, most likely in the middle of a run: it works off what it has and
// refuses what is offered.
void draw_shutdown(drawing& now) {
  if (!now.random.chance(one_in(3))) return;
  const auto& signal = now.out.signals[now.random.below(now.out.signals.size())];
  auto& call = now.out.calls.emplace_back();
  call.what = sim::verb::close;
  call.process = signal.process;
  call.at = signal.at + now.random.uniform(0, std::max(signal.run, now.ttl));
}

}  // namespace

void draw_runtime(drawing& now) {
  draw_keys(now, true);
  now.out.client = now.options.client;
  draw_resource(now);
  const auto drawn = now.random.uniform(1, 3);
  const bool wrapped = now.random.chance(one_in(2));
  now.out.decorators = wrapped ? std::uint8_t(drawn) : 0;
  const auto busy = draw_signals(now);
  const auto least = now.ttl * 2;
  now.horizon = std::clamp(busy, least, now.ttl * 8);
  if (!now.out.signals.empty()) draw_shutdown(now);
  // Long runs are cut short by the quiet phase, some in the middle.
  now.out.bounds.safety = now.random.uniform(least, std::clamp(busy * 2, least + 1, now.ttl * 16));
}

}  // namespace leaselab::properties
