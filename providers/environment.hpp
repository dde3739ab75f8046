// The seam: everything outside itself that a provider may use. Nothing else in a provider may be
// nondeterministic. Two twins implement it: `environment_asio` on real time and a real server,
// `environment_sim` in a world of the simulator.
#pragma once

#include <chrono>
#include <cstdint>

#include "providers/awaitable.hpp"
#include "providers/command.hpp"
#include "providers/error.hpp"

namespace leaselab {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct monotonic_tag {
  using duration = nanoseconds;
};
struct wall_tag {
  using duration = nanoseconds;
};
// Readings of the two clocks of one process. They are the process's own: comparing those of two
// processes is the mistake that half of the bugs are made of.
using monotonic_time = std::chrono::time_point<monotonic_tag, nanoseconds>;
using wall_time = std::chrono::time_point<wall_tag, nanoseconds>;

class environment {
 public:
  virtual ~environment() = default;

  virtual monotonic_time now() const = 0;
  virtual wall_time wall_now() const = 0;
  virtual std::uint64_t random() = 0;

  // Ends at or after `due` on the monotonic clock.
  virtual awaitable<void> sleep_until(monotonic_time due) = 0;

  // One trip: carries `request` to the backend and brings its reply. Error replies are replies.
  // fail: nothing was sent. info timed_out: `deadline` passed first, the connection is abandoned
  // and the request may still land. info connection_lost: likewise.
  virtual awaitable<result<reply>> send(command request, monotonic_time deadline) = 0;

  // The scheduling point before a local effect; what follows up to the next co_await is one step.
  // fail timed_out when `deadline` has passed: the caller then must not make its effect.
  virtual awaitable<result<void>> step(monotonic_time deadline) = 0;
};

// The clock by which a backend inside this address space counts deadlines: whole granules of
// 1 ms, never negative. Servers have their own.
class granule_clock {
 public:
  virtual ~granule_clock() = default;
  virtual std::int64_t now_granules() const = 0;
};

}  // namespace leaselab
