// Who believed to hold what, and how long. A belief has no event of its own at the client's local
// deadline: a paused process ends it without doing anything.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/history.hpp"

namespace leaselab::properties {

inline constexpr std::uint32_t no_index = 0xffffffff;

struct belief {
  sim::process_id process = 0;
  std::uint8_t incarnation = 0;
  sim::key_id key = 0;
  sim::owner_id owner = sim::nobody;
  std::uint32_t begin_event = 0;
  std::uint32_t end_event = 0;  // the event that ended it; no_index: its local deadline, or nothing
  sim::true_time begin = 0;
  sim::true_time end = sim::never;

  bool same_holder(const belief& other) const {
    return process == other.process && incarnation == other.incarnation;
  }
  // Still held when `event`, which came later than its beginning, happens at `at`. The order of
  // events decides between events of one instant; a local deadline ends a belief before them all.
  bool held_at(std::uint32_t event, sim::true_time at) const {
    return end_event == no_index ? end > at : end_event > event;
  }
};

class belief_list {
 public:
  void clear();
  // Of kind believe, disbelieve or crash, in the order of the run.
  void add(const sim::run_record& run, std::uint32_t index);
  const std::vector<belief>& all() const { return all_; }  // by beginning

 private:
  void believe(const sim::run_record& run, std::uint32_t index);
  template <class Which>
  void finish(const sim::event& event, std::uint32_t index, Which&& which);

  std::vector<belief> all_;
  std::vector<std::uint32_t> open_;  // into all_; some may have passed their local deadline
};

}  // namespace leaselab::properties
