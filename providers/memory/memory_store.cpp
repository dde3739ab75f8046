#include "providers/memory/memory_store.hpp"

#include <algorithm>
#include <utility>

namespace leaselab {
namespace {

bool live(const memory_store::record& held, std::int64_t now) {
  return now < held.deadline_granules;
}

std::int64_t deadline(std::int64_t now, milliseconds ttl) {
  constexpr auto horizon = std::numeric_limits<std::int64_t>::max();
  return ttl.count() > horizon - now ? horizon : now + ttl.count();
}

}  // namespace

// Each function reads the clock once: two readings in one step could say that the record is alive
// and count its new deadline from an instant at which it is dead.

acquire_answer memory_store::acquire(std::string key, std::string owner, milliseconds ttl) {
  const auto now = clock_.now_granules();
  sweep_if_grown(now);
  auto& held = records_[std::move(key)];
  if (live(held, now) && held.owner != owner) return {false, held.owner, std::nullopt};
  held = {std::move(owner), deadline(now, ttl)};
  return {true, std::nullopt, std::nullopt};
}

std::optional<std::string> memory_store::owner_of(std::string_view key) const {
  const auto found = records_.find(key);
  if (found == records_.end() || !live(found->second, clock_.now_granules())) return std::nullopt;
  return found->second.owner;
}

void memory_store::release(std::string_view key, std::string_view owner) {
  const auto found = records_.find(key);
  if (found == records_.end() || found->second.owner != owner) return;
  if (live(found->second, clock_.now_granules())) records_.erase(found);
}

bool memory_store::renew(std::string_view key, std::string_view owner, milliseconds ttl) {
  const auto now = clock_.now_granules();
  auto* held = live_record_of(key, owner, now);
  if (held == nullptr) return false;
  held->deadline_granules = deadline(now, ttl);
  return true;
}

bool memory_store::transfer(std::string_view key, std::string_view from, std::string to,
                            milliseconds ttl) {
  const auto now = clock_.now_granules();
  auto* held = live_record_of(key, from, now);
  if (held == nullptr) return false;
  *held = {std::move(to), deadline(now, ttl)};
  return true;
}

std::optional<memory_store::record> memory_store::peek(std::string_view key) const {
  const auto found = records_.find(key);
  if (found == records_.end()) return std::nullopt;
  return found->second;
}

void memory_store::reset() {
  records_.clear();
  sweep_at_ = first_sweep;
}

memory_store::record* memory_store::live_record_of(std::string_view key, std::string_view owner,
                                                   std::int64_t now) {
  const auto found = records_.find(key);
  if (found == records_.end() || !live(found->second, now)) return nullptr;
  return found->second.owner == owner ? &found->second : nullptr;
}

// A lease nobody releases leaves a dead record. Sweeping only after the map has doubled keeps the
// cost of an acquire constant and the memory within twice what is alive.
void memory_store::sweep_if_grown(std::int64_t now) {
  if (records_.size() < sweep_at_) return;
  std::erase_if(records_, [now](const auto& entry) { return !live(entry.second, now); });
  sweep_at_ = std::max(first_sweep, 2 * records_.size());
}

}  // namespace leaselab
