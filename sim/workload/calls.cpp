#include "sim/workload/calls.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <exception>

#include "sim/core.hpp"
#include "sim/workload/worker.hpp"

namespace leaselab::sim {
namespace {

constexpr std::uint32_t contender_subject = first_contender_subject;

bool has_ttl(verb what) {
  return what == verb::acquire || what == verb::renew || what == verb::transfer;
}

bool lawful(const call_spec& spec, const plan& plan) {
  if (spec.what == verb::write || spec.what == verb::close) return true;
  if (plan.keys[spec.key].empty()) return false;
  if (spec.what == verb::get) return true;
  if (plan.owners[spec.owner].empty()) return false;
  if (spec.what == verb::transfer && plan.owners[spec.to].empty()) return false;
  return !has_ttl(spec.what) || (spec.ttl_ms >= 1 && spec.ttl_ms <= max_ttl_ms);
}

}  // namespace

void calls::begin() {
  const auto& specs = world_.plan->calls;
  ended_.assign(specs.size(), false);
  index_of_id_.clear();
  readings_.clear();
  limits_.clear();
  made_.clear();
  won_.clear();
  contends_ = false;
  open_ = 0;
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    if (specs[i].id >= index_of_id_.size()) index_of_id_.resize(specs[i].id + 1, no_spec);
    index_of_id_[specs[i].id] = i;
  }
  link_chains();
  for (std::uint32_t i = 0; i < specs.size(); ++i)
    if (specs[i].after == no_spec) post_start(i, specs[i].at, 0);
}

// For each call, those that wait for it, in the order of the plan.
void calls::link_chains() {
  const auto& specs = world_.plan->calls;
  first_waiting_.assign(specs.size(), no_spec);
  next_waiting_.assign(specs.size(), no_spec);
  for (std::uint32_t i = static_cast<std::uint32_t>(specs.size()); i-- > 0;) {
    if (specs[i].after >= index_of_id_.size()) continue;
    const std::uint32_t before = index_of_id_[specs[i].after];
    if (before == no_spec) continue;
    next_waiting_[i] = first_waiting_[before];
    first_waiting_[before] = i;
  }
}

void calls::post_start(std::uint32_t index, true_time at, unsigned repetition) {
  const call_spec& spec = world_.plan->calls[index];
  pending event;
  event.event = {event_label::start, spec.process, 0, static_cast<std::uint16_t>(repetition),
                 spec.id};
  event.index = index;
  event.earliest = at;
  event.latest = at + world_.plan->bounds.lateness;
  event.addressee = spec.process;
  event.rank = 1000 + index;
  world_.post(event);
}

// Of a provider tested as a lock. The call's turn passes as if it had ended.
bool calls::uncalled(verb what) const {
  const auto& declared = world_.kind.declared;
  return declared.as_lock && what <= verb::transfer &&
         ((declared.uncalled | world_.plan->lacking) >> int(what) & 1);
}

// Of a lease that ends before long: an odd one may outlast the world.
true_time calls::expiry_for(const call_spec& spec) {
  if (!spec.at_expiry) return never;
  const true_time end = world_.watch.expiry(spec.process, spec.key);
  return end > world_.now + 4 * world_.plan->ttl_ms * ns_per_ms ? never : end;
}

void calls::arm(std::uint32_t index) {
  const call_spec& spec = world_.plan->calls[index];
  process_slot& process = *world_.processes[spec.process];
  if (!process.up) {
    process.interrupted.push_back(index);
  } else if (uncalled(spec.what)) {
    end_spec(index);
  } else if (spec.if_held && !world_.clients.holds(process, spec.key, spec.owner)) {
    end_spec(index);
  } else if (world_.plan->workload == workload_kind::directed) {
    post_start(index, world_.now + spec.wait, 0);
  } else if (const auto end = expiry_for(spec); end != never) {
    post_start(index, std::max(world_.now, end - spec.wait), 0);
  } else {
    const label name{event_label::start, spec.process, 0, 0, spec.id};
    world_.post_timer(process, name, index, world_.reading(process) + spec.wait).rank =
        1000 + index;
  }
}

void calls::end_spec(std::uint32_t index) {
  if (ended_[index]) return;
  ended_[index] = true;
  const std::uint32_t id = world_.plan->calls[index].id;
  world_.events.unpark(park_held, world_.now, 0,
                       [&](const pending& event) { return event.hold_call == id; });
  if (world_.quiet) return;
  for (auto i = first_waiting_[index]; i != no_spec; i = next_waiting_[i]) arm(i);
}

