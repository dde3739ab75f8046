#include "cli/live/lease_client.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace leaselab::cli::live {
namespace {

std::uint64_t seed_of(const worker_config& config) {
  const auto index = static_cast<std::uint64_t>(config.worker) << 32 |
                     static_cast<std::uint64_t>(config.incarnation);
  return sim::split(config.seed, sim::purpose::calls, index);
}

// A worker that cannot write its log must end, visibly.
void rethrow(std::exception_ptr thrown) {
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

lease_client::lease_client(const worker_config& config, environment_asio& environment,
                           page_clock& clock, shared_state& shared, logged_calls& calls,
                           worker_log& log, asio::any_io_executor executor)
    : config_(config),
      policy_(sim::parse_client(config.client)),
      environment_(environment),
      clock_(clock),
      shared_(shared),
      calls_(calls),
      log_(log),
      executor_(std::move(executor)),
      random_(seed_of(config)),
      ttl_(config.ttl_ms * 1'000'000) {}

std::string lease_client::fresh_token() { return config_.name() + "#" + std::to_string(++tokens_); }

void lease_client::show(int key, bool holds) {
  auto& holding = shared_.workers[static_cast<std::size_t>(config_.worker)].holding;
  const auto bit = std::uint64_t{1} << key;
  holds ? holding.fetch_or(bit) : holding.fetch_and(~bit);
}

awaitable<void> lease_client::real_pause(nanoseconds length) {
  asio::steady_timer timer(executor_, length);
  co_await timer.async_wait(asio::use_awaitable);
}

awaitable<void> lease_client::pause() {
  const nanoseconds length(random_.uniform(ttl_ / 20, ttl_ / 5));
  co_await environment_.sleep_until(environment_.now() + length);
}

awaitable<void> lease_client::contend(int key) {
  std::string token = fresh_token();
  while (!ending()) {
    const auto asked = reading();
    const auto got = co_await calls_.acquire(key, token);
    const bool open = !got && policy_.acquire_error == sim::acquire_error_policy::fail_open;
    if (open || (got && got->acquired)) co_await hold(key, token, asked);
    // Without an answer the same token is tried again: nothing was released under it.
    if (open || got) token = fresh_token();
    if (got && random_.chance(sim::one_in(8))) co_await calls_.get(key);
    co_await pause();
  }
}

awaitable<void> lease_client::hold(int key, std::string token, std::int64_t asked) {
  const auto held = std::make_shared<lease>();
  held->key = key;
  held->token = std::move(token);
  believe(*held, asked);
  if (!held->believed) co_return;
  show(key, true);
  asio::co_spawn(executor_, renew(held), rethrow);
  const auto until = reading() + random_.log_uniform(ttl_ / 10, 4 * ttl_);
  // Paced by real time: a process whose clock stands still works on.
  while (!ending() && reading() < until && work_step(*held)) {
    co_await real_pause(nanoseconds(random_.uniform(2'000'000, 8'000'000)));
  }
  co_await give_up(held);
  show(key, false);
}

awaitable<void> lease_client::renew(std::shared_ptr<lease> held) {
  auto due = environment_.now() + nanoseconds(ttl_ / 3);
  while (true) {
    co_await environment_.sleep_until(due);
    if (held->ended) co_return;
    const auto asked = reading();
    const auto got = co_await calls_.renew(held->key, held->token);
    if (held->ended) co_return;
    if (got && *got) believe(*held, asked);
    end_after(*held, got);
    // Until the deadline an error is tried again soon.
    const bool hurry = !got && policy_.renew_error == sim::renew_error_policy::until_deadline;
    due = hurry ? environment_.now() + milliseconds(5)
                : monotonic_time(nanoseconds(asked)) + nanoseconds(ttl_ / 3);
  }
}

void lease_client::end_after(lease& held, const result<bool>& renewed) {
  if (held.ended) return;
  if (!renewed && policy_.renew_error == sim::renew_error_policy::stop) end_belief(held, "error");
  if (!renewed || *renewed) return;
  if (policy_.renew_false == sim::renew_false_policy::stop) end_belief(held, "denied");
}

std::int64_t lease_client::deadline_from(std::int64_t asked) const {
  // Longer than any run.
  constexpr std::int64_t a_day = 86'400 * std::int64_t{1'000'000'000};
  if (policy_.local_deadline == sim::local_deadline_policy::none) return asked + a_day;
  return asked + ttl_ - ttl_ / 1'000'000 * config_.margin_ppm - 1'000'000;
}

void lease_client::believe(lease& held, std::int64_t asked) {
  if (held.ended) return;
  const auto at = true_now();
  const auto now = clock_.reading(at);
  const auto deadline = deadline_from(asked);
  if (held.believed && now >= held.deadline) held.ended = true;  // it came too late
  if (!held.believed && now >= deadline) held.ended = true;
  if (held.ended || now >= deadline) return;
  held.believed = true;
  held.deadline = deadline;
  log_.believes(held.key, held.token, at, deadline);
}

bool lease_client::work_step(lease& held) {
  const auto at = true_now();
  if (held.ended || clock_.reading(at) >= held.deadline) return false;
  log_.work(held.key, held.token, at);
  return true;
}

void lease_client::end_belief(lease& held, const char* why) {
  held.ended = true;
  log_.believes_no_more(held.key, held.token, true_now(), why);
}

// A lapsed lease is left to end by itself.
awaitable<void> lease_client::give_up(std::shared_ptr<lease> held) {
  const bool lapsed = held->ended || reading() >= held->deadline;
  const bool stop_first = policy_.stop_before_release == sim::stop_first_policy::yes;
  if (!held->ended && (lapsed || stop_first)) end_belief(*held, lapsed ? "lapsed" : "release");
  if (lapsed) co_return;
  if (policy_.release == sim::release_policy::fire_and_forget) {
    asio::co_spawn(executor_, release(held), rethrow);
  } else {
    co_await release(held);
  }
  if (stop_first) co_return;
  work_step(*held);
  if (!held->ended) end_belief(*held, "release");
}

awaitable<void> lease_client::release(std::shared_ptr<lease> held) {
  // Without a deadline, as long as the lease may last.
  const auto until = std::min(held->deadline, reading() + ttl_);
  for (auto left = until - reading(); left > 0; left = until - reading()) {
    if (co_await calls_.release(held->key, held->token, nanoseconds(left))) co_return;
    if (policy_.release != sim::release_policy::repeat) co_return;
    co_await real_pause(milliseconds(5));
  }
}

}  // namespace leaselab::cli::live
