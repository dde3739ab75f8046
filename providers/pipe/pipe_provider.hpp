// The host of a provider that is a program in any language, spoken to over a pipe (protocol.md).
// The harness owns time: the child is told `now` and asks for what a provider may use, so that the
// same child runs in the simulator and on real time.
//
// Calls may overlap in the child, which answers each line with all that it does before it has to
// wait. Nothing it does is lost or done twice; what breaks the protocol throws host_failed.
//
// A child in step has a Redis client of its own besides: its commands are trips of the call that
// they are for, its timers sleeps of the host.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "providers/errands.hpp"
#include "providers/lease_provider.hpp"
#include "providers/pipe/child.hpp"
#include "providers/pipe/messages.hpp"
#include "providers/pipe/traffic.hpp"

namespace leaselab::pipe {

// How a child's own Redis client is followed.
enum class pace : std::uint8_t {
  none,     // it has none, and must not call
  of_host,  // likewise: it answers from the memory of its host
  in_step,  // it counts what it reads and writes, and has the host's time
  loose,    // it has clocks of its own: whatever comes is taken as it comes
};
struct client_of_child {
  traffic* commands = nullptr;  // null: nobody listens
  pace follows = pace::none;
  errands* belong = nullptr;  // set where an event belongs to a call
};

class pipe_provider final : public any_lease_provider {
 public:
  // `by` has said hello, and has been reset since it served another provider. What is referred to
  // outlives it.
  pipe_provider(environment& environment, child& by, provider_options options,
                client_of_child own_client = {});

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override;
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override;
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override;
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override;
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override;
  void close() override;

 private:
  // What the child did for one call and its coroutine has not yet taken up.
  struct mailbox {
    std::shared_ptr<const errand> of;
    std::deque<act> acts;
    std::function<void()> wake;  // the coroutine waits
  };

  awaitable<result<boost::json::value>> call(operation what, arguments with, nanoseconds limit);
  awaitable<result<boost::json::value>> grant(const act& asked, const errand& by);
  awaitable<void> next(std::shared_ptr<mailbox> of);
  awaitable<void> carry(std::shared_ptr<channel> on);
  awaitable<void> wait_for_timer(monotonic_time due, std::uint64_t serial,
                                 std::shared_ptr<const errand> by);
  // Says it, on behalf of `by`, and all that follows from it at this instant.
  void talk(std::string line, const std::shared_ptr<const errand>& by);
  turn hear(const std::string& line);
  bool follow(turn& said, const std::shared_ptr<const errand>& by);
  bool follow_loosely(const std::shared_ptr<const errand>& by, front::deadline until);
  void refuse_callers(const turn& said);
  traffic::errands open_errands() const;
  bool all_wait() const;
  void deliver(act one);
  void send_off(const std::shared_ptr<const errand>& by);
  void start(awaitable<void> task);
  void expect_more() const;
  void fail_all();
  void act_for(const errand& by);
  template <class Parse>
  auto parsed(const boost::json::value& from, Parse parse);
  clocks clock() const { return {environment_.now(), environment_.wall_now()}; }

  environment& environment_;
  child& child_;
  const provider_options options_;
  const client_of_child own_client_;
  asio::any_io_executor executor_;  // of the calls
  std::exception_ptr failure_;      // in what no call waits for
  bool closed_ = false;
  std::uint64_t last_call_ = 0;
  std::map<std::uint64_t, std::shared_ptr<mailbox>> open_;
  std::set<std::uint64_t> asks_;                 // those that the child waits for
  std::optional<monotonic_time> timer_, armed_;  // the child's next one; the one waited for
  std::uint64_t waits_ = 0;                      // for timers so far
};

}  // namespace leaselab::pipe
