// Notices a library that neither returns nor waits for its host, such as one that holds a lock
// across a trip and asks for it again on the same thread: within a process nothing else would.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace leaselab::plugin {

// A thread's stay in a library. Any thread reads it, one writes it.
class stay {
 public:
  // The texts outlive the thread.
  void begin(const char* library, const char* function) {
    function_.store(function, std::memory_order_relaxed);
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    library_.store(library, std::memory_order_release);
  }
  void end() { library_.store(nullptr, std::memory_order_release); }

 private:
  friend class watch;

  std::atomic<std::uint64_t> count_{0};
  std::atomic<const char*> library_{nullptr};  // null: it is not in one
  std::atomic<const char*> function_{nullptr};
  // Of the watch.
  std::uint64_t seen_ = 0;
  int looks_ = 0;
};

stay& stay_of_this_thread();

// From now on the program ends with status 2 and a line on standard error when a stay lasts longer
// than `patience`, counted in looks at it: a program that was stopped has not stayed. Real time, as
// no verdict hangs on it. Repeated calls change the patience.
void watch_stays(std::chrono::milliseconds patience);

}  // namespace leaselab::plugin
