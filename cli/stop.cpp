#include "cli/stop.hpp"

#include <signal.h>

#include <chrono>

namespace leaselab::cli {

std::atomic<bool> stop_source::stopped_{false};
std::atomic<bool> stop_source::signalled_{false};

namespace {

void catch_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | (handler == SIG_DFL ? 0 : SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

stop_source::stop_source(std::optional<sim::true_duration> time_limit) {
  stopped_ = false;
  signalled_ = false;
  catch_signals([](int) {
    signalled_ = true;
    stopped_ = true;
  });
  if (time_limit) timer_ = std::thread([this, limit = *time_limit] { wait_for(limit); });
}

stop_source::~stop_source() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  if (timer_.joinable()) timer_.join();
  catch_signals(SIG_DFL);
}

void stop_source::wait_for(sim::true_duration limit) {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, std::chrono::nanoseconds(limit), [this] { return done_; });
  if (!done_) stopped_ = true;
}

}  // namespace leaselab::cli
