// Writes a run's record by hand, in the order of true time, for tests of properties.
//
//   run_builder run;
//   run.as(P1).acquires(0, A);          // invoked, stepped and answered at 0 ms, ttl 100 ms
//   const auto c = run.as(P2).invoke(50, verb::renew, B);
//   run.step(51, c, {B, 151}).answer(52, c, true);
//   EXPECT_EQ(run.judge(make_renew_honest()), verdict::violated);
//
// The backend's clock shows true time, unless `run.record.backend` is changed beforehand.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "properties/property.hpp"
#include "properties/timeline.hpp"

namespace leaselab::properties::testing {

using sim::call_index;
using sim::event_kind;
using sim::nobody;
using sim::record_state;
using sim::verb;

inline constexpr sim::owner_id A = 1, B = 2, C = 3;
inline constexpr sim::process_id P1 = 0, P2 = 1, P3 = 2;
inline constexpr sim::key_id K = 0, L = 1;

inline sim::true_time ms(double value) {
  return static_cast<sim::true_time>(value * 1000) * (sim::ns_per_ms / 1000);
}

class run_builder {
 public:
  run_builder() {
    record.owners = {"", "A", "B", "C"};
    record.keys = {"K", "L"};
    record.processes = {"P1", "P2", "P3"};
    record.monotonic.resize(3);
    plan.processes.resize(3);
    plan.keys = record.keys;
    plan.owners = record.owners;
    plan.bounds.delay_max = ms(10);
  }

  sim::run_record record;
  sim::plan plan;
  guarantees declared;
  bool fallback_selected = false, lacks_operations = false;
  std::vector<violation> found;

  // Of the calls and events that follow.
  run_builder& as(sim::process_id process, std::uint8_t incarnation = 0) {
    process_ = process;
    incarnation_ = incarnation;
    return *this;
  }
  run_builder& on(sim::key_id key) {
    key_ = key;
    return *this;
  }
  run_builder& in(std::uint8_t store) {
    store_ = store;
    return *this;
  }

  sim::event& add(double at, event_kind kind) {
    sim::event& event = record.events.emplace_back();
    event.at = ms(at);
    event.granule = record.backend.read(event.at) / sim::ns_per_ms;
    event.kind = kind;
    event.process = process_;
    event.incarnation = incarnation_;
    event.key = key_;
    event.store = store_;
    record.ended = event.at;
    return event;
  }

  // A transfer gives `owner` to `to`.
  call_index invoke(double at, verb what, sim::owner_id owner = nobody, std::int64_t ttl_ms = 100,
                    sim::owner_id to = nobody) {
    const auto index = static_cast<call_index>(record.calls.size());
    sim::call_record& call = record.calls.emplace_back();
    call.spec = index;
    call.what = what;
    call.process = process_;
    call.incarnation = incarnation_;
    call.key = key_;
    call.owner = owner;
    call.to = to;
    call.ttl_ms = ttl_ms;
    call.invoke_event = static_cast<std::uint32_t>(record.events.size());
    sim::event& event = add(at, event_kind::invoke);
    event.call = index;
    call.invoked = event.at;
    call.invoked_granule = event.granule;
    sim::call_spec& spec = plan.calls.emplace_back();
    spec.id = index;
    spec.what = what;
    spec.ttl_ms = ttl_ms;
    return index;
  }
  run_builder& step(double at, call_index index, const record_state& after) {
    const sim::call_record& call = record.calls[index];
    record_state& held = store(store_, call.key);
    sim::event& event = add(at, event_kind::step);
    event.process = call.process;
    event.incarnation = call.incarnation;
    event.key = call.key;
    event.call = index;
    event.before = std::exchange(held, after);
    event.after = after;
    ++record.calls[index].trips;
    return *this;
  }
  run_builder& look(double at, call_index index) {
    return step(at, index, store(store_, record.calls[index].key));
  }
  run_builder& change(double at, sim::key_id key, const record_state& after,
                      call_index by = sim::no_call) {
    sim::event& event = add(at, event_kind::change);
    event.key = key;
    event.call = by;
    event.before = std::exchange(store(store_, key), after);
    event.after = after;
    return *this;
  }
  run_builder& answer(double at, call_index index, bool yes, sim::owner_id named = nobody) {
    return complete(at, index, outcome::ok, errc::backend_error, yes, named);
  }
  run_builder& fail(double at, call_index index, errc code) {
    return complete(at, index, outcome::fail, code, false, nobody);
  }
  run_builder& info(double at, call_index index) {
    return complete(at, index, outcome::info, errc::timed_out, false, nobody);
  }

