// Lists, small ones: what lock clients wake each other by. With them the commands that wait for
// one, as a server executes them inside MULTI: there is something at once, or nothing.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "sim/redis/commands.hpp"
#include "sim/redis/numbers.hpp"

namespace leaselab::sim::redis {
namespace {

enum class end : std::uint8_t { left, right };

// False: the key holds something else, answered as an error. `item` may come back null.
bool find_list(invocation& call, std::string_view key, entry*& item) {
  item = call.find(key);
  if (item == nullptr || item->kind == value_kind::list) return true;
  answer_wrong_type(call.out);
  return false;
}

std::int64_t length(const entry& list) { return static_cast<std::int64_t>(list.items.size()); }

void push_one(invocation& call, entry& list, end at, std::string_view value) {
  list.items.emplace(at == end::left ? list.items.begin() : list.items.end(), value);
  ++call.writes;
}

entry& create_list(invocation& call, std::string_view key) {
  entry& list = call.keys.create(key);
  list.kind = value_kind::list;
  return list;
}

// The list has an item. An empty list is none: whoever pops last calls `drop_empty`.
std::string pop_one(invocation& call, entry& list, end at) {
  const auto place = at == end::left ? list.items.begin() : list.items.end() - 1;
  std::string value = std::move(*place);
  list.items.erase(place);
  ++call.writes;
  return value;
}

void drop_empty(invocation& call, const entry& list) {
  if (list.items.empty()) call.keys.erase(std::string(list.key));
}

void push(invocation& call, end at, bool only_to_a_list) {
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  if (list == nullptr && only_to_a_list) return answer_integer(call.out, 0);
  if (list == nullptr) list = &create_list(call, call.key());
  for (const std::string_view value : call.words.subspan(2)) push_one(call, *list, at, value);
  answer_integer(call.out, length(*list));
}

void answer_not_positive(invocation& call) {
  answer_error(call.out, "value is out of range, must be positive");
}

void begin_array(invocation& call) {
  answer_nil(call.out);
  call.out.kind = reply_kind::array;
}

void pop(invocation& call, end at) {
  if (call.words.size() > 3) return answer_wrong_arity(call.out, call.spec);
  std::optional<std::int64_t> count;
  if (call.words.size() == 3) {
    count = parse_integer(call.words[2]);
    if (!count || *count < 0) return answer_not_positive(call);
  }
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  if (list == nullptr) return answer_nil(call.out);
  if (!count) {
    answer_text(call.out, pop_one(call, *list, at));
  } else {
    begin_array(call);
    for (auto left = std::min(*count, length(*list)); left > 0; --left)
      answer_text(call.out.items.emplace_back(), pop_one(call, *list, at));
  }
  drop_empty(call, *list);
}

// Both ends included; negative ones count from the end. Empty: from > to.
struct range {
  std::int64_t from, to;
};
std::optional<range> parse_range(invocation& call) {
  const auto from = parse_integer(call.words[2]);
  const auto to = parse_integer(call.words[3]);
  if (from && to) return range{*from, *to};
  answer_not_an_integer(call.out);
  return std::nullopt;
}
range within(range asked, std::int64_t size) {
  const auto counted = [&](std::int64_t at) { return at < 0 ? at + size : at; };
  return {std::max<std::int64_t>(counted(asked.from), 0), std::min(counted(asked.to), size - 1)};
}

std::optional<end> parse_end(std::string_view word) {
  if (equals_ignoring_case(word, "left")) return end::left;
  if (equals_ignoring_case(word, "right")) return end::right;
  return std::nullopt;
}

void move(invocation& call, end from, end to) {
  entry* source = nullptr;
  entry* target = nullptr;
  if (!find_list(call, call.words[1], source)) return;
  if (source == nullptr) return answer_nil(call.out);
  if (!find_list(call, call.words[2], target)) return;
  const std::string value = pop_one(call, *source, from);
  if (target == nullptr) target = &create_list(call, call.words[2]);
  push_one(call, *target, to, value);
  drop_empty(call, *source);
  answer_text(call.out, value);
}

void answer_timeout_error(invocation& call, std::string_view what) {
  answer_error(call.out, "timeout is " + std::string(what));
}

// False: the error is answered. How long is for whoever waits (blocking.hpp).
bool check_ms(invocation& call, std::int64_t ms) {
  if (ms < 0) answer_timeout_error(call, "negative");
  return ms >= 0;
}

bool check_seconds(invocation& call, std::string_view word) {
  const std::string text(word);
  char* rest = nullptr;
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const bool begins = !text.empty() && blanks.find(text[0]) == std::string_view::npos;
  const long double seconds = begins ? std::strtold(text.c_str(), &rest) : 0;
  if (!begins || rest != text.c_str() + text.size() || std::isnan(seconds)) {
    answer_timeout_error(call, "not a float or out of range");
    return false;
  }
  // What is too long for the server's milliseconds becomes the least of them.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const long double ms = std::ceil(seconds * 1000);
  const bool counts = ms >= 0 && ms <= static_cast<long double>(most);
  return check_ms(call, counts ? static_cast<std::int64_t>(ms) : -1);
}

void pop_first(invocation& call, end at) {
  if (!check_seconds(call, call.words.back())) return;
  for (const std::string_view key : call.words.subspan(1, call.words.size() - 2)) {
    entry* list = nullptr;
    if (!find_list(call, key, list)) return;
    if (list == nullptr) continue;
    begin_array(call);
    answer_text(call.out.items.emplace_back(), key);
    answer_text(call.out.items.emplace_back(), pop_one(call, *list, at));
    return drop_empty(call, *list);
  }
  answer_nil(call.out);
}

}  // namespace

void run_lpush(invocation& call) { push(call, end::left, false); }
void run_rpush(invocation& call) { push(call, end::right, false); }
void run_lpushx(invocation& call) { push(call, end::left, true); }
void run_rpushx(invocation& call) { push(call, end::right, true); }
void run_lpop(invocation& call) { pop(call, end::left); }
void run_rpop(invocation& call) { pop(call, end::right); }
void run_blpop(invocation& call) { pop_first(call, end::left); }
void run_brpop(invocation& call) { pop_first(call, end::right); }
void run_rpoplpush(invocation& call) { move(call, end::right, end::left); }

void run_brpoplpush(invocation& call) {
  if (check_seconds(call, call.words[3])) move(call, end::right, end::left);
}

void run_lmove(invocation& call) {
  const auto from = parse_end(call.words[3]);
  const auto to = parse_end(call.words[4]);
  if (!from || !to) return answer_syntax_error(call.out);
  move(call, *from, *to);
}

void run_blmove(invocation& call) {
  const auto from = parse_end(call.words[3]);
  const auto to = parse_end(call.words[4]);
  if (!from || !to) return answer_syntax_error(call.out);
  if (check_seconds(call, call.words[5])) move(call, *from, *to);
}

void run_llen(invocation& call) {
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  answer_integer(call.out, list == nullptr ? 0 : length(*list));
}

void run_lindex(invocation& call) {
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  if (list == nullptr) return answer_nil(call.out);
  const auto asked = parse_integer(call.words[2]);
  if (!asked) return answer_not_an_integer(call.out);
  const auto at = *asked < 0 ? *asked + length(*list) : *asked;
  if (at < 0 || at >= length(*list)) return answer_nil(call.out);
  answer_text(call.out, list->items[static_cast<std::size_t>(at)]);
}

void run_lrange(invocation& call) {
  const auto asked = parse_range(call);
  if (!asked) return;
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  begin_array(call);
  if (list == nullptr) return;
  const auto [from, to] = within(*asked, length(*list));
  for (auto i = from; i <= to; ++i)
    answer_text(call.out.items.emplace_back(), list->items[static_cast<std::size_t>(i)]);
}

void run_ltrim(invocation& call) {
  const auto asked = parse_range(call);
  if (!asked) return;
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  if (list == nullptr) return answer_status(call.out, "OK");
  const auto [from, to] = within(*asked, length(*list));
  auto& items = list->items;
  if (from > to) {
    items.clear();
  } else {
    items.erase(items.begin() + to + 1, items.end());
    items.erase(items.begin(), items.begin() + from);
  }
  ++call.writes;
  drop_empty(call, *list);
  answer_status(call.out, "OK");
}

// The first so many equal ones, counted from the right where the number is negative; 0: all.
void run_lrem(invocation& call) {
  const auto count = parse_integer(call.words[2]);
  if (!count) return answer_not_an_integer(call.out);
  entry* list = nullptr;
  if (!find_list(call, call.key(), list)) return;
  if (list == nullptr) return answer_integer(call.out, 0);
  auto& items = list->items;
  // The least number there is has no opposite: all of them.
  const bool all = *count == 0 || *count == std::numeric_limits<std::int64_t>::min();
  const auto most = all ? length(*list) : std::abs(*count);
  std::int64_t removed = 0;
  const auto unwanted = [&](const std::string& item) {
    return removed < most && item == call.words[3] && ++removed > 0;
  };
  if (*count < 0) std::reverse(items.begin(), items.end());
  // In order, each looked at once: std::erase_if promises neither of its predicate.
  std::vector<std::string> kept;
  for (auto& item : items)
    if (!unwanted(item)) kept.push_back(std::move(item));
  items = std::move(kept);
  if (*count < 0) std::reverse(items.begin(), items.end());
  call.writes += static_cast<std::uint64_t>(removed);
  drop_empty(call, *list);
  answer_integer(call.out, removed);
}

// Without replicas nobody has acknowledged anything.
void run_wait(invocation& call) {
  const auto replicas = parse_integer(call.words[1]);
  if (!replicas) return answer_not_an_integer(call.out);
  const auto timeout = parse_integer(call.words[2]);
  if (!timeout) return answer_timeout_error(call, "not an integer or out of range");
  if (check_ms(call, *timeout)) answer_integer(call.out, 0);
}

}  // namespace leaselab::sim::redis
