#include "providers/redis/hiredis_link.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "providers/broken_pipe.hpp"
#include "providers/redis/wire.hpp"

namespace leaselab {

std::shared_ptr<hiredis_link> hiredis_link::make(asio::any_io_executor executor, redis_url where,
                                                 std::shared_ptr<const process_clock> clock,
                                                 link_options options) {
  ignore_broken_pipes();
  return std::shared_ptr<hiredis_link>(
      new hiredis_link(std::move(executor), std::move(where), std::move(clock), options));
}

hiredis_link::hiredis_link(asio::any_io_executor executor, redis_url where,
                           std::shared_ptr<const process_clock> clock, link_options options)
    : executor_(std::move(executor)),
      strand_(executor_),
      where_(std::move(where)),
      clock_(std::move(clock)),
      options_(options),
      poll_(options.busy_poll_limit),
      pace_(strand_),
      deadlines_(strand_),
      drained_(strand_) {}

// Nobody waits on the strand any more, or they would hold the link. Callers that are left are
// destroyed, as Asio does with a context's.
hiredis_link::~hiredis_link() {
  if (connection_ != nullptr) connection_->drop("closed");
  for (calls* list : {&queued_, &sent_, &ended_})
    list->clear_and_dispose(std::default_delete<link_call>());
}

awaitable<result<reply>> hiredis_link::send(command request, monotonic_time deadline) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void(result<reply>)>(
      [self = shared_from_this(), deadline](auto handler, command&& taken) {
        using call = link_call_of<std::decay_t<decltype(handler)>>;
        self->begin(std::make_unique<call>(std::move(handler), deadline), std::move(taken));
      },
      asio::use_awaitable, std::move(request));
}

void hiredis_link::begin(std::unique_ptr<link_call> call, command&& request) {
  if (strand_.running_in_this_thread()) return accept(*call.release(), std::move(request));
  asio::dispatch(strand_, [self = shared_from_this(), call = std::move(call),
                           request = std::move(request)]() mutable {
    self->accept(*call.release(), std::move(request));
  });
}

void hiredis_link::accept(link_call& call, command&& request) {
  load_.fetch_add(1, std::memory_order_relaxed);
  call.begun = working_off_ ? turn_began_ : clock_->now();
  if (closing_) return end(call, definite(errc::closed));
  if (!may_share_connection(request)) {
    return end(call, definite(errc::invalid_argument, "not on a shared connection"));
  }
  if (call.deadline <= call.begun) {
    return end(call, definite(errc::timed_out, "no time was left to send it"));
  }
  if (call.deadline < watched_) watch(call.deadline);
  if (state_ == state::up) return hand_over(call, std::move(request));
  enqueue(call, std::move(request));
  if (state_ == state::idle) connect_in_time();
}

void hiredis_link::enqueue(link_call& call, command&& request) {
  call.where = link_call::stage::queued;
  call.request.emplace(std::move(request));
  queued_.push_back(call);
}

// Written at the end of the turn, with what else comes up in it.
void hiredis_link::hand_over(link_call& call, command&& request) {
  scratch_.clear();
  append_wire(scratch_, request);
  call.held = connection_->hand_over(scratch_, &call);
  // Not taken: the connection is down, which on_down will say presently.
  if (!call.held) return enqueue(call, std::move(request));
  call.where = link_call::stage::sent;
  call.turn = turns_;
  sent_.push_back(call);
  if (!working_off_) work_off_soon();
}

// Told at the end of the turn: a caller must not be resumed from within its own send().
void hiredis_link::end(link_call& call, result<reply> answer) {
  call.answer = std::move(answer);
  call.where = link_call::stage::ended;
  ended_.push_back(call);
  if (!working_off_) work_off_soon();
}

void hiredis_link::work_off_soon() {
  if (std::exchange(will_work_off_, true)) return;
  asio::post(strand_, [self = shared_from_this()] {
    self->will_work_off_ = false;
    self->work_off();
  });
}

// Callers run in here as far as they can; what they send meanwhile goes out in one write.
void hiredis_link::work_off() {
  if (working_off_) return;
  struct turn {
    hiredis_link& link;
    ~turn() {
      link.working_off_ = false;
      if (!link.ended_.empty()) link.work_off_soon();  // a caller threw
    }
  };
  working_off_ = true;
  turn_began_ = clock_->now();
  {
    const turn guard{*this};
    while (!ended_.empty()) {
      link_call& call = ended_.front();
      ended_.pop_front();
      call.where = link_call::stage::told;
      load_.fetch_sub(1, std::memory_order_relaxed);
      // One that timed out stays until hiredis has dropped its reply.
      const std::unique_ptr<link_call> last(call.held ? nullptr : &call);
      call.tell(executor_);
    }
  }
  if (connection_ != nullptr) connection_->flush();
  if (closing_ && drained()) drained_.cancel();
  if (sent_.empty()) return;
  poll_.sent(busy_poll::clock::now());
  if (!polling_) poll();
}

// By way of the executor, so that whatever else is ready runs in between, the server too.
void hiredis_link::poll() {
  polling_ = !sent_.empty() && poll_.stay_awake(busy_poll::clock::now());
  if (!polling_) return;
  std::this_thread::yield();
  asio::post(strand_, [self = shared_from_this()] { self->poll(); });
}

void hiredis_link::on_turn() {
  if (!ended_.empty()) poll_.heard(busy_poll::clock::now());
  work_off();
}