bool calls::may_start(const call_spec& spec, process_slot& process) const {
  if (!process.up || world_.quiet || uncalled(spec.what)) return false;
  const std::uint32_t most = world_.plan->bounds.calls_each;
  if (most > 0 && process.calls_made >= most) return false;
  return !spec.if_held || world_.clients.holds(process, spec.key, spec.owner);
}

void calls::start(const pending& event) {
  if (event.event.subject >= contender_subject)
    return ask(static_cast<key_id>(event.event.subject - contender_subject),
               event.event.repetition);
  const call_spec& spec = world_.plan->calls[event.index];
  if (spec.every > 0 && world_.now + spec.every <= spec.until && event.event.repetition < 4000)
    post_start(event.index, world_.now + spec.every, event.event.repetition + 1u);
  if (!may_start(spec, *world_.processes[spec.process])) return end_spec(event.index);
  run(invoke(event.index, event.event.repetition));
}

call_index calls::invoke(std::uint32_t index, std::uint32_t repetition) {
  const call_spec& spec = world_.plan->calls[index];
  call_record call;
  call.spec = index;
  call.repetition = repetition;
  call.what = spec.what;
  call.process = spec.process;
  call.key = spec.key;
  call.owner = spec.owner;
  call.to = spec.to;
  call.ttl_ms = spec.ttl_ms;
  call.arguments_lawful = lawful(spec, *world_.plan);
  return record(call, spec.limit.value_or(world_.plan->bounds.call_limit));
}

call_index calls::make(const runtime_call& wanted) {
  call_record call;
  call.spec = no_spec;
  call.subject = wanted.subject;
  call.repetition = wanted.repetition;
  call.what = wanted.what;
  call.process = wanted.process;
  call.key = wanted.key;
  call.owner = wanted.owner;
  call.to = wanted.to;
  call.ttl_ms = wanted.ttl_ms;
  made_.push_back(record(call, wanted.limit));
  return made_.back();
}

// Not within the event that makes them: whoever asks may be inside another call's answer, and a
// provider may answer while it is being asked.
void calls::run_made() {
  for (std::size_t i = 0; i < made_.size(); ++i) {
    const call_record& call = world_.record.run.calls[made_[i]];
    const process_slot& process = world_.process_of(call);
    if (process.up && process.incarnation == call.incarnation) run(made_[i]);
  }
  made_.clear();
}

call_index calls::record(call_record call, true_duration limit) {
  process_slot& process = world_.process_of(call);
  auto& run = world_.record.run;
  call.incarnation = process.incarnation;
  call.closed = process.closed && call.what != verb::write;
  ++process.calls_made;
  call.invoked = world_.now;
  call.invoked_granule = world_.now_granules();
  const auto index = static_cast<call_index>(run.calls.size());
  run.calls.push_back(call);
  readings_.push_back(world_.reading(process));
  limits_.push_back(limit);
  ++open_;
  if (call.arguments_lawful && !call.closed) world_.clients.sending(index);
  run.calls[index].invoke_event = static_cast<std::uint32_t>(run.events.size());
  event& invoked = world_.note(event_kind::invoke, &process);
  invoked.call = index;
  invoked.key = call.key;
  invoked.owner = call.owner;
  return index;
}

void calls::run(call_index index) {
  const call_record& call = world_.record.run.calls[index];
  process_slot& process = world_.process_of(call);
  if (call.what == verb::write) return world_.work.open_span(index);
  if (call.what == verb::close) {
    // A runtime works off what it has before.
    if (world_.plan->signals.empty()) {
      close(process);
    } else {
      process.closing = true;
    }
    return finish(index, call_end{});
  }
  worker& free = idle_worker(process);
  free.call = index;
  world_.resume(free.idle, index);
  if (!world_.kind.needs_engine) world_.watch.look_for_changes(index);
}

void calls::close(process_slot& process) {
  process.runtime.provider->close();
  process.closed = true;
}

worker& calls::idle_worker(process_slot& process) {
  for (auto& each : process.workers)
    if (each->idle) return *each;
  worker& added = *process.workers.emplace_back(std::make_unique<worker>());
  asio::co_spawn(asio::any_io_executor(lane_executor(process.where)),
                 work_off_calls(world_, process, added), asio::detached);
  world_.ready.drain();
  return added;
}