  // Whole calls at one instant, whether lawful or not: they do what they say.
  call_index acquires(double at, sim::owner_id owner, std::int64_t ttl_ms = 100) {
    return puts(at, verb::acquire, owner, ttl_ms, owner);
  }
  call_index renews(double at, sim::owner_id owner, std::int64_t ttl_ms = 100) {
    return puts(at, verb::renew, owner, ttl_ms, owner);
  }
  call_index transfers(double at, sim::owner_id from, sim::owner_id to, std::int64_t ttl_ms = 100) {
    return puts(at, verb::transfer, from, ttl_ms, to);
  }
  call_index releases(double at, sim::owner_id owner) {
    const call_index call = invoke(at, verb::release, owner);
    step(at, call, {}).answer(at, call, false);
    return call;
  }
  // Looks and answers so.
  call_index refused(double at, verb what, sim::owner_id owner, sim::owner_id named = nobody,
                     sim::owner_id to = nobody) {
    const call_index call = invoke(at, what, owner, 100, to);
    look(at, call).answer(at, call, false, named);
    return call;
  }
  call_index gets(double at, sim::owner_id named) { return refused(at, verb::get, nobody, named); }

  run_builder& believe(double at, sim::owner_id owner, double until) {
    sim::event& event = add(at, event_kind::believe);
    event.owner = owner;
    event.value = ms(until);
    return *this;
  }
  run_builder& disbelieve(double at, sim::owner_id owner) {
    add(at, event_kind::disbelieve).owner = owner;
    return *this;
  }
  run_builder& work(double at, sim::owner_id owner, std::uint64_t token = 0) {
    sim::event& event = add(at, event_kind::work);
    event.owner = owner;
    event.after.token = token;
    return *this;
  }
  run_builder& crash(double at) {
    add(at, event_kind::crash);
    return *this;
  }
  run_builder& end(double at) {
    add(at, event_kind::end);
    return *this;
  }

  verdict judge(const std::unique_ptr<property>& judged) {
    timeline_.build(record, plan, declared);
    found.clear();
    const run_context context{record,           plan, declared, timeline_, fallback_selected,
                              lacks_operations, true};
    return judged->check(context, found);
  }

 private:
  record_state& store(std::uint8_t number, sim::key_id key) { return held_[{number, key}]; }

  call_index puts(double at, verb what, sim::owner_id owner, std::int64_t ttl_ms,
                  sim::owner_id held) {
    const call_index call = invoke(at, what, owner, ttl_ms, what == verb::transfer ? held : nobody);
    const std::int64_t granule = record.events.back().granule;
    step(at, call, {held, granule + ttl_ms, 0}).answer(at, call, true);
    return call;
  }

  run_builder& complete(double at, call_index index, outcome ended, errc code, bool yes,
                        sim::owner_id named) {
    sim::call_record& call = record.calls[index];
    call.complete_event = static_cast<std::uint32_t>(record.events.size());
    sim::event& event = add(at, event_kind::complete);
    event.process = call.process;
    event.incarnation = call.incarnation;
    event.key = call.key;
    event.call = index;
    call.completed = event.at;
    call.completed_granule = event.granule;
    call.ended = ended;
    call.code = code;
    call.yes = yes;
    call.named = named;
    return *this;
  }

  sim::process_id process_ = P1;
  std::uint8_t incarnation_ = 0;
  sim::key_id key_ = K;
  std::uint8_t store_ = 0;
  std::map<std::pair<std::uint8_t, sim::key_id>, record_state> held_;
  timeline timeline_;
};

}  // namespace leaselab::properties::testing
