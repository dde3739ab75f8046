// A client on real time: a fresh token for each grant, renewals every ttl/3, and what its policies
// make of errors and denials. The strict one does no work step unless the process's own clock reads
// less than the local deadline.
#pragma once

#include <memory>
#include <string>

#include "cli/live/logged_calls.hpp"
#include "cli/live/shared_page.hpp"
#include "cli/live/worker_config.hpp"
#include "providers/environment_asio.hpp"
#include "sim/random.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::cli::live {

class lease_client {
 public:
  // All of them outlive it. It runs on one thread.
  lease_client(const worker_config& config, environment_asio& environment, page_clock& clock,
               shared_state& shared, logged_calls& calls, worker_log& log,
               asio::any_io_executor executor);

  // Asks for the key, works under it, gives it up, and again; until the run ends.
  awaitable<void> contend(int key);

 private:
  struct lease {
    int key = 0;
    std::string token;
    std::int64_t deadline = 0;  // the process's clock, ns
    bool believed = false;
    bool ended = false;  // whatever answer still comes revives nothing
  };

  awaitable<void> hold(int key, std::string token, std::int64_t asked);
  awaitable<void> renew(std::shared_ptr<lease> held);
  awaitable<void> give_up(std::shared_ptr<lease> held);
  awaitable<void> release(std::shared_ptr<lease> held);
  awaitable<void> real_pause(nanoseconds length);
  awaitable<void> pause();

  // Each reads the clock once, and what it does belongs to that instant.
  void believe(lease& held, std::int64_t asked);
  bool work_step(lease& held);
  std::int64_t deadline_from(std::int64_t asked) const;
  void end_after(lease& held, const result<bool>& renewed);
  void end_belief(lease& held, const char* why);

  std::int64_t reading() const { return clock_.reading(true_now()); }
  bool ending() const { return shared_.ending.load(std::memory_order_relaxed); }
  std::string fresh_token();
  void show(int key, bool holds);

  const worker_config& config_;
  const sim::client_policy policy_;
  environment_asio& environment_;
  page_clock& clock_;
  shared_state& shared_;
  logged_calls& calls_;
  worker_log& log_;
  asio::any_io_executor executor_;
  sim::random_source random_;
  const std::int64_t ttl_;  // ns
  std::uint64_t tokens_ = 0;
};

}  // namespace leaselab::cli::live
