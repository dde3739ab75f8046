// The seam's twin in a world: clocks that may be wrong, sleeps and trips that the scheduler ends.
#pragma once

#include "providers/environment.hpp"
#include "sim/history.hpp"

namespace leaselab::sim {

struct core;

class environment_sim final : public environment {
 public:
  environment_sim(core& world, process_id process) : world_(world), process_(process) {}

  monotonic_time now() const override;
  wall_time wall_now() const override;
  std::uint64_t random() override;
  awaitable<void> sleep_until(monotonic_time due) override;
  awaitable<result<reply>> send(command request, monotonic_time deadline) override;
  awaitable<result<void>> step(monotonic_time deadline) override;

 private:
  core& world_;
  process_id process_;
};

}  // namespace leaselab::sim
