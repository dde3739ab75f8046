// What a Redis database holds: keys in byte order, each a string, a hash or a list with a deadline.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leaselab::sim::redis {

inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::min();
// How the server tells that there is none; a deadline of -1 itself, possible only while the clock
// is negative, is then told as none although PERSIST finds it.
inline constexpr std::int64_t told_as_none = -1;

enum class value_kind : std::uint8_t { text, hash, list };

struct entry {
  std::string key;
  value_kind kind = value_kind::text;
  std::string text;
  std::vector<std::pair<std::string, std::string>> fields;  // in the order they were set
  std::vector<std::string> items;                           // of a list
  std::int64_t deadline_unix_ms = no_deadline;

  // Alive at its deadline, gone in the next millisecond. A negative deadline, possible only
  // while the clock is negative too, never comes.
  bool expired(std::int64_t now_unix_ms) const {
    return deadline_unix_ms >= 0 && now_unix_ms > deadline_unix_ms;
  }
  std::int64_t told_deadline() const {
    return deadline_unix_ms == no_deadline ? told_as_none : deadline_unix_ms;
  }
};

class keyspace {
 public:
  // The live entry of `key`, or null. A look deletes an expired key: set the clock back after it
  // and the key stays gone, without it the key lives again.
  entry* find(std::string_view key, std::int64_t now_unix_ms);
  // Expired or not, without effect.
  const entry* find_raw(std::string_view key) const;
  // The entry of `key`, which is absent, as an empty string without a deadline.
  entry& create(std::string_view key);
  // False: there was none.
  bool erase(std::string_view key);
  // Keeps the memory: a world is reset far more often than it grows.
  void clear();

  std::size_t size() const { return order_.size(); }
  std::vector<entry> copy() const;
  void assign(const std::vector<entry>& entries);

 private:
  std::size_t lower_bound(std::string_view key) const;
  std::unique_ptr<entry> take_spare();

  std::vector<std::unique_ptr<entry>> order_;  // sorted by key
  std::vector<std::unique_ptr<entry>> spare_;
};

}  // namespace leaselab::sim::redis
