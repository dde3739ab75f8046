// Faults of the backend itself: down, restarted, failed over, split in two, read from a replica,
// late to reap, evicted or overwritten from outside. Without one of them a request just executes.
//
// What looks back in time needs an engine that can save its store: the model.
#pragma once

#include <cstdint>
#include <vector>

#include "providers/command.hpp"
#include "sim/fault.hpp"
#include "sim/process.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

struct core;
struct trip;

class backend_faults {
 public:
  explicit backend_faults(core& world) : world_(world) {}
  void begin();

  bool down() const { return down_ > 0; }
  void strike(const fault_spec& fault);
  void heal(const fault_spec& fault);

  // Around one request of `process`: brings the side of a split that it is connected to.
  void enter_side(process_id process);
  void leave_side(process_id process);
  reply execute(const command& request);

 private:
  struct version {
    true_time since = 0;
    redis::store_snapshot state;
  };
  void go_down(const fault_spec& fault);
  void fail_over(std::uint32_t behind);
  reply read_from_replica(const command& request);
  void keep_version();
  bool on_other_side(process_id process) const { return split_ && process % 2 == 1; }
  void swap_sides();

  core& world_;
  redis::model_engine* model_ = nullptr;
  bool keeps_versions_ = false;  // some fault of the plan looks back
  int down_ = 0;
  bool split_ = false;
  true_duration lag_ = 0;
  true_duration reap_late_by_ = 0;
  redis::store_snapshot other_side_;
  std::vector<version> versions_;
};

}  // namespace leaselab::sim
