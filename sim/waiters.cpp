#include "sim/waiters.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "providers/error.hpp"
#include "sim/core.hpp"
#include "sim/redis/blocking.hpp"

namespace leaselab::sim {
namespace {

bool hung_up(const trip& sent) { return sent.line && *sent.line; }

}  // namespace

bool waiters::take(std::uint32_t index) {
  trip& sent = world_.network.at(index);
  if (!world_.engine || !redis::may_wait(sent.request)) return false;
  if (sent.answer.is_error("ERR unknown command")) refuse(sent.request);
  if (!redis::found_nothing(sent.request, sent.answer)) return false;
  if (!sent.waiting() || hung_up(sent)) return false;
  const std::int64_t now = world_.now_granules();
  redis::pin_down(sent.request, *world_.engine, now);
  all_.push_back(index);
  // The server's rule: time is up in the first millisecond after it. So nobody waits for less than
  // it asked for, wherever in its millisecond it came.
  const std::int64_t patience = redis::patience_ms(sent.request);
  if (patience > 0 && patience < never / ns_per_ms - now - 1) post_end(index, now + patience + 1);
  return true;
}

// A real server that does not know it, being an old one, may say so.
void waiters::refuse(const command& request) {
  if (dynamic_cast<redis::model_engine*>(world_.engine.get()) == nullptr) return;
  world_.failure = std::make_exception_ptr(host_failed(
      request.words[0] +
      ": the model engine knows strings, hashes and lists; --engine server knows this, too"));
}

void waiters::post_end(std::uint32_t index, std::int64_t granule) {
  const trip& sent = world_.network.at(index);
  pending end;
  end.event = sent.name;
  end.event.what = event_label::unblock;
  end.index = index;
  end.due = granule * ns_per_ms;
  end.rank = world_.workload.rank_of(sent.call);
  aim(end);
  world_.post(end);
}

void waiters::aim(pending& end) const {
  const true_time at = world_.record.run.backend.first_at(end.due, world_.now);
  const bool stands = at >= never / 2;
  end.parked = stands ? park_standing : 0;
  end.earliest = end.latest = stands ? never : at;
}

void waiters::clock_changed() {
  for (pending& event : world_.events.events())
    if (event.event.what == event_label::unblock) aim(event);
}

// What one of them gets may be what another waits for.
void waiters::look_again() {
  while (!all_.empty() && serve_all()) {
  }
}

// As a server does it: key by key, and for each in the order in which they came.
bool waiters::serve_all() {
  std::vector<std::string> keys;
  for (const std::uint32_t index : all_)
    for (auto& key : redis::keys_of(world_.network.at(index).request))
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  bool any = false;
  for (const std::string& key : keys)
    for (const std::uint32_t index : std::vector(all_)) any = serve(index, key) || any;
  return any;
}

// False: there is nothing for it under that key.
bool waiters::serve(std::uint32_t index, const std::string& key) {
  trip& sent = world_.network.at(index);
  const auto keys = redis::keys_of(sent.request);
  if (hung_up(sent) || std::ranges::find(keys, key) == keys.end()) return false;
  const command tried = redis::only_for(sent.request, key);
  auto& backend = world_.faults.backend();
  backend.enter_side(sent.process);
  reply found = backend.execute(tried);
  if (found.kind == reply_kind::error)
    found = redis::told(tried, std::move(found), *world_.engine, world_.now_granules())
                .value_or(reply());
  const bool served = !redis::found_nothing(tried, found);
  if (served) {
    world_.watch.close_step(world_.watch.open_step(sent.call));
    sent.answer = std::move(found);
  }
  backend.leave_side(sent.process);
  if (served) answer(index);
  return served;
}

// With what it found last. One that has hung up hears nothing, and what it sent behind is dropped.
void waiters::answer(std::uint32_t index) {
  forget(index);
  trip& sent = world_.network.at(index);
  sent.lost = hung_up(sent);
  world_.faults.reached(sent, true);
  world_.network.send_reply(index);
}

void waiters::run_out(const pending& event) { answer(event.index); }

void waiters::forget(std::uint32_t index) {
  if (std::erase(all_, index) == 0) return;
  world_.events.remove_if([&](const pending& event) {
    return event.event.what == event_label::unblock && event.index == index;
  });
}

void waiters::lose_all() {
  for (const std::uint32_t index : std::exchange(all_, {})) {
    world_.network.at(index).lost = true;
    world_.network.send_reply(index);
  }
  world_.events.remove_if(
      [](const pending& event) { return event.event.what == event_label::unblock; });
}

}  // namespace leaselab::sim