void hiredis_link::on_reply(void* slot, reply* answer, std::string_view why) {
  auto& call = *static_cast<link_call*>(slot);
  call.held = false;
  if (answer != nullptr) ++turns_;
  if (call.where == link_call::stage::told) {
    delete &call;
    return;
  }
  if (call.where == link_call::stage::ended) return;
  sent_.erase(sent_.iterator_to(call));
  if (answer != nullptr) {
    call.answer = std::move(*answer);
  } else {
    call.answer = unknown(errc::connection_lost, std::string(why));
  }
  call.where = link_call::stage::ended;
  ended_.push_back(call);
}

void hiredis_link::fail_queue(const lease_error& error) {
  while (!queued_.empty()) {
    link_call& call = queued_.front();
    queued_.pop_front();
    end(call, error);
  }
}

// --- connecting ---

milliseconds hiredis_link::back_off() const {
  auto wait = options_.first_back_off;
  for (int i = 1; i < failures_ && wait < options_.longest_back_off; ++i) wait *= 2;
  return std::min(wait, options_.longest_back_off);
}

void hiredis_link::connect_in_time() {
  if (std::chrono::steady_clock::now() >= next_attempt_) return connect();
  state_ = state::backing_off;
  pace_.expires_at(next_attempt_);
  pace_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
    if (cancelled || self->state_ != state::backing_off) return;
    self->state_ = state::idle;
    if (!self->queued_.empty()) self->connect();
  });
}

void hiredis_link::connect() {
  state_ = state::connecting;
  attempts_.fetch_add(1, std::memory_order_relaxed);
  connection_ = std::make_shared<hiredis_connection>(strand_, *this);
  connection_->open(where_);
  pace_.expires_after(options_.connect_limit);
  pace_.async_wait([self = shared_from_this(),
                    attempt = connection_](const boost::system::error_code& cancelled) {
    if (cancelled || self->connection_ != attempt || self->state_ != state::connecting) return;
    attempt->drop({});
    self->on_down("no answer within " + std::to_string(self->options_.connect_limit.count()) +
                  " ms");
    self->work_off();
  });
}

void hiredis_link::on_up() {
  state_ = state::up;
  failures_ = 0;
  pace_.cancel();
  calls waiting;
  waiting.swap(queued_);
  while (!waiting.empty()) {
    link_call& call = waiting.front();
    waiting.pop_front();
    command request = std::move(*call.request);
    call.request.reset();
    hand_over(call, std::move(request));
  }
}

void hiredis_link::on_down(std::string why) {
  const bool was_up = state_ == state::up;
  state_ = state::idle;
  connection_.reset();
  pace_.cancel();
  if (was_up) {
    if (!queued_.empty()) connect_in_time();
    return;
  }
  ++failures_;
  next_attempt_ = std::chrono::steady_clock::now() + back_off();
  fail_queue(definite(errc::connection_refused,
                      "no connection to Redis at " + where_.name() + ": " + std::move(why)));
}

void hiredis_link::lose(std::string why) {
  connection_->drop(std::move(why));
  connection_.reset();
  state_ = state::idle;
  if (!queued_.empty()) connect_in_time();
}

// --- deadlines: one timer, at the nearest; a call that ends in time costs it nothing ---

void hiredis_link::watch(monotonic_time deadline) {
  watched_ = deadline;
  wait_for_deadline();
}

void hiredis_link::wait_for_deadline() {
  deadlines_.expires_after(clock_->real_wait(watched_));
  deadlines_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
    if (!cancelled) self->end_overdue();
  });
}

void hiredis_link::end_overdue() {
  const auto now = clock_->now();
  auto nearest = monotonic_time::max();
  bool silent = false;
  for (calls* list : {&sent_, &queued_}) {
    for (auto at = list->begin(); at != list->end();) {
      link_call& call = *at++;
      if (call.deadline > now) {
        nearest = std::min(nearest, call.deadline);
        continue;
      }
      list->erase(list->iterator_to(call));
      const bool sent = call.where == link_call::stage::sent;
      silent = silent || (sent && is_silent(call, now));
      end(call, sent ? unknown(errc::timed_out)
                     : definite(errc::timed_out,
                                "no connection to Redis at " + where_.name() + " in time"));
    }
  }
  watched_ = monotonic_time::max();
  if (silent) lose("nothing came back from the server: the connection was given up");
  if (nearest != monotonic_time::max()) watch(nearest);
  work_off();
}

// Measured from the first overdue call since the server was last heard of.
bool hiredis_link::is_silent(const link_call& overdue, monotonic_time now) {
  if (overdue.turn != turns_) return false;
  if (std::exchange(silent_turn_, turns_) != turns_) silent_from_ = overdue.begun;
  return now - silent_from_ >= options_.silence_limit;
}

// --- the end ---

awaitable<void> hiredis_link::close() {
  const auto drain = [](std::shared_ptr<hiredis_link> self) -> awaitable<void> {
    self->closing_ = true;
    self->drained_.expires_at(std::chrono::steady_clock::time_point::max());
    while (!self->drained()) {
      boost::system::error_code cancelled;
      co_await self->drained_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    self->shut();
  };
  co_await asio::co_spawn(strand_, drain(shared_from_this()), asio::use_awaitable);
}

void hiredis_link::abort() {
  asio::dispatch(strand_, [self = shared_from_this()] {
    self->closing_ = true;
    self->shut();
    self->fail_queue(definite(errc::closed));
    self->work_off_soon();
  });
}

void hiredis_link::shut() {
  if (connection_ != nullptr) connection_->drop("the link was closed");
  connection_.reset();
  state_ = state::idle;
  pace_.cancel();
  deadlines_.cancel();
  watched_ = monotonic_time::max();
}

}  // namespace leaselab
