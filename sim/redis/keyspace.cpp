#include "sim/redis/keyspace.hpp"

#include <algorithm>
#include <iterator>

namespace leaselab::sim::redis {

std::size_t keyspace::lower_bound(std::string_view key) const {
  const auto at =
      std::lower_bound(order_.begin(), order_.end(), key,
                       [](const auto& item, std::string_view k) { return item->key < k; });
  return static_cast<std::size_t>(at - order_.begin());
}

entry* keyspace::find(std::string_view key, std::int64_t now_unix_ms) {
  const std::size_t at = lower_bound(key);
  if (at == order_.size() || order_[at]->key != key) return nullptr;
  if (!order_[at]->expired(now_unix_ms)) return order_[at].get();
  spare_.push_back(std::move(order_[at]));
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(at));
  return nullptr;
}

const entry* keyspace::find_raw(std::string_view key) const {
  const std::size_t at = lower_bound(key);
  return at < order_.size() && order_[at]->key == key ? order_[at].get() : nullptr;
}

entry& keyspace::create(std::string_view key) {
  std::unique_ptr<entry> fresh = take_spare();
  fresh->key = key;
  const auto at = order_.begin() + static_cast<std::ptrdiff_t>(lower_bound(key));
  return **order_.insert(at, std::move(fresh));
}

bool keyspace::erase(std::string_view key) {
  const std::size_t at = lower_bound(key);
  if (at == order_.size() || order_[at]->key != key) return false;
  spare_.push_back(std::move(order_[at]));
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

void keyspace::clear() {
  spare_.insert(spare_.end(), std::make_move_iterator(order_.begin()),
                std::make_move_iterator(order_.end()));
  order_.clear();
}

std::vector<entry> keyspace::copy() const {
  std::vector<entry> entries;
  entries.reserve(order_.size());
  for (const auto& item : order_) entries.push_back(*item);
  return entries;
}

void keyspace::assign(const std::vector<entry>& entries) {
  clear();
  for (const entry& item : entries) {
    order_.push_back(take_spare());
    *order_.back() = item;
  }
}

std::unique_ptr<entry> keyspace::take_spare() {
  if (spare_.empty()) return std::make_unique<entry>();
  std::unique_ptr<entry> item = std::move(spare_.back());
  spare_.pop_back();
  item->kind = value_kind::text;
  item->text.clear();
  item->fields.clear();
  item->items.clear();
  item->deadline_unix_ms = no_deadline;
  return item;
}

}  // namespace leaselab::sim::redis
