// A child of one host's scope serves all processes of a world: they are tasks of that host, as
// those over one map in memory are. Each has a provider of this kind over the one of the child.
//
// Such a child answers each call in its turn and asks for nothing, so that nothing of a task that
// crashes is left in it but its records.
#pragma once

#include <memory>

#include "providers/lease_provider.hpp"
#include "providers/pipe/pipe_provider.hpp"

namespace leaselab::pipe {

// All that the child may use: the host's clock.
class host_environment final : public environment {
 public:
  host_environment(const granule_clock& clock, child& of) : clock_(clock), child_(of) {}

  monotonic_time now() const override { return monotonic_time(reading()); }
  wall_time wall_now() const override { return wall_time(reading()); }
  // These end the child with a line that says why.
  std::uint64_t random() override { refuse(); }
  awaitable<void> sleep_until(monotonic_time due) override;
  awaitable<result<reply>> send(command request, monotonic_time deadline) override;
  awaitable<result<void>> step(monotonic_time deadline) override;

 private:
  milliseconds reading() const { return milliseconds(clock_.now_granules()); }
  [[noreturn]] void refuse();

  const granule_clock& clock_;
  child& child_;
};

// The provider of all tasks in one world.
struct host_of_tasks {
  // `refused`: what it must not call.
  host_of_tasks(const granule_clock& clock, child& by, traffic& refused, provider_options options)
      : environment(clock, by),
        provider(environment, by, std::move(options), {&refused, pace::of_host, nullptr}) {}

  host_environment environment;
  pipe_provider provider;
};

// A call is one step of its task's environment, or none where it has to be refused; closing closes
// this task's alone.
class host_task final : public any_lease_provider {
 public:
  host_task(environment& environment, std::shared_ptr<host_of_tasks> host, provider_options options)
      : environment_(environment), host_(std::move(host)), options_(std::move(options)) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override;
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override;
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override;
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override;
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override;
  void close() override { closed_ = true; }

 private:
  awaitable<result<void>> turn(nanoseconds limit, bool lawful);

  environment& environment_;
  const std::shared_ptr<host_of_tasks> host_;
  const provider_options options_;
  bool closed_ = false;
};

}  // namespace leaselab::pipe
