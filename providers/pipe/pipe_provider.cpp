#include "providers/pipe/pipe_provider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "providers/call_rules.hpp"

namespace leaselab::pipe {

namespace json = boost::json;

pipe_provider::pipe_provider(leaselab::environment& environment, child& by,
                             provider_options options, client_of_child own_client)
    : environment_(environment),
      child_(by),
      options_(std::move(options)),
      own_client_(own_client) {}

void pipe_provider::act_for(const errand& by) {
  if (own_client_.belong != nullptr) own_client_.belong->act_for(by.caller);
}

// What the child waits for is granted one by one, in the order of its asking.
awaitable<result<json::value>> pipe_provider::call(operation what, arguments with,
                                                   nanoseconds limit) {
  if (closed_) co_return definite(errc::closed);
  executor_ = co_await asio::this_coro::executor;
  const auto id = ++last_call_;
  const auto box = std::make_shared<mailbox>();
  const errand mine{id,
                    own_client_.belong != nullptr ? own_client_.belong->caller() : 0,
                    deadline_after(environment_.now(), limit),
                    with.key,
                    with.owner,
                    with.to};
  box->of = std::make_shared<errand>(mine);
  open_.emplace(id, box);
  if (own_client_.commands != nullptr) own_client_.commands->adopt(box->of);
  talk(call_line(id, what, with, limit, clock()), box->of);
  while (true) {
    co_await next(box);
    if (failure_) std::rethrow_exception(failure_);
    const act one = std::move(box->acts.front());
    box->acts.pop_front();
    const bool ended =
        std::holds_alternative<answered>(one.what) || std::holds_alternative<lease_error>(one.what);
    if (ended) {
      open_.erase(id);
      if (const auto* error = std::get_if<lease_error>(&one.what)) co_return *error;
      co_return std::get<answered>(one.what).value;
    }
    const auto granted = co_await grant(one, *box->of);
    asks_.erase(one.ask);
    talk(resume_line(one.ask, granted, clock()), box->of);
  }
}

awaitable<result<json::value>> pipe_provider::grant(const act& asked, const errand& by) {
  act_for(by);
  if (const auto* sleep = std::get_if<asked_sleep>(&asked.what)) {
    co_await environment_.sleep_until(deadline_after(environment_.now(), sleep->length));
    co_return json::value();
  }
  // What every language's numbers hold.
  if (std::holds_alternative<asked_random>(asked.what)) {
    co_return json::value(environment_.random() >> 11);
  }
  auto answer = co_await environment_.send(std::get<command>(asked.what), by.deadline);
  if (!answer) co_return answer.error();
  co_return to_json(*answer);
}

awaitable<void> pipe_provider::next(std::shared_ptr<mailbox> of) {
  if (!of->acts.empty()) co_return;
  // Named: g++ 12 destroys what a temporary in a co_await has captured twice.
  auto wait = [of](auto handler) {
    auto kept = std::make_shared<decltype(handler)>(std::move(handler));
    of->wake = [kept] {
      const auto executor = asio::get_associated_executor(*kept);
      asio::post(executor, std::move(*kept));
    };
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(std::move(wait),
                                                                        asio::use_awaitable);
}

// The commands of one connection, one after the other.
awaitable<void> pipe_provider::carry(std::shared_ptr<channel> on) {
  while (!on->queue.empty() && on->queue.front().by) {
    const auto by = on->queue.front().by;
    command sent = std::move(on->queue.front().request);
    const bool late = by->deadline <= environment_.now();
    const auto deadline =
        late ? deadline_after(environment_.now(), options_.call_limit) : by->deadline;
    act_for(*by);
    if (own_client_.belong != nullptr) own_client_.belong->over(on->on->hung_up);
    const auto answer = co_await environment_.send(std::move(sent), deadline);
    if (answer) {
      own_client_.commands->answer(*on, *answer);
    } else {
      own_client_.commands->lose(*on);
    }
    talk(go_on_line(clock()), by);
  }
  on->carried = false;
}

awaitable<void> pipe_provider::wait_for_timer(monotonic_time due, std::uint64_t serial,
                                              std::shared_ptr<const errand> by) {
  act_for(*by);
  co_await environment_.sleep_until(due);
  if (serial != waits_) co_return;  // another one came before it
  armed_.reset();
  if (!timer_ || open_.empty()) co_return;
  if (!open_.contains(by->call)) by = open_.begin()->second->of;
  if (*timer_ <= environment_.now()) {
    talk(tick_line(clock()), by);
  } else {
    send_off(by);
  }
}

void pipe_provider::talk(std::string line, const std::shared_ptr<const errand>& by) {
  if (failure_) std::rethrow_exception(failure_);
  const auto until = std::chrono::steady_clock::now() + child_.patience();
  const bool in_step = own_client_.follows == pace::in_step;
  std::vector<socket_news> news;
  if (in_step) news = own_client_.commands->news();
  for (bool more = true; more; line = go_on_line(clock())) {
    turn said = hear(with_news(std::move(line), news));
    for (auto& one : said.acts) deliver(std::move(one));
    try {
      more = own_client_.follows == pace::loose ? follow_loosely(by, until) : follow(said, by);
    } catch (const host_failed&) {
      throw;
    } catch (const std::runtime_error& error) {
      child_.fail(error.what());
    }
    if (in_step) news = own_client_.commands->news();
  }
  send_off(by);
  expect_more();
}

// Takes up what the turn says of its client. True: that was answered at once, and the turn goes on.
bool pipe_provider::follow(turn& said, const std::shared_ptr<const errand>& by) {
  if (own_client_.follows == pace::none || own_client_.follows == pace::of_host) {
    refuse_callers(said);
    return false;
  }
  timer_ = said.timer;
  const auto until = std::chrono::steady_clock::now() + child_.patience();
  return own_client_.commands->take(said.sockets, until, by, open_errands());
}

// True: nothing has come yet, though something has to; it is asked again.
bool pipe_provider::follow_loosely(const std::shared_ptr<const errand>& by, front::deadline until) {
  constexpr std::chrono::milliseconds grace{2};
  const auto now = std::chrono::steady_clock::now();
  own_client_.commands->take_any(now + grace, by, open_errands());
  return !open_.empty() && all_wait() && asks_.empty() && !own_client_.commands->busy() &&
         now < until;
}

void pipe_provider::refuse_callers(const turn& said) {
  if (own_client_.commands == nullptr) return;
  const bool called = own_client_.commands->at().called(std::chrono::steady_clock::time_point{});
  if (!called && said.sockets.empty()) return;
  if (own_client_.follows == pace::of_host)
    child_.fail(
        "it talks to REDIS_URL, and of scope host: such a child answers from its own memory; a "
        "lease in Redis is of scope cluster");
  child_.fail(
      "it talks to REDIS_URL with clocks of its own, so that its runs would not repeat; load the "
      "preload of protocol.md in it, or say --best-effort");
}

turn pipe_provider::hear(const std::string& line) {
  const std::string answer = child_.exchange(line);
  try {
    return parse_turn(answer);
  } catch (const std::runtime_error& error) {
    child_.fail(error.what());
  }
}

// Starts what the child's turn has begun and no call waits for.
void pipe_provider::send_off(const std::shared_ptr<const errand>& by) {
  if (own_client_.commands == nullptr) return;
  for (auto& each : own_client_.commands->to_carry()) start(carry(std::move(each)));
  if (open_.empty() || !timer_ || (armed_ && *armed_ <= *timer_)) return;
  armed_ = timer_;
  start(wait_for_timer(*timer_, ++waits_, by));
}

void pipe_provider::start(awaitable<void> task) {
  asio::co_spawn(executor_, std::move(task), [this](const std::exception_ptr& thrown) {
    if (!thrown || failure_) return;
    failure_ = thrown;
    fail_all();
  });
}

// Whoever waits hears of it; if nobody does, the next one to call.
void pipe_provider::fail_all() {
  for (const auto& [id, box] : open_)
    if (auto wake = std::exchange(box->wake, {})) wake();
}

traffic::errands pipe_provider::open_errands() const {
  traffic::errands out;
  for (const auto& [id, box] : open_) out.push_back(box->of);
  return out;
}

bool pipe_provider::all_wait() const {
  return std::ranges::all_of(open_, [](const auto& each) { return each.second->acts.empty(); });
}

void pipe_provider::expect_more() const {
  if (open_.empty() || !all_wait() || !asks_.empty()) return;
  if (own_client_.commands != nullptr && (own_client_.commands->busy() || timer_)) return;
  child_.fail(fmt::format("call {} is open, and it neither answers nor asks for anything",
                          open_.begin()->first));
}

void pipe_provider::deliver(act one) {
  const auto found = open_.find(one.call);
  if (found == open_.end()) {
    const bool was = one.call > 0 && one.call <= last_call_;
    child_.fail(was ? fmt::format("it answered call {} before", one.call)
                    : fmt::format("there was no call {}", one.call));
  }
  mailbox& box = *found->second;
  const auto is_answer = [](const act& each) { return each.ask == 0; };
  if (std::ranges::any_of(box.acts, is_answer)) {
    child_.fail(fmt::format("it answered call {} before", one.call));
  }
  if (one.ask != 0 && !asks_.insert(one.ask).second) {
    child_.fail(fmt::format("it asks under {} twice", one.ask));
  }
  box.acts.push_back(std::move(one));
  if (auto wake = std::exchange(box.wake, {})) wake();
}

template <class Parse>
auto pipe_provider::parsed(const json::value& from, Parse parse) {
  try {
    return parse(from);
  } catch (const host_failed&) {
    throw;
  } catch (const std::runtime_error& error) {
    child_.fail(error.what());
  }
}

// The arguments are named: g++ 12 destroys those of a braced temporary in a co_await twice.

awaitable<result<acquire_answer>> pipe_provider::acquire_lease(std::string key, std::string owner,
                                                               milliseconds ttl,
                                                               call_options options) {
  arguments with{std::move(key), std::move(owner), {}, ttl};
  const auto answer =
      co_await call(operation::acquire, std::move(with), limit_of(options, options_));
  if (!answer) co_return answer.error();
  co_return parsed(*answer, parse_acquire);
}

awaitable<result<std::optional<std::string>>> pipe_provider::get_lease_owner(std::string key,
                                                                             call_options options) {
  arguments with{std::move(key), {}, {}, {}};
  const auto answer = co_await call(operation::get, std::move(with), limit_of(options, options_));
  if (!answer) co_return answer.error();
  co_return parsed(*answer, parse_owner);
}

awaitable<result<void>> pipe_provider::release_lease(std::string key, std::string owner,
                                                     call_options options) {
  arguments with{std::move(key), std::move(owner), {}, {}};
  const auto answer =
      co_await call(operation::release, std::move(with), limit_of(options, options_));
  if (!answer) co_return answer.error();
  co_return result<void>();
}

awaitable<result<bool>> pipe_provider::renew_lease(std::string key, std::string owner,
                                                   milliseconds ttl, call_options options) {
  const auto limit = renewal_limit_of(options, options_, ttl);
  arguments with{std::move(key), std::move(owner), {}, ttl};
  const auto answer = co_await call(operation::renew, std::move(with), limit);
  if (!answer) co_return answer.error();
  co_return parsed(*answer, parse_yes);
}

awaitable<result<transfer_answer>> pipe_provider::transfer_lease(std::string key, std::string from,
                                                                 std::string to, milliseconds ttl,
                                                                 call_options options) {
  arguments with{std::move(key), std::move(from), std::move(to), ttl};
  const auto answer =
      co_await call(operation::transfer, std::move(with), limit_of(options, options_));
  if (!answer) co_return answer.error();
  co_return parsed(*answer, parse_transfer);
}

void pipe_provider::close() {
  if (std::exchange(closed_, true)) return;
  const auto by = open_.empty() ? nullptr : open_.begin()->second->of;
  talk(close_line(), by);
}

}  // namespace leaselab::pipe
