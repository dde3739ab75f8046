#include "sim/environment_sim.hpp"

#include <boost/asio/async_result.hpp>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

// splitmix64's finalizer (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

monotonic_time environment_sim::now() const {
  return monotonic_time(nanoseconds(world_.reading(*world_.processes[process_])));
}

wall_time environment_sim::wall_now() const {
  return wall_time(nanoseconds(world_.processes[process_]->wall.read(world_.now)));
}

std::uint64_t environment_sim::random() {
  const std::uint64_t count = ++world_.draws;
  return scramble(scramble(world_.plan->seed + 0x9e3779b97f4a7c15u * count) + process_);
}

awaitable<void> environment_sim::sleep_until(monotonic_time due) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
      [this, due](auto handler) {
        world_.network.sleep(process_, due.time_since_epoch().count(), std::move(handler));
      },
      asio::use_awaitable);
}

awaitable<result<reply>> environment_sim::send(command request, monotonic_time deadline) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void(result<reply>)>(
      [this, deadline](auto handler, command taken) {
        world_.network.send(process_, std::move(taken), deadline.time_since_epoch().count(),
                            std::move(handler));
      },
      asio::use_awaitable, std::move(request));
}

awaitable<result<void>> environment_sim::step(monotonic_time deadline) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void(result<void>)>(
      [this, deadline](auto handler) {
        world_.network.step(process_, deadline.time_since_epoch().count(), std::move(handler));
      },
      asio::use_awaitable);
}

}  // namespace leaselab::sim
