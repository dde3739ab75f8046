// An environment for unit tests of providers: one thread, a clock that stands unless moved, and
// trips that are answered by a script of the test.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "providers/environment.hpp"

namespace leaselab::testing {

struct trip {
  command request;
  monotonic_time deadline;
};

class scripted_environment final : public environment {
 public:
  // Answers of the next trips, in order. A trip without one ends fail, connection_refused.
  std::deque<result<reply>> replies;
  // Called in each trip before it is answered, and in each step before it is over.
  std::function<void()> meanwhile;
  // Set: how every step ends.
  std::optional<lease_error> step_error;

  std::vector<trip> trips;                  // what was sent
  std::vector<monotonic_time> step_limits;  // a deadline for each step made
  monotonic_time clock = at(milliseconds(1000));

  static monotonic_time at(nanoseconds since_start) { return monotonic_time(since_start); }
  std::size_t effects() const { return trips.size() + step_limits.size(); }

  monotonic_time now() const override { return clock; }
  wall_time wall_now() const override { return wall_time(clock.time_since_epoch()); }
  std::uint64_t random() override { return 4; }

  awaitable<void> sleep_until(monotonic_time due) override {
    clock = std::max(clock, due);
    co_return;
  }

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    co_await asio::post(asio::use_awaitable);
    trips.push_back({std::move(request), deadline});
    if (meanwhile) meanwhile();
    if (replies.empty()) co_return definite(errc::connection_refused);
    auto next = std::move(replies.front());
    replies.pop_front();
    co_return next;
  }

  awaitable<result<void>> step(monotonic_time deadline) override {
    co_await asio::post(asio::use_awaitable);
    step_limits.push_back(deadline);
    if (meanwhile) meanwhile();
    if (step_error) co_return *step_error;
    if (clock >= deadline) co_return definite(errc::timed_out);
    co_return result<void>();
  }
};

// A clock of a backend in this address space, moved by the test.
class manual_granule_clock final : public granule_clock {
 public:
  std::int64_t reading = 0;
  std::int64_t now_granules() const override { return reading; }
};

// Runs one coroutine to its end and returns its value. What it throws passes.
template <class T>
T run(awaitable<T> coroutine) {
  asio::io_context context;
  std::optional<T> value;
  std::exception_ptr error;
  asio::co_spawn(context, std::move(coroutine), [&](std::exception_ptr thrown, T ended) {
    error = thrown;
    value.emplace(std::move(ended));
  });
  context.run();
  if (error) std::rethrow_exception(error);
  return std::move(*value);
}

inline reply integer(std::int64_t value) { return {reply_kind::integer, value, {}, {}}; }
inline reply text(std::string value) { return {reply_kind::text, 0, std::move(value), {}}; }
inline reply status(std::string value) { return {reply_kind::status, 0, std::move(value), {}}; }
inline reply error(std::string value) { return {reply_kind::error, 0, std::move(value), {}}; }
inline reply nil() { return {}; }

}  // namespace leaselab::testing
