// One command on its way through a hiredis_link. Internal to it.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <optional>
#include <utility>

#include "providers/environment.hpp"

namespace leaselab {

class link_call : public boost::intrusive::list_base_hook<> {
 public:
  enum class stage : std::uint8_t { queued, sent, ended, told };

  explicit link_call(monotonic_time deadline) : deadline(deadline) {}
  virtual ~link_call() = default;

  // Gives the caller `answer`, once. `running_on`: the executor that this thread is inside of.
  // May destroy everything, this call included.
  virtual void tell(const asio::any_io_executor& running_on) = 0;

  std::optional<command> request;  // while it is queued
  const monotonic_time deadline;
  monotonic_time begun;
  std::uint64_t turn = 0;  // of the link, when it was sent
  result<reply> answer{reply{}};
  stage where = stage::queued;
  bool held = false;  // hiredis will still ask for it
};

template <class Handler>
class link_call_of final : public link_call {
 public:
  link_call_of(Handler handler, monotonic_time deadline)
      : link_call(deadline), handler_(std::move(handler)) {}

  void tell(const asio::any_io_executor& running_on) override {
    auto handler = std::move(handler_);
    auto told = std::move(answer);
    const auto executor = asio::get_associated_executor(handler, running_on);
    // What dispatch would do there, without its cost: most programs have one executor.
    if (executor == running_on) return std::move(handler)(std::move(told));
    asio::dispatch(executor, [handler = std::move(handler), told = std::move(told)]() mutable {
      std::move(handler)(std::move(told));
    });
  }

 private:
  Handler handler_;
};

}  // namespace leaselab
