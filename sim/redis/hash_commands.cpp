// Hashes, small ones: what lock clients keep (Redisson counts re-entries in one), and the other
// type that gives WRONGTYPE.
#include <algorithm>
#include <limits>
#include <optional>

#include "sim/redis/commands.hpp"
#include "sim/redis/numbers.hpp"

namespace leaselab::sim::redis {
namespace {

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t min_int64 = std::numeric_limits<std::int64_t>::min();

std::string* find_field(entry& item, std::string_view field) {
  const auto at = std::find_if(item.fields.begin(), item.fields.end(),
                               [&](const auto& f) { return f.first == field; });
  return at == item.fields.end() ? nullptr : &at->second;
}

// False: the key holds something else, answered as an error. `item` may come back null.
bool find_hash(invocation& call, entry*& item) {
  item = call.find(call.key());
  if (item == nullptr || item->kind == value_kind::hash) return true;
  answer_wrong_type(call.out);
  return false;
}

entry& create_hash(invocation& call) {
  entry& item = call.keys.create(call.key());
  item.kind = value_kind::hash;
  return item;
}

// True: the field is new.
bool set_field(entry& item, std::string_view field, std::string_view value) {
  if (std::string* old = find_field(item, field)) {
    *old = value;
    return false;
  }
  item.fields.emplace_back(field, value);
  return true;
}

}  // namespace

void run_hset(invocation& call) {
  if (call.words.size() % 2 == 1) return answer_wrong_arity(call.out, call.spec);
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  if (item == nullptr) item = &create_hash(call);
  std::int64_t created = 0;
  for (std::size_t i = 2; i < call.words.size(); i += 2) {
    created += set_field(*item, call.words[i], call.words[i + 1]);
    ++call.writes;
  }
  answer_integer(call.out, created);
}

void run_hsetnx(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  if (item != nullptr && find_field(*item, call.words[2])) return answer_integer(call.out, 0);
  if (item == nullptr) item = &create_hash(call);
  set_field(*item, call.words[2], call.words[3]);
  ++call.writes;
  answer_integer(call.out, 1);
}

void run_hget(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  const std::string* value = item == nullptr ? nullptr : find_field(*item, call.words[2]);
  if (value == nullptr) return answer_nil(call.out);
  answer_text(call.out, *value);
}

void run_hdel(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  std::int64_t removed = 0;
  for (const std::string_view field : call.words.subspan(2)) {
    if (item == nullptr || item->fields.empty()) break;
    removed += static_cast<std::int64_t>(
        std::erase_if(item->fields, [&](const auto& f) { return f.first == field; }));
  }
  if (item != nullptr && item->fields.empty()) call.keys.erase(call.key());
  call.writes += static_cast<std::uint64_t>(removed);
  answer_integer(call.out, removed);
}

void run_hincrby(invocation& call) {
  const auto amount = parse_integer(call.words[3]);
  if (!amount) return answer_not_an_integer(call.out);
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  const std::string* old = item == nullptr ? nullptr : find_field(*item, call.words[2]);
  const std::optional<std::int64_t> value = old == nullptr ? 0 : parse_integer(*old);
  if (!value) return answer_error(call.out, "hash value is not an integer");
  if ((*amount < 0 && *value < 0 && *amount < min_int64 - *value) ||
      (*amount > 0 && *value > 0 && *amount > max_int64 - *value)) {
    return answer_error(call.out, "increment or decrement would overflow");
  }
  if (item == nullptr) item = &create_hash(call);
  set_field(*item, call.words[2], std::to_string(*value + *amount));
  ++call.writes;
  answer_integer(call.out, *value + *amount);
}

void run_hexists(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  answer_integer(call.out, item != nullptr && find_field(*item, call.words[2]) != nullptr);
}

void run_hgetall(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  answer_nil(call.out);
  call.out.kind = reply_kind::array;
  if (item == nullptr) return;
  call.out.items.resize(item->fields.size() * 2);
  for (std::size_t i = 0; i < item->fields.size(); ++i) {
    answer_text(call.out.items[2 * i], item->fields[i].first);
    answer_text(call.out.items[2 * i + 1], item->fields[i].second);
  }
}

void run_hlen(invocation& call) {
  entry* item = nullptr;
  if (!find_hash(call, item)) return;
  answer_integer(call.out, item == nullptr ? 0 : static_cast<std::int64_t>(item->fields.size()));
}

}  // namespace leaselab::sim::redis
