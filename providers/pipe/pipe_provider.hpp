// The host of a provider that is a program in any language, spoken to over a pipe (protocol.md).
// The harness owns time: the child is told `now` and asks for what a provider may use, so that the
// same child runs in the simulator and on real time.
//
// Calls may overlap in the child, which answers each line with all that it does before it has to
// wait. Nothing it does is lost or done twice; what breaks the protocol throws host_failed.
#pragma once

#include <boost/asio/async_result.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "providers/lease_provider.hpp"
#include "providers/pipe/child.hpp"
#include "providers/pipe/messages.hpp"

namespace leaselab::pipe {

class pipe_provider final : public any_lease_provider {
 public:
  // `by` has said hello, and has been reset since it served another provider. Both outlive it.
  pipe_provider(environment& environment, child& by, provider_options options);

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
    std::deque<act> acts;
    std::function<void()> wake;  // the coroutine waits
  };

  awaitable<result<boost::json::value>> call(operation what, arguments with, nanoseconds limit);
  awaitable<result<boost::json::value>> grant(const act& asked, monotonic_time deadline);
  awaitable<void> next(std::shared_ptr<mailbox> of);
  void talk(const std::string& line);
  void deliver(act one);
  template <class Parse>
  auto parsed(const boost::json::value& from, Parse parse);
  clocks clock() const { return {environment_.now(), environment_.wall_now()}; }

  environment& environment_;
  child& child_;
  const provider_options options_;
  bool closed_ = false;
  std::uint64_t last_call_ = 0;
  std::map<std::uint64_t, std::shared_ptr<mailbox>> open_;
  std::set<std::uint64_t> asks_;  // those that the child waits for
};

}  // namespace leaselab::pipe
