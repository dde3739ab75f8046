// The seam on real time and a real Redis: the twin of sim/environment_sim.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "providers/environment.hpp"
#include "providers/process_clock.hpp"

namespace leaselab {

class hiredis_link;

struct environment_asio_options {
  // redis://[[user]:password@]host[:port][/db] or unix://[[user]:password@]path[?db=N]. Empty:
  // there is no backend, and every trip ends fail, connection_refused.
  std::string redis;
  int connections = 1;     // at least 1; a trip takes the one with the fewest trips under way
  std::uint64_t seed = 0;  // of random()
  std::shared_ptr<const process_clock> clock = machine_clock();
  // Real time. One attempt to connect and log in.
  milliseconds connect_limit{2000};
  // When a trip runs out of time and its connection has been silent at least this long, the
  // connection is given up. See providers/redis/hiredis_link.hpp for what happens to trips.
  milliseconds silence_limit{2000};
  // Real time. How long to stay awake for a reply where the last one was as prompt: to a server on
  // the same machine nearly halves a call's latency, for a third more processor time. 0: never.
  std::chrono::microseconds busy_poll_limit{100};
};

// Connects when the first trip needs it. May be used by several threads at once. Its executor's
// context must outlive it; the context's run() returns only after close() or the destructor.
class environment_asio final : public environment {
 public:
  // Throws std::invalid_argument, one line, when the address cannot be one or connections < 1.
  environment_asio(asio::any_io_executor executor, environment_asio_options options);
  // Ends what is still under way: fail closed where nothing was sent, otherwise info.
  ~environment_asio() override;
  environment_asio(const environment_asio&) = delete;
  environment_asio& operator=(const environment_asio&) = delete;

  // New trips end fail, closed, the second one of a call that met NOSCRIPT too. Ends when the
  // earlier ones have, by their reply or their deadline.
  awaitable<void> close();

  monotonic_time now() const override { return clock_->now(); }
  wall_time wall_now() const override { return clock_->wall_now(); }
  std::uint64_t random() override;
  awaitable<void> sleep_until(monotonic_time due) override;
  awaitable<result<reply>> send(command request, monotonic_time deadline) override;
  awaitable<result<void>> step(monotonic_time deadline) override;

  // Attempts to connect since the start. For tests and reports.
  int connection_attempts() const;

 private:
  hiredis_link& least_loaded();

  const asio::any_io_executor executor_;
  const std::shared_ptr<const process_clock> clock_;
  const std::uint64_t seed_;
  std::atomic<std::uint64_t> draws_ = 0;
  std::atomic<std::size_t> next_link_ = 0;
  std::vector<std::shared_ptr<hiredis_link>> links_;
};

}  // namespace leaselab
