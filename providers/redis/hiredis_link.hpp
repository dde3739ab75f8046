// The live link: carries commands to one Redis server over one connection, which all callers share
// by pipelining.
//
// How a command ends:
// - reply: what the server answered; errors (LOADING, READONLY, OOM, ...) are replies.
// - fail: it was still in our own queue, so nothing was sent. connection_refused: no connection
//   could be made, the text says why (wrong password, nothing on the port, server full, ...).
//   timed_out: its deadline passed before there was one. closed: the link was.
//   invalid_argument: a command that cannot share a connection.
// - info: it was handed to hiredis, and then the connection was lost (connection_lost) or its
//   deadline passed (timed_out). It may have landed, or may still. Nothing is sent twice.
//
// A command that timed out keeps its place on the connection until its reply comes, which then is
// dropped. That keeps what the contract means by "its connection is abandoned", that no late reply
// is taken for another's, and promises more: a later command on the same link lands after it, as
// long as the connection lives. A silent connection is given up (link_options::silence_limit); on
// the next one commands may overtake what the old one still has on its way.
//
// Connecting: when the first command wants it; commands meanwhile wait for the same attempt. When
// an attempt fails, all that waited for it fail; the next command starts another, no sooner than
// a back-off after the failure.
//
// Several threads may run the executor: the link lives on a strand and may be used from anywhere.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "providers/environment.hpp"
#include "providers/process_clock.hpp"
#include "providers/redis/busy_poll.hpp"
#include "providers/redis/hiredis_connection.hpp"
#include "providers/redis/link_call.hpp"

namespace leaselab {

struct link_options {
  // Real time. One attempt to connect and log in.
  milliseconds connect_limit{2000};
  // Real time between a failed attempt and the next: doubles from first to longest.
  milliseconds first_back_off{20};
  milliseconds longest_back_off{1000};
  // Process time. When a command runs out of time and nothing at all has come back for at least
  // this long, the connection is taken for dead. Not sooner: a busy server is no dead one.
  milliseconds silence_limit{2000};
  // Real time. How long to stay awake for a reply before sleeping, where the last one was prompt.
  std::chrono::microseconds busy_poll_limit{100};
};

class hiredis_link final : public connection_owner,
                           public std::enable_shared_from_this<hiredis_link> {
 public:
  // The executor's context outlives the link. It must end by close() or abort(), or keeps its
  // connection and the context's run(). Calls ignore_broken_pipes().
  static std::shared_ptr<hiredis_link> make(asio::any_io_executor executor, redis_url where,
                                            std::shared_ptr<const process_clock> clock,
                                            link_options options = {});
  ~hiredis_link();

  // Cannot be cancelled: it ends by its deadline.
  awaitable<result<reply>> send(command request, monotonic_time deadline);

  // From now on commands end fail, closed. Ends when all earlier ones have ended, by their reply
  // or their deadline, and the connection is closed.
  awaitable<void> close();

  // The same without waiting: commands that were sent end info, connection_lost, the others fail,
  // closed.
  void abort();

  // Commands that have not ended. From any thread, a hint.
  int load() const { return load_.load(std::memory_order_relaxed); }
  // Connections that were made, logins that failed included. From any thread.
  int attempts() const { return attempts_.load(std::memory_order_relaxed); }

 private:
  enum class state { idle, backing_off, connecting, up };
  using calls = boost::intrusive::list<link_call, boost::intrusive::constant_time_size<false>>;
  using timer =
      asio::basic_waitable_timer<std::chrono::steady_clock,
                                 asio::wait_traits<std::chrono::steady_clock>, link_strand>;

  hiredis_link(asio::any_io_executor executor, redis_url where,
               std::shared_ptr<const process_clock> clock, link_options options);

  void begin(std::unique_ptr<link_call> call, command&& request);
  void accept(link_call& call, command&& request);
  void hand_over(link_call& call, command&& request);
  void enqueue(link_call& call, command&& request);
  void end(link_call& call, result<reply> answer);
  void work_off();
  void work_off_soon();
  void poll();
  void fail_queue(const lease_error& error);

  void connect_in_time();
  void connect();
  void lose(std::string why);
  milliseconds back_off() const;

  void watch(monotonic_time deadline);
  void wait_for_deadline();
  void end_overdue();
  bool is_silent(const link_call& overdue, monotonic_time now);

  bool drained() const { return queued_.empty() && sent_.empty() && ended_.empty(); }
  void shut();

  void on_up() override;
  void on_down(std::string why) override;
  void on_reply(void* slot, reply* answer, std::string_view why) override;
  void on_turn() override;
  std::shared_ptr<connection_owner> keep_alive() override { return shared_from_this(); }

  const asio::any_io_executor executor_;
  const link_strand strand_;
  const redis_url where_;
  const std::shared_ptr<const process_clock> clock_;
  const link_options options_;

  // A call that has not ended is in exactly one of these.
  calls queued_;  // for a connection
  calls sent_;    // handed to hiredis
  calls ended_;   // to be told so at the end of the turn

  state state_ = state::idle;
  bool closing_ = false;
  bool working_off_ = false;  // what callers do now is part of this turn
  bool will_work_off_ = false;
  monotonic_time turn_began_;  // read once for all that is sent in a turn: a reading costs as much
                               // as the rest of what a link does for a command
  std::shared_ptr<hiredis_connection> connection_;
  std::string scratch_;  // the command being formatted
  busy_poll poll_;
  bool polling_ = false;  // a poll is posted

  timer pace_;       // the back-off or the attempt's limit
  timer deadlines_;  // the nearest deadline, or an earlier instant
  timer drained_;    // an event: cancelled when the last call has ended
  monotonic_time watched_ = monotonic_time::max();
  int failures_ = 0;  // attempts in a row
  std::chrono::steady_clock::time_point next_attempt_{};

  std::uint64_t turns_ = 0;  // counts what came from the server
  std::uint64_t silent_turn_ = ~std::uint64_t{0};
  monotonic_time silent_from_;

  std::atomic<int> load_ = 0;
  std::atomic<int> attempts_ = 0;
};

}  // namespace leaselab
