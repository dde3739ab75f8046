// Drives coroutines on real time in tests of the live link: one thread, and events instead of
// sleeps.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "providers/awaitable.hpp"

namespace leaselab::testing {

// A coroutine that was started, and its value once it has ended.
template <class T>
struct started {
  std::optional<T> value;
  bool ended() const { return value.has_value(); }
};

class live_run {
 public:
  asio::io_context context{1};

  asio::any_io_executor executor() { return context.get_executor(); }

  template <class T>
  std::shared_ptr<started<T>> start(awaitable<T> coroutine) {
    auto state = std::make_shared<started<T>>();
    context.restart();  // it stopped if it ran out of work
    asio::co_spawn(context, std::move(coroutine), [state](std::exception_ptr thrown, T ended) {
      if (thrown) std::rethrow_exception(thrown);
      state->value.emplace(std::move(ended));
    });
    return state;
  }

  // Runs what is ready now, so that what was started is on its way.
  void settle() {
    while (context.poll() > 0) continue;
  }

  template <class T>
  T finish(const std::shared_ptr<started<T>>& begun) {
    while (!begun->ended()) {
      if (context.run_one() == 0) throw std::runtime_error("nothing is left that could end it");
    }
    return std::move(*begun->value);
  }

  template <class T>
  T operator()(awaitable<T> coroutine) {
    return finish(start(std::move(coroutine)));
  }

  void operator()(awaitable<void> coroutine) { finish(start(ends(std::move(coroutine)))); }

  static awaitable<bool> ends(awaitable<void> coroutine) {
    co_await std::move(coroutine);
    co_return true;
  }
};

}  // namespace leaselab::testing
