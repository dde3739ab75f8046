#include "properties/beliefs.hpp"

#include "properties/clock_query.hpp"
#include "properties/timeline.hpp"

namespace leaselab::properties {
namespace {

sim::true_time local_end(const sim::run_record& run, const sim::event& event) {
  if (event.value == sim::no_deadline || event.process >= run.monotonic.size()) return sim::never;
  return first_instant(run.monotonic[event.process], event.value, event.at);
}

}  // namespace

void belief_list::clear() {
  all_.clear();
  open_.clear();
}

void belief_list::add(const sim::run_record& run, std::uint32_t index) {
  const sim::event& event = run.events[index];
  switch (event.kind) {
    case sim::event_kind::believe:
      return believe(run, index);
    case sim::event_kind::disbelieve:
      return finish(event, index, [&](const belief& held) {
        return held.incarnation == event.incarnation && held.key == event.key &&
               held.owner == event.owner;
      });
    default:
      return finish(event, index, [](const belief&) { return true; });
  }
}

void belief_list::believe(const sim::run_record& run, std::uint32_t index) {
  const sim::event& event = run.events[index];
  for (const std::uint32_t i : open_) {
    belief& held = all_[i];
    if (held.process != event.process || held.incarnation != event.incarnation ||
        held.key != event.key || held.owner != event.owner || !held.held_at(index, event.at))
      continue;
    held.end = local_end(run, event);
    return;
  }
  open_.push_back(static_cast<std::uint32_t>(all_.size()));
  all_.push_back({event.process, event.incarnation, event.key, event.owner, index, no_index,
                  event.at, local_end(run, event)});
}

template <class Which>
void belief_list::finish(const sim::event& event, std::uint32_t index, Which&& which) {
  std::erase_if(open_, [&](std::uint32_t i) {
    belief& held = all_[i];
    if (held.process != event.process || !which(held)) return false;
    if (held.held_at(index, event.at)) {
      held.end = event.at;
      held.end_event = index;
    }
    return true;
  });
}

}  // namespace leaselab::properties
