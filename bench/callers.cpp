#include "bench/callers.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <utility>

namespace leaselab::bench {
namespace {

std::atomic<bool> stop_flag{false};
constexpr std::uint64_t mix_keys = 4;

// Notes a call's end; true where it answered at all.
template <class Answer, class Predicate>
steady::time_point note(batch& on, steady::time_point began, const result<Answer>& answer,
                        Predicate as_expected) {
  if (!answer) on.note_error(answer.error());
  return on.note(began, answer && as_expected(*answer));
}

bool granted(const acquire_answer& answer) { return answer.acquired; }
bool denied(const acquire_answer& answer) { return !answer.acquired; }
bool moved(const transfer_answer& answer) { return answer.moved; }
bool renewed(bool answer) { return answer; }
bool held(const std::optional<std::string>& owner) { return owner.has_value(); }

// Each makes at least one call, so that all are connected after the first batch.
awaitable<void> acquire_release(batch& on, caller me) {
  auto now = steady::now();
  do {
    const auto acquired = co_await me.provider->acquire_lease(me.key, me.owner, ttl);
    now = note(on, now, acquired, granted);
    const auto released = co_await me.provider->release_lease(me.key, me.owner);
    if (!released) on.note_error(released.error());
    now = on.note(now, released.has_value());
  } while (on.goes_on(now));
}

template <class Predicate>
awaitable<void> acquire(batch& on, caller me, Predicate as_expected) {
  auto now = steady::now();
  do {
    const auto answer = co_await me.provider->acquire_lease(me.key, me.owner, ttl);
    now = note(on, now, answer, as_expected);
  } while (on.goes_on(now));
}

awaitable<void> renew(batch& on, caller me) {
  auto now = steady::now();
  do {
    const auto answer = co_await me.provider->renew_lease(me.key, me.owner, ttl);
    now = note(on, now, answer, renewed);
  } while (on.goes_on(now));
}

// There and back again.
awaitable<void> transfer(batch& on, caller me) {
  std::string other = me.owner + "/next";
  auto now = steady::now();
  do {
    const auto answer = co_await me.provider->transfer_lease(me.key, me.owner, other, ttl);
    now = note(on, now, answer, moved);
    std::swap(me.owner, other);
  } while (on.goes_on(now));
}

awaitable<void> get(batch& on, caller me) {
  auto now = steady::now();
  do {
    const auto answer = co_await me.provider->get_lease_owner(me.key);
    now = note(on, now, answer, held);
  } while (on.goes_on(now));
}

std::uint64_t draw(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// As runtimes do: whoever gets a lease renews it once and gives it back, whoever is refused asks
// who has it. Any answer will do, as others are at work on the same keys.
awaitable<void> mix(batch& on, caller me) {
  auto now = steady::now();
  do {
    const std::string key = me.key + std::to_string(draw(me.chance) % mix_keys);
    const auto acquired = co_await me.provider->acquire_lease(key, me.owner, ttl);
    now = note(on, now, acquired, [](const acquire_answer&) { return true; });
    if (!acquired || !acquired->acquired) {
      const auto owner = co_await me.provider->get_lease_owner(key);
      now = note(on, now, owner, [](const auto&) { return true; });
      continue;
    }
    const auto again = co_await me.provider->renew_lease(key, me.owner, ttl);
    now = note(on, now, again, [](bool) { return true; });
    const auto released = co_await me.provider->release_lease(key, me.owner);
    if (!released) on.note_error(released.error());
    now = on.note(now, released.has_value());
  } while (on.goes_on(now));
}

}  // namespace

bool stopping() { return stop_flag.load(std::memory_order_relaxed); }

// The second signal of a kind ends the program at once.
void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_flag = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

std::string_view to_string(kind value) {
  constexpr std::array<std::string_view, 7> names = {
      "acquire-release", "reacquire", "refused", "renew", "transfer", "get", "mix"};
  return names.at(static_cast<std::size_t>(value));
}

void batch::note_error(const lease_error& error) {
  if (error_.empty()) error_ = std::string(to_string(error.code)) + ": " + error.text;
}

std::string batch::complaint() const {
  if (!error_.empty()) return error_;
  if (unexpected_ == 0) return {};
  return std::to_string(unexpected_) + " calls did not answer what they had to";
}

wanted lease_before(kind operation) {
  switch (operation) {
    case kind::reacquire:
    case kind::renew:
    case kind::transfer:
    case kind::get:
      return wanted::own;
    case kind::refused:
      return wanted::stranger;
    default:
      return wanted::none;
  }
}

caller make_caller(any_lease_provider& provider, kind operation, int number) {
  const std::string mine = std::to_string(number);
  caller made{&provider, "thread-", "process-1/1/1", 0x9e3779b97f4a7c15u * (number + 1u)};
  switch (operation) {
    case kind::acquire_release:
    case kind::transfer:
      made.key += mine;
      break;
    case kind::mix:
      made.owner += "/" + mine;
      break;
    default:
      made.key += "1";
  }
  return made;
}

std::vector<std::string> keys_of(kind operation, const caller& me) {
  if (operation != kind::mix) return {me.key};
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < mix_keys; ++i) keys.push_back(me.key + std::to_string(i));
  return keys;
}

awaitable<void> run_caller(kind operation, batch& on, caller me) {
  switch (operation) {
    case kind::acquire_release:
      return acquire_release(on, std::move(me));
    case kind::reacquire:
      return acquire(on, std::move(me), granted);
    case kind::refused:
      return acquire(on, std::move(me), denied);
    case kind::renew:
      return renew(on, std::move(me));
    case kind::transfer:
      return transfer(on, std::move(me));
    case kind::get:
      return get(on, std::move(me));
    case kind::mix:
      break;
  }
  return mix(on, std::move(me));
}

}  // namespace leaselab::bench
