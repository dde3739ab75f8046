#include "providers/plugin/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace leaselab::plugin {

class watch {
 public:
  // It is never destroyed: its thread looks until the program has ended.
  static watch& only_one() {
    static watch& one = *new watch;
    return one;
  }

  void add(stay& of) {
    const std::lock_guard lock(mutex_);
    stays_.push_back(&of);
  }
  void remove(stay& of) {
    const std::lock_guard lock(mutex_);
    std::erase(stays_, &of);
  }
  void begin(std::chrono::milliseconds patience) {
    const std::lock_guard lock(mutex_);
    patience_ = patience;
    if (std::exchange(begun_, true)) return;
    std::thread([this] { look_on(); }).detach();
  }

 private:
  static constexpr int looks_in_patience = 50;

  void look_on() {
    for (;;) {
      std::unique_lock lock(mutex_);
      const auto pause = patience_ / looks_in_patience;
      lock.unlock();
      std::this_thread::sleep_for(pause);
      lock.lock();
      for (stay* const each : stays_) look_at(*each);
    }
  }

  void look_at(stay& one) {
    const char* const library = one.library_.load(std::memory_order_acquire);
    const auto count = one.count_.load(std::memory_order_relaxed);
    if (library == nullptr || one.seen_ != count) {
      one.seen_ = count;
      one.looks_ = 0;
      return;
    }
    if (++one.looks_ <= looks_in_patience) return;
    fmt::print(stderr,
               "leaselab: {}: {}: it neither returned nor asked for anything within {} ms\n",
               library, one.function_.load(std::memory_order_relaxed), patience_.count());
    std::fflush(stderr);
    std::_Exit(2);
  }

  std::mutex mutex_;
  std::chrono::milliseconds patience_{0};
  bool begun_ = false;
  std::vector<stay*> stays_;
};

stay& stay_of_this_thread() {
  struct registered {
    registered() { watch::only_one().add(here); }
    ~registered() { watch::only_one().remove(here); }
    stay here;
  };
  static thread_local registered own;
  return own.here;
}

void watch_stays(std::chrono::milliseconds patience) { watch::only_one().begin(patience); }

}  // namespace leaselab::plugin
