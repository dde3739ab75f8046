#include "sim/trips.hpp"

#include <utility>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

bool is_reload(const command& request) { return request.lua != nullptr && request.by_text; }

}  // namespace

std::uint32_t trips::open(process_id process, event_label what, std::int64_t deadline) {
  if (used_ == trips_.size()) trips_.push_back(std::make_unique<trip>());
  trip& opened = *trips_[used_];
  opened.call = world_.current;
  opened.process = process;
  opened.incarnation = world_.processes[process]->incarnation;
  opened.deadline = deadline;
  opened.lost = false;
  number(opened, what);
  return static_cast<std::uint32_t>(used_++);
}

void trips::number(trip& opened, event_label what) {
  call_record& call = world_.record.run.calls[opened.call];
  const bool reload = what == event_label::request && is_reload(opened.request) && call.trips > 0;
  if (!reload) ++call.trips;
  opened.name = world_.workload.name_of(opened.call, what);
  opened.name.trip = static_cast<std::uint16_t>(call.trips | (reload ? reload_mark : 0));
}

void trips::send(process_id from, command request, std::int64_t deadline, reply_handler handler) {
  if (used_ == trips_.size()) trips_.push_back(std::make_unique<trip>());
  trips_[used_]->request = std::move(request);
  const std::uint32_t index = open(from, event_label::request, deadline);
  trip& sent = *trips_[index];
  sent.on_reply.emplace(std::move(handler));
  sent.line = std::exchange(world_.line, nullptr);
  label limit = sent.name;
  limit.what = event_label::limit;
  world_.post_timer(*world_.processes[from], limit, index, deadline);
  post_message(index, event_label::request);
}

void trips::post_message(std::uint32_t index, event_label what) {
  const trip& sent = *trips_[index];
  pending message;
  message.event = sent.name;
  message.event.what = what;
  message.index = index;
  message.earliest = world_.now + world_.plan->bounds.delay_min;
  message.latest = world_.now + world_.plan->bounds.delay_max;
  message.rank = world_.workload.rank_of(sent.call);
  if (what == event_label::reply) message.addressee = sent.process;
  world_.faults.on_message(sent, message);
}

void trips::land(const pending& event) {
  const trip& sent = *trips_[event.index];
  const bool copy = event.event.what == event_label::copy;
  if (const auto error = world_.faults.error_instead(sent)) {
    world_.watch.refused_step(sent.call);
    trips_[event.index]->answer = *error;
  } else {
    world_.faults.backend().enter_side(sent.process);
    const std::size_t step = world_.watch.open_step(sent.call);
    reply answer = world_.faults.backend().execute(sent.request);
    world_.watch.close_step(step);
    world_.faults.backend().leave_side(sent.process);
    if (!copy) trips_[event.index]->answer = std::move(answer);
    if (!copy && world_.waiting.take(event.index)) return;
  }
  world_.faults.reached(sent, true);
  if (!copy && sent.waiting()) send_reply(event.index);
  world_.waiting.look_again();
}

void trips::answer(const pending& event) {
  trip& answered = *trips_[event.index];
  if (!answered.on_reply) return;
  drop_limit(event.index);
  auto came = answered.lost ? result<reply>(unknown(errc::connection_lost))
                            : result<reply>(std::move(answered.answer));
  world_.resume(answered.on_reply, answered.call, std::move(came));
}

void trips::step(process_id from, std::int64_t deadline, step_handler handler) {
  const std::uint32_t index = open(from, event_label::step, deadline);
  trip& opened = *trips_[index];
  opened.on_step.emplace(std::move(handler));
  pending event;
  event.event = opened.name;
  event.index = index;
  event.addressee = from;
  event.earliest = world_.now;
  event.latest = world_.now + world_.plan->bounds.delay_max;
  event.rank = world_.workload.rank_of(opened.call);
  world_.faults.reached(opened, false);
  world_.post(event);
}

void trips::make_step(const pending& event) {
  trip& made = *trips_[event.index];
  const call_index call = made.call;
  if (world_.reading(*world_.processes[made.process]) >= made.deadline) {
    world_.resume(made.on_step, call, result<void>(definite(errc::timed_out)));
    return;
  }
  const std::size_t step = world_.watch.open_step(call);
  world_.resume(made.on_step, call, result<void>());
  world_.watch.close_step(step);
  world_.faults.reached(made, true);
}

void trips::sleep(process_id from, std::int64_t due, wake_handler handler) {
  const std::uint32_t index = open(from, event_label::wake, due);
  trip& opened = *trips_[index];
  opened.on_wake.emplace(std::move(handler));
  world_.post_timer(*world_.processes[from], opened.name, index, due);
}

void trips::wake(const pending& event) {
  trip& woken = *trips_[event.index];
  world_.resume(woken.on_wake, woken.call);
  world_.watch.look_for_changes(woken.call);
}

void trips::give_up(const pending& event) {
  trip& given_up = *trips_[event.index];
  world_.waiting.forget(event.index);
  if (given_up.on_reply)
    world_.resume(given_up.on_reply, given_up.call, result<reply>(unknown(errc::timed_out)));
}

void trips::drop_limit(std::uint32_t index) {
  world_.events.remove_if([&](const pending& event) {
    return event.event.what == event_label::limit && event.index == index;
  });
}

void trips::abandon(process_id process) {
  for (std::size_t i = 0; i < used_; ++i) {
    trip& left = *trips_[i];
    if (left.process != process) continue;
    left.on_reply.reset();
    left.on_step.reset();
    left.on_wake.reset();
    world_.waiting.forget(static_cast<std::uint32_t>(i));
  }
}

}  // namespace leaselab::sim