void calls::finish(call_index index, const call_end& end) {
  auto& run = world_.record.run;
  process_slot& process = world_.process_of(run.calls[index]);
  call_record& call = run.calls[index];
  call.completed = world_.now;
  call.completed_granule = world_.now_granules();
  call.ended = end.ended;
  call.code = end.code;
  call.yes = end.yes;
  call.named = end.named.empty() ? nobody : world_.record.owner(end.named, call.owner);
  call.token = end.token;
  --open_;
  call.complete_event = static_cast<std::uint32_t>(run.events.size());
  event& completed = world_.note(event_kind::complete, &process);
  completed.call = index;
  completed.key = call.key;
  completed.owner = call.owner;
  world_.clients.answered(index);
  if (run.calls[index].contender) return asked(run.calls[index]);
  if (run.calls[index].by_runtime()) return world_.runtimes.ended(index);
  end_spec(run.calls[index].spec);
}

void calls::interrupt(process_slot& process) {
  for (const pending& event : world_.events.events()) {
    const bool chained = event.event.what == event_label::start && event.addressee == process.id &&
                         !survives_crash(event);
    if (chained && event.event.subject < contender_subject)
      process.interrupted.push_back(event.index);
  }
  for (const call_record& call : world_.record.run.calls) {
    if (call.process != process.id || call.incarnation != process.incarnation ||
        call.completed != never)
      continue;
    --open_;
    if (call.contender || call.by_runtime() || ended_[call.spec]) continue;
    const std::uint32_t id = world_.plan->calls[call.spec].id;
    const auto& specs = world_.plan->calls;
    for (std::uint32_t i = 0; i < specs.size(); ++i)
      if (specs[i].after == id && specs[i].process == process.id) process.interrupted.push_back(i);
  }
}

void calls::go_on(process_slot& process) {
  std::vector<std::uint32_t> waiting;
  waiting.swap(process.interrupted);
  if (world_.quiet) return;
  for (const std::uint32_t index : waiting) arm(index);
}

// A start at a true instant belongs to the plan, not to an incarnation.
bool calls::survives_crash(const pending& event) const {
  if (event.event.what == event_label::signal) return true;
  return event.event.what == event_label::start && event.event.subject < contender_subject &&
         world_.plan->calls[event.index].after == no_spec;
}

void calls::go_quiet() {
  world_.events.remove_if(
      [](const pending& event) { return event.event.what == event_label::start; });
  if (world_.plan->signals.empty()) contend();
}

void calls::contend() {
  if (contends_ || world_.plan->bounds.asking_period <= 0) return;
  contends_ = true;
  won_.assign(world_.plan->keys.size(), false);
  for (std::size_t key = 0; key < won_.size(); ++key) {
    if (world_.plan->keys[key].empty()) won_[key] = true;  // nobody can ask for it
    if (!won_[key]) ask(static_cast<key_id>(key), 0);
  }
}

bool calls::quiet_is_over() const {
  if (open_ > 0) return false;
  for (const bool won : won_)
    if (!won) return false;
  return true;
}

void calls::ask(key_id key, unsigned repetition) {
  call_record call;
  call.spec = no_spec;
  call.repetition = repetition;
  call.what = verb::acquire;
  call.process = static_cast<process_id>(world_.processes.size() - 1);
  call.key = key;
  call.owner = world_.record.owner("contender");
  call.ttl_ms = world_.plan->ttl_ms;
  call.contender = true;
  run(record(call, world_.plan->bounds.call_limit));
}

void calls::asked(const call_record& call) {
  if (call.ended == outcome::ok && call.yes) {
    won_[call.key] = true;
    return;
  }
  process_slot& process = world_.process_of(call);
  const label name{event_label::start, process.id, 0,
                   static_cast<std::uint16_t>(call.repetition + 1), contender_subject + call.key};
  world_.post_timer(process, name, 0, world_.reading(process) + world_.plan->bounds.asking_period);
}

label calls::name_of(call_index index, event_label what) const {
  const call_record& call = world_.record.run.calls[index];
  const std::uint32_t subject = call.contender      ? contender_subject + call.key
                                : call.by_runtime() ? call.subject
                                                    : world_.plan->calls[call.spec].id;
  return {what, call.process, 0, static_cast<std::uint16_t>(call.repetition), subject};
}

std::uint32_t calls::rank_of(call_index index) const {
  const call_record& call = world_.record.run.calls[index];
  if (call.contender) return 1'000'000;
  return 1000 + (call.by_runtime() ? signal_of_subject(call.subject) : call.spec);
}

std::uint16_t calls::last_trip_of(call_index index) const {
  const bool acquire = world_.record.run.calls[index].what == verb::acquire;
  return static_cast<std::uint16_t>(acquire ? world_.kind.declared.acquire_trips : 1);
}

bool calls::has_ended(std::uint32_t spec_id) const {
  return spec_id >= index_of_id_.size() || index_of_id_[spec_id] == no_spec ||
         ended_[index_of_id_[spec_id]];
}

}  // namespace leaselab::sim
