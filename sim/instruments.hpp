// Looks into the backend's stores around every step and records what changed.
#pragma once

#include <vector>

#include "sim/history.hpp"
#include "sim/time.hpp"

namespace leaselab::sim {

struct core;

class instruments {
 public:
  explicit instruments(core& world) : world_(world) {}
  void begin();

  // Opens a step of `call`; what it changes is filled in by `close_step`.
  std::size_t open_step(call_index call);
  void close_step(std::size_t step);
  // The backend answered an error instead of executing.
  void refused_step(call_index call);
  // After code that should have had no effect: whatever changed was a step of `call` (no_call: it
  // came from outside).
  void look_for_changes(call_index call);

  // Around the live records' deadlines: the instant of a granule before, on and after each.
  const std::vector<true_time>& deadlines();
  // The first instant of the granule at which the record of `key` ends that `process` sees; never:
  // there is none, or it cannot be seen.
  true_time expiry(process_id process, key_id key);
  void clock_changed() { deadlines_known_ = false; }

 private:
  true_time begin_of(std::int64_t granule) const;
  record_state observe(std::uint8_t store, key_id key);
  record_state& last(std::uint8_t store, key_id key);
  void record_changes(call_index call, std::uint8_t but_store, int but_key);

  core& world_;
  bool looking_ = false;
  int stores_ = 1;
  std::size_t keys_ = 0;
  std::vector<record_state> last_;
  std::vector<true_time> deadlines_;
  bool deadlines_known_ = false;
};

}  // namespace leaselab::sim
