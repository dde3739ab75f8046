#include "providers/environment_asio.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <stdexcept>
#include <utility>

#include "providers/redis/hiredis_link.hpp"

namespace leaselab {
namespace {

// splitmix64's finalizer (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

redis_url address_of(const environment_asio_options& options) {
  auto parsed = parse_redis_url(options.redis);
  if (!parsed) throw std::invalid_argument(parsed.error().text);
  return std::move(*parsed);
}

awaitable<result<reply>> no_backend() {
  co_return definite(errc::connection_refused, "no Redis address was given");
}

}  // namespace

environment_asio::environment_asio(asio::any_io_executor executor, environment_asio_options options)
    : executor_(std::move(executor)), clock_(options.clock), seed_(scramble(options.seed)) {
  if (options.connections < 1) throw std::invalid_argument("connections must be at least 1");
  if (options.redis.empty()) return;
  const redis_url where = address_of(options);
  link_options link;
  link.connect_limit = options.connect_limit;
  link.silence_limit = options.silence_limit;
  link.busy_poll_limit = options.busy_poll_limit;
  for (int i = 0; i < options.connections; ++i) {
    links_.push_back(hiredis_link::make(executor_, where, clock_, link));
  }
}

environment_asio::~environment_asio() {
  for (const auto& link : links_) link->abort();
}

awaitable<void> environment_asio::close() {
  const auto links = links_;
  for (const auto& link : links) co_await link->close();
}

std::uint64_t environment_asio::random() {
  const auto count = draws_.fetch_add(1, std::memory_order_relaxed) + 1;
  return scramble(seed_ + 0x9e3779b97f4a7c15u * count);
}

awaitable<void> environment_asio::sleep_until(monotonic_time due) {
  asio::steady_timer timer(executor_);
  // The clock may change its rate meanwhile, or stand: it says how long to trust it.
  while (clock_->now() < due) {
    timer.expires_after(clock_->real_wait(due));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

hiredis_link& environment_asio::least_loaded() {
  if (links_.size() == 1) return *links_.front();
  // Starting elsewhere each time, so that equals take turns.
  const auto first = next_link_.fetch_add(1, std::memory_order_relaxed);
  hiredis_link* best = nullptr;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    hiredis_link& link = *links_[(first + i) % links_.size()];
    if (best == nullptr || link.load() < best->load()) best = &link;
    if (best->load() == 0) break;
  }
  return *best;
}

awaitable<result<reply>> environment_asio::send(command request, monotonic_time deadline) {
  if (links_.empty()) return no_backend();
  return least_loaded().send(std::move(request), deadline);
}

awaitable<result<void>> environment_asio::step(monotonic_time deadline) {
  co_await asio::post(asio::use_awaitable);
  result<void> ended;
  if (clock_->now() >= deadline) ended = definite(errc::timed_out);
  co_return ended;
}

int environment_asio::connection_attempts() const {
  int attempts = 0;
  for (const auto& link : links_) attempts += link->attempts();
  return attempts;
}

}  // namespace leaselab
