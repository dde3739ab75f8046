#include "providers/redis/wire.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace leaselab {
namespace {

// "$5\r\n"
void append_count(std::string& out, char sign, std::size_t count) {
  std::array<char, 24> text;
  text[0] = sign;
  char* end = std::to_chars(text.data() + 1, text.data() + text.size() - 2, count).ptr;
  *end++ = '\r';
  *end++ = '\n';
  out.append(text.data(), end);
}

void append_word(std::string& out, std::string_view word) {
  append_count(out, '$', word.size());
  out.append(word);
  out += "\r\n";
}

bool equals_ignoring_case(std::string_view word, std::string_view lower) {
  return std::ranges::equal(word, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

constexpr char unasked[] = "a reply that no command waits for";

void take_text(reply& into, int type, std::string_view text) {
  into.kind = type == REDIS_REPLY_ERROR    ? reply_kind::error
              : type == REDIS_REPLY_STATUS ? reply_kind::status
                                           : reply_kind::text;
  into.text = text;
}

// The object that the reader keeps for `task`: a wire_reply at the top, a reply below. It frees
// only what is at the top.
void* place(const redisReadTask* task, reply*& value) {
  if (task->parent == nullptr) {
    auto* top = static_cast<wire_reply*>(task->privdata);
    top->head.type = REDIS_REPLY_ERROR;
    top->head.str = const_cast<char*>(unasked);
    value = &top->value;
    return top;
  }
  const redisReadTask* parent = task->parent;
  reply& array = parent->parent == nullptr ? static_cast<wire_reply*>(parent->obj)->value
                                           : *static_cast<reply*>(parent->obj);
  // Grown by what really arrives: an announced length is only a peer's word.
  value = &array.items.emplace_back();
  return value;
}

void* create_string(const redisReadTask* task, char* text, std::size_t size) {
  reply* value = nullptr;
  void* object = place(task, value);
  take_text(*value, task->type, {text, size});
  const bool unasked_matters = task->parent == nullptr && task->type == REDIS_REPLY_ERROR;
  if (unasked_matters) static_cast<wire_reply*>(object)->head.str = value->text.data();
  return object;
}

void* create_array(const redisReadTask* task, int) {
  reply* value = nullptr;
  void* object = place(task, value);
  value->kind = reply_kind::array;
  return object;
}

void* create_integer(const redisReadTask* task, long long number) {
  reply* value = nullptr;
  void* object = place(task, value);
  value->kind = reply_kind::integer;
  value->integer = number;
  return object;
}

void* create_nil(const redisReadTask* task) {
  reply* value = nullptr;
  return place(task, value);
}

void free_object(void* object) {
  reply& value = static_cast<wire_reply*>(object)->value;
  value.kind = reply_kind::nil;
  value.integer = 0;
  value.text.clear();
  value.items.clear();
}

redisReplyObjectFunctions functions = {create_string, create_array, create_integer, create_nil,
                                       free_object};

}  // namespace

void append_wire(std::string& out, const command& request) {
  if (request.lua == nullptr) {
    append_count(out, '*', request.words.size());
  } else {
    append_count(out, '*', request.words.size() + 3);
    append_word(out, request.by_text ? "EVAL" : "EVALSHA");
    append_word(out, request.by_text ? request.lua->text : request.lua->sha1);
    std::array<char, 12> digits;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), request.key_count).ptr;
    append_word(out, {digits.data(), end});
  }
  for (const std::string& word : request.words) append_word(out, word);
}

bool may_share_connection(const command& request) {
  constexpr std::array<std::string_view, 17> own_connection = {
      "subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe",
      "monitor",   "multi",      "watch",      "hello",       "auth",         "select",
      "quit",      "reset",      "sync",       "psync",       "shutdown"};
  if (request.lua != nullptr) return true;
  if (request.words.empty()) return false;
  return std::ranges::none_of(own_connection, [&](std::string_view name) {
    return equals_ignoring_case(request.words.front(), name);
  });
}

void read_wire_replies(redisContext& context, wire_reply& into) {
  context.reader->fn = &functions;
  context.reader->privdata = &into;
}

}  // namespace leaselab
