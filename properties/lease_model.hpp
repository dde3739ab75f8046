// The sequential lease with deadlines, as a pure function: what one correct backend answers when
// the steps come one after the other.
//
// Every property that compares with "a correct lease" compares with this one. It is the contract
// (docs/PROVIDERS.md) and nothing else: no clock of its own, no faults, no names.
#pragma once

#include <cstdint>
#include <limits>

#include "providers/guarantees.hpp"

namespace leaselab::properties {

enum class lease_op : std::uint8_t { acquire, renew, release, get, transfer };

// Owners are numbers; 0 is nobody.
using lease_owner = std::uint32_t;

// A ttl or deadline that never comes. Small enough that no sum of it with an instant wraps.
inline constexpr std::int64_t no_expiry = std::int64_t{1} << 61;

struct lease_state {
  lease_owner owner = 0;
  std::int64_t deadline = 0;  // granules of the backend's clock; no_expiry: never
  std::uint64_t token = 0;    // of the last record; it stays when the record ends
  bool operator==(const lease_state&) const = default;
};

struct lease_call {
  lease_op op = lease_op::get;
  lease_owner owner = 0;  // transfer: from
  lease_owner to = 0;     // transfer only
  std::int64_t ttl = 0;   // granules, at least 1
};

struct lease_step {
  bool yes = false;               // acquired, renewed, moved; release: it removed a record
  lease_owner holder_before = 0;  // the live owner that the step found: whom get and a denial name
  lease_state next;               // a record found dead is gone from it
};

// Is a record with this deadline live at instant `granule`?
bool live(std::int64_t deadline, std::int64_t granule, expiry_reading reading);

// The one step of `call` at instant `granule`. A token rises by one when a record is created or
// its owner changes, and stays in a refresh.
lease_step apply(const lease_state& state, const lease_call& call, std::int64_t granule,
                 expiry_reading reading);

}  // namespace leaselab::properties
