// The clocks that a live process lives by, as a value: the machine's, or deliberately wrong ones.
#pragma once

#include <memory>

#include "providers/environment.hpp"

namespace leaselab {

// Read from several threads at once.
class process_clock {
 public:
  virtual ~process_clock() = default;

  virtual monotonic_time now() const = 0;
  virtual wall_time wall_now() const = 0;

  // How long to wait in real time, at most, before asking again whether `due` has come; above 0.
  // A clock whose rate may change meanwhile answers with a short time.
  virtual nanoseconds real_wait(monotonic_time due) const = 0;
};

// std::chrono::steady_clock and system_clock.
std::shared_ptr<const process_clock> machine_clock();

}  // namespace leaselab
