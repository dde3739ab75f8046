#include "sim/agenda.hpp"

#include <algorithm>

namespace leaselab::sim {

void agenda::clear() {
  events_.clear();
  births_ = 0;
}

pending& agenda::add(const pending& value) {
  events_.push_back(value);
  events_.back().born = births_++;
  return events_.back();
}

bool agenda::look(true_time now, moment& out) {
  true_time limit = never;
  bool armed = false;
  for (const pending& event : events_) {
    if (event.parked) continue;
    armed = true;
    limit = std::min(limit, event.latest);
  }
  if (!armed) return false;
  // An event that became free late may carry a window that has passed: it runs now.
  limit = std::max(limit, now);
  candidates_.clear();
  places_.clear();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const pending& event = events_[i];
    if (event.parked || event.earliest > limit) continue;
    candidates_.push_back(
        {event.event, std::max(event.earliest, now), event.latest, event.born, event.rank});
    places_.push_back(static_cast<std::uint32_t>(i));
  }
  out.now = now;
  out.limit = limit;
  out.candidates = candidates_;
  return true;
}

pending agenda::take(std::size_t index) {
  const auto place = events_.begin() + places_[index];
  const pending taken = *place;
  events_.erase(place);
  return taken;
}

}  // namespace leaselab::sim
