// An Asio executor on virtual time: what is posted runs at the present instant, in order, as part
// of the event that posted it.
//
// The trap: when a handler that holds a coroutine is destroyed, Asio does not destroy its frames
// there, it posts their unwinding to the coroutine's executor. A lane that has been cut runs such
// posts at once, outside the schedule.
#pragma once

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace leaselab::sim {

class ready_queue {
 public:
  template <class F>
  void push(F&& task) {
    tasks_.push_back(std::make_unique<holder<std::decay_t<F>>>(std::forward<F>(task)));
  }

  // Runs what is ready, and what that makes ready.
  void drain() {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      auto task = std::move(tasks_[i]);
      task->run();
    }
    tasks_.clear();
  }

 private:
  struct task {
    virtual ~task() = default;
    virtual void run() = 0;
  };
  template <class F>
  struct holder final : task {
    explicit holder(F f) : function(std::move(f)) {}
    void run() override { function(); }
    F function;
  };

  std::vector<std::unique_ptr<task>> tasks_;
};

// Where the coroutines of one process run.
struct lane {
  boost::asio::execution_context* context = nullptr;
  ready_queue* ready = nullptr;
  bool cut = false;  // the process has crashed or its world ends: unwind at once
};

class lane_executor {
 public:
  explicit lane_executor(lane& where) noexcept : lane_(&where) {}

  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
    return *lane_->context;
  }
  static constexpr boost::asio::execution::blocking_t query(
      boost::asio::execution::blocking_t) noexcept {
    return boost::asio::execution::blocking.never;
  }
  lane_executor require(boost::asio::execution::blocking_t::never_t) const noexcept {
    return *this;
  }

  template <class F>
  void execute(F&& task) const {
    if (lane_->cut) {
      auto now = std::forward<F>(task);
      now();
    } else {
      lane_->ready->push(std::forward<F>(task));
    }
  }

  friend bool operator==(const lane_executor& a, const lane_executor& b) noexcept {
    return a.lane_ == b.lane_;
  }

 private:
  lane* lane_;
};

}  // namespace leaselab::sim
