// What ends long work early: Ctrl-C, SIGTERM, a time limit.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "sim/time.hpp"

namespace leaselab::cli {

// While one lives, the first Ctrl-C or SIGTERM sets `flag` and a second one ends the program at
// once. One at a time.
class stop_source {
 public:
  explicit stop_source(std::optional<sim::true_duration> time_limit = std::nullopt);
  ~stop_source();
  stop_source(const stop_source&) = delete;
  stop_source& operator=(const stop_source&) = delete;

  const std::atomic<bool>* flag() const { return &stopped_; }
  bool interrupted() const { return signalled_; }  // by a signal, not by the time limit
  const std::atomic<bool>* signal() const { return &signalled_; }

 private:
  void wait_for(sim::true_duration limit);

  static std::atomic<bool> stopped_, signalled_;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread timer_;
};

}  // namespace leaselab::cli
