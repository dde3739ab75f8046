// One partial explanation of a history: which open operations it has placed, and the zone of the
// instants that they may have had. Internal to the checker; history_checker.cpp tells the method.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "properties/info_pool.hpp"

namespace leaselab::properties {

// A set of slots of open operations.
template <std::size_t Words>
struct slot_set {
  std::array<std::uint64_t, Words> words{};

  void set(std::uint32_t slot) { words[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  void clear(std::uint32_t slot) { words[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }
  bool has(std::uint32_t slot) const { return (words[slot / 64] >> (slot % 64)) & 1; }
  bool operator==(const slot_set&) const = default;

  // Is what stands here and not in `other` all in `within`?
  bool without_is_within(const slot_set& other, const slot_set& within) const {
    for (std::size_t i = 0; i < Words; ++i) {
      if (words[i] & ~other.words[i] & ~within.words[i]) return false;
    }
    return true;
  }
  bool is_within(const slot_set& other) const {
    for (std::size_t i = 0; i < Words; ++i) {
      if (words[i] & ~other.words[i]) return false;
    }
    return true;
  }
  // Calls `visit(slot)` for each slot that is here and not in `other`; stops when it says false.
  template <class Visit>
  bool each_without(const slot_set& other, Visit&& visit) const {
    for (std::size_t i = 0; i < Words; ++i) {
      for (std::uint64_t rest = words[i] & ~other.words[i]; rest != 0; rest &= rest - 1) {
        if (!visit(static_cast<std::uint32_t>(64 * i + std::countr_zero(rest)))) return false;
      }
    }
    return true;
  }
};

inline constexpr std::int64_t no_need = std::numeric_limits<std::int64_t>::min() / 2;

template <std::size_t Words>
struct checker_config {
  slot_set<Words> done;      // open operations that are placed already
  lease_owner owner = 0;     // of the record; 0: free, known to be
  std::uint32_t uses = 0;    // info operations used: a set of the pool
  bool token_known = false;  // else the token is at least `token`
  std::int64_t token = -1;   // of the record, or of the last one
  std::int64_t reach = 0;    // the record set at x is live until x + reach
  std::int64_t low = 0;      // x of the last setting step lies in [low, high]
  std::int64_t high = 0;
  std::int64_t now = no_need;   // what ends this tenure happens at this granule or later
  std::int64_t need = no_need;  // the latest granule at which somebody must find the record live

  // `least_reach`: of all operations of the history that set a deadline.
  void normalise(std::int64_t least_reach) {
    if (owner == 0) {
      low = high = reach = 0;
      need = no_need;
      return;
    }
    now = std::max(now, low);
    // No refresh can uncover it any more; with a single ttl that is always so.
    if (need - least_reach <= low) need = no_need;
  }

  bool same_shape(const checker_config& other) const {
    return owner == other.owner && reach == other.reach && token == other.token &&
           token_known == other.token_known;
  }

  // Can this one go on in every way in which `other` can? Operations of `reads` change nothing:
  // having placed more of them is only better.
  bool covers(const checker_config& other, const slot_set<Words>& reads,
              const info_pool& pool) const {
    return same_shape(other) && low <= other.low && high >= other.high && now <= other.now &&
           need <= other.need && other.done.is_within(done) &&
           done.without_is_within(other.done, reads) && pool.no_more(uses, other.uses);
  }

  // Two zones that touch are one.
  bool join(const checker_config& other) {
    if (!same_shape(other) || !(done == other.done) || uses != other.uses || need != other.need)
      return false;
    if (other.low > high + 1 || low > other.high + 1) return false;
    // With `now` at most low, only x itself bounds what may come next, and so it does in the union.
    const std::int64_t later = std::max(low, other.low);
    if (now != other.now && (now > later || other.now > later)) return false;
    now = std::min(now, other.now);
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    return true;
  }
};

}  // namespace leaselab::properties
