// Commands that wait at the backend until another one leaves something for them (BLPOP and the
// like): in the order in which they came, and for no longer than they asked to, by its clock.
//
// After each command that is executed they are tried again, one after the other, by the engine.
// What one of them then gets is a step of its call like any other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "providers/command.hpp"
#include "sim/agenda.hpp"

namespace leaselab::sim {

struct core;

class waiters {
 public:
  explicit waiters(core& world) : world_(world) {}
  void begin() { all_.clear(); }

  // The request of this trip has been executed. True: it waits from now on.
  bool take(std::uint32_t trip);
  // Something may have come for those that wait.
  void look_again();
  void run_out(const pending& event);  // unblock
  // Its client waits no longer: nothing is taken for the dead.
  void forget(std::uint32_t trip);
  // The backend closes all connections.
  void lose_all();
  // Its clock runs otherwise from now on.
  void clock_changed();

 private:
  void post_end(std::uint32_t trip, std::int64_t granule);
  void aim(pending& end) const;
  void refuse(const command& request);
  bool serve_all();
  bool serve(std::uint32_t trip, const std::string& key);
  void answer(std::uint32_t trip);

  core& world_;
  std::vector<std::uint32_t> all_;  // by trip
};

}  // namespace leaselab::sim
