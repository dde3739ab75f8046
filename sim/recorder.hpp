// Writes a run's record: numbers for names, events in order, and the digest over it all.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::sim {

class recorder {
 public:
  run_record run;

  void begin(const plan& value);
  // The number of `name`; new names get new numbers. `hint` is looked at first.
  owner_id owner(std::string_view name, owner_id hint = nobody);
  event& add(event_kind kind, true_time at);
  std::int64_t granule(true_time at) const;
  // Computes the digests; `last_draw` is one more draw.
  void finish(true_time at, std::uint64_t last_draw);

 private:
  owner_id find_owner(std::string_view name);

  owner_id found_ = nobody;                                    // by the last search for a name
  std::map<std::string, owner_id, std::less<>> later_owners_;  // all but the first few, on demand
};

}  // namespace leaselab::sim
