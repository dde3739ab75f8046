#include "providers/pipe/pipe_provider.hpp"

#include <fmt/format.h>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "providers/call_rules.hpp"

namespace leaselab::pipe {

namespace json = boost::json;

pipe_provider::pipe_provider(leaselab::environment& environment, child& by,
                             provider_options options)
    : environment_(environment), child_(by), options_(std::move(options)) {}

// What the child waits for is granted one by one, in the order of its asking.
awaitable<result<json::value>> pipe_provider::call(operation what, arguments with,
                                                   nanoseconds limit) {
  if (closed_) co_return definite(errc::closed);
  const auto deadline = deadline_after(environment_.now(), limit);
  const auto id = ++last_call_;
  const auto box = std::make_shared<mailbox>();
  open_.emplace(id, box);
  talk(call_line(id, what, with, limit, clock()));
  while (true) {
    co_await next(box);
    const act one = std::move(box->acts.front());
    box->acts.pop_front();
    const bool ended =
        std::holds_alternative<answered>(one.what) || std::holds_alternative<lease_error>(one.what);
    if (ended) {
      open_.erase(id);
      if (const auto* error = std::get_if<lease_error>(&one.what)) co_return *error;
      co_return std::get<answered>(one.what).value;
    }
    const auto granted = co_await grant(one, deadline);
    asks_.erase(one.ask);
    talk(resume_line(one.ask, granted, clock()));
  }
}

awaitable<result<json::value>> pipe_provider::grant(const act& asked, monotonic_time deadline) {
  if (const auto* sleep = std::get_if<asked_sleep>(&asked.what)) {
    co_await environment_.sleep_until(deadline_after(environment_.now(), sleep->length));
    co_return json::value();
  }
  // What every language's numbers hold.
  if (std::holds_alternative<asked_random>(asked.what)) {
    co_return json::value(environment_.random() >> 11);
  }
  auto answer = co_await environment_.send(std::get<command>(asked.what), deadline);
  if (!answer) co_return answer.error();
  co_return to_json(*answer);
}

awaitable<void> pipe_provider::next(std::shared_ptr<mailbox> of) {
  if (!of->acts.empty()) co_return;
  co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
      [of](auto handler) {
        auto kept = std::make_shared<decltype(handler)>(std::move(handler));
        of->wake = [kept] {
          const auto executor = asio::get_associated_executor(*kept);
          asio::post(executor, std::move(*kept));
        };
      },
      asio::use_awaitable);
}

void pipe_provider::talk(const std::string& line) {
  const std::string answer = child_.exchange(line);
  try {
    for (auto& one : parse_acts(answer)) deliver(std::move(one));
  } catch (const host_failed&) {
    throw;
  } catch (const std::runtime_error& error) {
    child_.fail(error.what());
  }
  const bool waits =
      std::ranges::all_of(open_, [](const auto& each) { return each.second->acts.empty(); });
  if (!open_.empty() && waits && asks_.empty()) {
    child_.fail(fmt::format("call {} is open, and it neither answers nor asks for anything",
                            open_.begin()->first));
  }
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
  if (!std::exchange(closed_, true)) talk(close_line());
}

}  // namespace leaselab::pipe
