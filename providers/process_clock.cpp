#include "providers/process_clock.hpp"

#include <algorithm>

namespace leaselab {
namespace {

class steady_and_system final : public process_clock {
 public:
  monotonic_time now() const override {
    return monotonic_time(std::chrono::steady_clock::now().time_since_epoch());
  }
  wall_time wall_now() const override {
    return wall_time(std::chrono::system_clock::now().time_since_epoch());
  }
  // An hour at most: steady_clock cannot add everything that a deadline may be away.
  nanoseconds real_wait(monotonic_time due) const override {
    const auto reading = now();
    if (due <= reading) return nanoseconds(1);
    const nanoseconds longest = std::chrono::hours(1);
    return due - longest > reading ? longest : due - reading;
  }
};

}  // namespace

std::shared_ptr<const process_clock> machine_clock() {
  static const auto clock = std::make_shared<const steady_and_system>();
  return clock;
}

}  // namespace leaselab
