#include "scenarios/fault_keys.hpp"

#include <array>
#include <vector>

namespace leaselab::scenarios {
namespace {

using keys = std::vector<std::string_view>;

// In the order of sim::fault_kind.
const std::array<keys, sim::fault_kind_count>& table() {
  static const std::array<keys, sim::fault_kind_count> all{{
      /* offset */ {"process", "at", "by", "clock"},
      /* step */ {"process", "at", "by", "clock"},
      /* rate */ {"process", "at", "to", "for", "clock"},
      /* strobe */ {"process", "at", "delta", "period", "for", "clock"},
      /* freeze */ {"process", "at", "for", "clock"},
      /* pause */ {"process", "at", "point", "for", "clock"},
      /* crash */ {"process", "at", "point", "restart_at", "for", "identity", "state"},
      /* drop */ {"call", "trip", "leg"},
      /* delay */ {"call", "trip", "leg", "by"},
      /* hold */ {"call", "trip", "leg", "until", "after"},
      /* duplicate */ {"call", "trip", "leg", "by"},
      /* partition */ {"from", "to", "one_way", "at", "for"},
      /* error_reply */ {"call", "trip", "reply"},
      /* flush_scripts */ {"at"},
      /* late_timer */ {"process", "at", "by", "for"},
      /* connect */ {"process", "takes"},
      /* backend_down */ {"at", "for", "data"},
      /* failover */ {"at", "behind", "replica"},
      /* two_primaries */ {"at", "until"},
      /* replica_read */ {"at", "lag", "for"},
      /* evict */ {"key", "at"},
      /* overwrite */ {"key", "at", "value"},
      /* redirect */ {"call", "trip", "reply"},
      /* reap_late */ {"at", "by", "for"},
  }};
  return all;
}

}  // namespace

std::span<const std::string_view> keys_of(sim::fault_kind kind) {
  return table()[static_cast<std::size_t>(kind)];
}

bool hits_message(sim::fault_kind kind) {
  const auto all = keys_of(kind);
  return !all.empty() && all.front() == "call";
}

}  // namespace leaselab::scenarios
