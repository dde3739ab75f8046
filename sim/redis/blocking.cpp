#include "sim/redis/blocking.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sim/redis/commands.hpp"

namespace leaselab::sim::redis {
namespace {

// Where the timeout stands, and in what.
enum class timeout_at : std::uint8_t { first_seconds, last_seconds, second_ms, after_block_ms };

// And the keys for which it waits.
enum class keys_at : std::uint8_t { none, first, all_but_last, counted, after_streams };

struct form {
  std::string_view name;  // lower case
  timeout_at timeout;
  keys_at keys;
  std::string_view type;  // of these keys
};
constexpr auto forms = std::to_array<form>({
    {"blpop", timeout_at::last_seconds, keys_at::all_but_last, "list"},
    {"brpop", timeout_at::last_seconds, keys_at::all_but_last, "list"},
    {"blmove", timeout_at::last_seconds, keys_at::first, "list"},
    {"brpoplpush", timeout_at::last_seconds, keys_at::first, "list"},
    {"bzpopmin", timeout_at::last_seconds, keys_at::all_but_last, "zset"},
    {"bzpopmax", timeout_at::last_seconds, keys_at::all_but_last, "zset"},
    {"blmpop", timeout_at::first_seconds, keys_at::counted, "list"},
    {"bzmpop", timeout_at::first_seconds, keys_at::counted, "zset"},
    {"xread", timeout_at::after_block_ms, keys_at::after_streams, "stream"},
    {"xreadgroup", timeout_at::after_block_ms, keys_at::after_streams, "stream"},
    {"wait", timeout_at::second_ms, keys_at::none, ""},
});

// Most commands go no further than the first letter.
const form* form_of(const command& request) {
  if (request.lua != nullptr || request.words.empty() || request.words[0].empty()) return nullptr;
  constexpr std::string_view initials = "bxwBXW";
  if (initials.find(request.words[0][0]) == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find_if(
      forms, [&](const form& one) { return equals_ignoring_case(request.words[0], one.name); });
  return found == forms.end() ? nullptr : &*found;
}

// The place of a word among the options of XREAD and XREADGROUP; the number of words: it is not
// there.
std::size_t option(const command& request, std::string_view wanted) {
  const auto& words = request.words;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (equals_ignoring_case(words[i], wanted)) return i;
    if (equals_ignoring_case(words[i], "streams")) break;
    if (equals_ignoring_case(words[i], "group")) i += 2;
    if (equals_ignoring_case(words[i], "count") || equals_ignoring_case(words[i], "block")) ++i;
  }
  return words.size();
}

std::int64_t whole(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Rounded up, as the server does: no wait of a microsecond becomes one for ever.
std::int64_t of_seconds(const std::string& text) {
  const long double ms = std::ceil(std::strtold(text.c_str(), nullptr) * 1000);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return ms >= static_cast<long double>(most) ? most : static_cast<std::int64_t>(ms);
}

std::string last_id(const std::string& stream, engine& at, std::int64_t now_ms) {
  command question;
  question.words = {"XINFO", "STREAM", stream};
  const reply known = at.execute(question, now_ms);
  for (std::size_t i = 0; i + 1 < known.items.size(); i += 2)
    if (known.items[i].text == "last-generated-id") return known.items[i + 1].text;
  return "0-0";
}

// The first of its keys and their number. Of streams, as many words follow that say from where on.
struct places {
  std::size_t first = 0, count = 0;
};
places places_of(const command& request) {
  const auto size = request.words.size();
  switch (form_of(request)->keys) {
    case keys_at::none:
      return {};
    case keys_at::first:
      return {1, 1};
    case keys_at::all_but_last:
      return {1, size - 2};
    case keys_at::counted:
      return {3, static_cast<std::size_t>(whole(request.words[2]))};
    case keys_at::after_streams: {
      const auto first = option(request, "streams") + 1;
      return {first, (size - first) / 2};
    }
  }
  return {};
}

std::string type_of(const std::string& key, engine& at, std::int64_t now_ms) {
  command question;
  question.words = {"TYPE", key};
  return at.execute(question, now_ms).text;
}

}  // namespace

bool may_wait(const command& request) {
  const form* known = form_of(request);
  if (known == nullptr) return false;
  return known->timeout != timeout_at::after_block_ms ||
         option(request, "block") < request.words.size();
}

bool found_nothing(const command& request, const reply& answer) {
  if (answer.kind == reply_kind::integer)
    return equals_ignoring_case(request.words[0], "wait") &&
           answer.integer < whole(request.words[1]);
  return answer.kind == reply_kind::nil;
}

std::int64_t patience_ms(const command& request) {
  const auto& words = request.words;
  switch (form_of(request)->timeout) {
    case timeout_at::first_seconds:
      return of_seconds(words[1]);
    case timeout_at::last_seconds:
      return of_seconds(words.back());
    case timeout_at::second_ms:
      return whole(words[2]);
    case timeout_at::after_block_ms:
      return whole(words[option(request, "block") + 1]);
  }
  return 0;
}

void pin_down(command& request, engine& at, std::int64_t now_ms) {
  auto& words = request.words;
  if (!equals_ignoring_case(words[0], "xread")) return;
  const auto [first, count] = places_of(request);
  for (std::size_t i = first; i < first + count; ++i)
    if (words[i + count] == "$") words[i + count] = last_id(words[i], at, now_ms);
}

std::vector<std::string> keys_of(const command& request) {
  const auto [first, count] = places_of(request);
  const auto begin = request.words.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

command only_for(const command& request, std::string_view key) {
  const form& known = *form_of(request);
  const auto [first, count] = places_of(request);
  bool taken = false;  // a key may be named twice
  command out;
  for (std::size_t i = 0; i < request.words.size(); ++i) {
    const bool is_key = i >= first && i < first + count;
    const bool is_start = known.keys == keys_at::after_streams && i >= first + count;
    const auto& of = request.words[is_start ? i - count : i];
    if ((is_key || is_start) && (of != key || (is_key && std::exchange(taken, true)))) continue;
    out.words.push_back(request.words[i]);
    if (is_start) break;
  }
  if (known.keys == keys_at::counted) out.words[2] = "1";
  return out;
}

std::optional<reply> told(const command& request, reply error, engine& at, std::int64_t now_ms) {
  const bool there = type_of(keys_of(request).front(), at, now_ms) == form_of(request)->type;
  if (equals_ignoring_case(request.words[0], "xreadgroup")) {
    error.text = there ? "NOGROUP the consumer group this client was blocked on no longer exists"
                       : "UNBLOCKED the stream key no longer exists";
  } else if (!there) {
    return std::nullopt;
  }
  return error;
}

}  // namespace leaselab::sim::redis
