#include "sim/workload/resource.hpp"

#include <algorithm>

#include "sim/core.hpp"

namespace leaselab::sim {

void resource::begin() {
  in_flight_.clear();
  highest_.assign(world_.plan->keys.size(), 0);
}

bool resource::allowed(call_index index) {
  const call_record& call = world_.record.run.calls[index];
  if (!world_.plan->calls[call.spec].guarded) return true;
  return world_.clients.holds(*world_.processes[call.process], call.key, call.owner);
}

void resource::open_span(call_index call) {
  if (!allowed(call)) {
    call_end refused;
    refused.ended = outcome::fail;
    return world_.workload.finish(call, refused);
  }
  make_step(call, 1);
}

void resource::make_step(call_index index, std::uint16_t number) {
  const call_record call = world_.record.run.calls[index];
  process_slot& process = *world_.processes[call.process];
  const call_spec& spec = world_.plan->calls[call.spec];
  const held_token* held = process.find(call.key, call.owner);
  const work_step step{call.process, call.incarnation,       call.key,
                       call.owner,   held ? held->fence : 0, index};
  label name = world_.workload.name_of(index, event_label::landing);
  name.trip = number;
  perform(step, name, world_.workload.rank_of(index));
  const true_duration done = spec.pace * number;
  if (spec.pace <= 0 || done > spec.lasts || number == 1000)
    return world_.workload.finish(index, call_end{});
  name.what = event_label::work;
  world_.post_timer(process, name, index, world_.workload.invoked_reading(index) + done);
}

void resource::perform(const work_step& step, label name, std::uint32_t rank) {
  if (world_.plan->resource == resource_kind::local) return accept(step);
  note(event_kind::work_sent, step);
  pending landing;
  landing.event = name;
  landing.index = static_cast<std::uint32_t>(in_flight_.size());
  landing.earliest = world_.now + world_.plan->bounds.delay_min;
  landing.latest = world_.now + world_.plan->bounds.delay_max;
  landing.rank = rank;
  in_flight_.push_back(step);
  world_.faults.on_single(landing);
}

void resource::next_step(const pending& event) {
  if (!allowed(event.index)) return world_.workload.finish(event.index, call_end{});
  make_step(event.index, static_cast<std::uint16_t>(event.event.trip + 1));
}

void resource::land(const pending& event) { accept(in_flight_[event.index]); }

void resource::remember(std::uint64_t& known, std::uint64_t token) const {
  known = std::max(known, token);
}

void resource::accept(const work_step& step) {
  std::uint64_t& highest = highest_[step.key];
  const bool fenced = world_.plan->resource == resource_kind::fenced;
  const bool refused = fenced && step.fence < highest;
  remember(highest, step.fence);
  note(refused ? event_kind::work_refused : event_kind::work, step);
}

void resource::note(event_kind what, const work_step& step) {
  event& made = world_.note(what);
  made.process = step.process;
  made.incarnation = step.incarnation;
  made.key = step.key;
  made.owner = step.owner;
  made.value = step.span;
  made.after.token = step.fence;
}

}  // namespace leaselab::sim
