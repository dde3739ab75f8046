// The leases of one host: a map in this address space and the clock that counts their deadlines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "providers/lease_provider.hpp"

namespace leaselab {

// Every function is one atomic step at the clock's present reading n. A record with deadline d is
// dead *at* it: n >= d. Arguments are taken as lawful; sums saturate.
//
// Not synchronised: all providers over one store run on one thread or strand.
class memory_store {
 public:
  struct record {
    std::string owner;
    std::int64_t deadline_granules = std::numeric_limits<std::int64_t>::min();
    bool operator==(const record&) const = default;
  };

  // `clock` outlives the store.
  explicit memory_store(const granule_clock& clock) : clock_(clock) {}

  acquire_answer acquire(std::string key, std::string owner, milliseconds ttl);
  std::optional<std::string> owner_of(std::string_view key) const;
  void release(std::string_view key, std::string_view owner);
  bool renew(std::string_view key, std::string_view owner, milliseconds ttl);
  bool transfer(std::string_view key, std::string_view from, std::string to, milliseconds ttl);

  // For instruments: what is stored, dead or alive, as long as it is there. No effect.
  std::optional<record> peek(std::string_view key) const;
  std::size_t size() const { return records_.size(); }
  // The host crashed, or a new world begins.
  void reset();

 private:
  record* live_record_of(std::string_view key, std::string_view owner, std::int64_t now);
  void sweep_if_grown(std::int64_t now);

  static constexpr std::size_t first_sweep = 64;

  const granule_clock& clock_;
  std::map<std::string, record, std::less<>> records_;
  std::size_t sweep_at_ = first_sweep;
};

}  // namespace leaselab
