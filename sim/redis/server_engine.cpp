#include "sim/redis/server_engine.hpp"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <boost/assert.hpp>
#include <charconv>
#include <chrono>
#include <thread>

#include "providers/broken_pipe.hpp"
#include "providers/transaction.hpp"
#include "sim/redis/blocking.hpp"
#include "sim/redis/commands.hpp"

namespace leaselab::sim::redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds start_limit{10'000};
// Of real time, for one reply: far beyond any command, so that a dead server is no dead test.
constexpr timeval reply_limit{.tv_sec = 60, .tv_usec = 0};

reply_kind kind_of(int type) {
  switch (type) {
    case REDIS_REPLY_INTEGER:
      return reply_kind::integer;
    case REDIS_REPLY_STRING:
      return reply_kind::text;
    case REDIS_REPLY_STATUS:
      return reply_kind::status;
    case REDIS_REPLY_ERROR:
      return reply_kind::error;
    case REDIS_REPLY_ARRAY:
      return reply_kind::array;
    default:
      return reply_kind::nil;
  }
}

void convert(const redisReply& answer, reply& out) {
  out.kind = kind_of(answer.type);
  if (out.kind == reply_kind::integer) {
    out.integer = answer.integer;
  } else if (out.kind == reply_kind::array) {
    out.items.resize(answer.elements);
    for (std::size_t i = 0; i < answer.elements; ++i) convert(*answer.element[i], out.items[i]);
  } else if (out.kind != reply_kind::nil) {
    out.text.assign(answer.str, static_cast<std::size_t>(answer.len));
  }
}

}  // namespace

void server_engine::closer::operator()(redisContext* connection) const { ::redisFree(connection); }

void server_engine::closer::operator()(redisReply* answer) const { ::freeReplyObject(answer); }

server_engine::server_engine(std::int64_t now_ms) : process_(epoch_unix_ms + now_ms) {
  connect();
  append({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  const owned_reply answer = receive();
  if (answer->type == REDIS_REPLY_ERROR)
    fail("DEBUG SET-ACTIVE-EXPIRE: " + std::string(answer->str));
}

server_engine::~server_engine() = default;

void server_engine::connect() {
  ignore_broken_pipes();
  const auto give_up = steady_clock::now() + start_limit;
  for (;;) {
    connection_.reset(::redisConnectUnix(socket_path().c_str()));
    if (connection_ != nullptr && connection_->err == 0) break;
    if (!process_.alive()) fail("redis-server ended while it started");
    if (steady_clock::now() > give_up) fail("redis-server does not answer on " + socket_path());
    std::this_thread::sleep_for(milliseconds(1));
  }
  ::redisSetTimeout(connection_.get(), reply_limit);
}

void server_engine::fail(const std::string& what) {
  throw server_failed(what + "; the end of its log:" + process_.log_tail());
}

void server_engine::reset(std::int64_t now_ms) {
  set_now(now_ms);
  append({"FLUSHALL"});
  ignore_next_reply();
  wanted_.clear();
  settled_ = false;
}

void server_engine::load(const script& lua) {
  const auto same = [&](const script* other) { return other->sha1 == lua.sha1; };
  if (std::find_if(wanted_.begin(), wanted_.end(), same) == wanted_.end()) wanted_.push_back(&lua);
  settled_ = false;
}

void server_engine::settle_scripts() {
  if (settled_) return;
  settled_ = true;
  const auto wanted = [&](const std::string& sha1) {
    return std::any_of(wanted_.begin(), wanted_.end(),
                       [&](const script* lua) { return lua->sha1 == sha1; });
  };
  // Worlds of one variant want the same scripts again: then nothing goes out.
  if (knows_more_ || !std::all_of(known_.begin(), known_.end(), wanted)) {
    append({"SCRIPT", "FLUSH", "SYNC"});
    ignore_next_reply();
    known_.clear();
    knows_more_ = false;
  }
  for (const script* lua : wanted_) {
    if (!known_.insert(lua->sha1).second) continue;
    append({"SCRIPT", "LOAD", lua->text});
    ignore_next_reply();
  }
}

reply server_engine::execute(const command& request, std::int64_t now_ms) {
  settle_scripts();
  set_now(now_ms);
  append(request);
  return receive_answer(request);
}

std::optional<stored> server_engine::peek(std::string_view key, std::int64_t now_ms) {
  set_now(now_ms);
  append({"GET", key});
  append({"PEXPIRETIME", key});
  return receive_stored();
}

reply server_engine::execute_and_peek(const command& request,
                                      std::span<const std::string_view> keys, std::int64_t now_ms,
                                      std::vector<std::optional<stored>>& after) {
  settle_scripts();
  set_now(now_ms);
  append(request);
  for (const std::string_view key : keys) {
    append({"GET", key});
    append({"PEXPIRETIME", key});
  }
  reply out = receive_answer(request);
  after.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) after.push_back(receive_stored());
  return out;
}

void server_engine::flush_scripts() {
  append({"SCRIPT", "FLUSH", "SYNC"});
  ignore_next_reply();
  wanted_.clear();
  known_.clear();
  knows_more_ = false;
  settled_ = true;
}

// Faults wait for their reply: left on the way, they would act at the next command's instant.
void server_engine::erase(std::string_view key) {
  append({"DEL", key});
  receive();
}

void server_engine::overwrite(std::string_view key, std::string_view value) {
  append({"SET", key, value, "XX", "KEEPTTL"});
  receive();
}

void server_engine::append(std::initializer_list<std::string_view> words) {
  pointers_.clear();
  sizes_.clear();
  for (const std::string_view word : words) {
    pointers_.push_back(word.data());
    sizes_.push_back(word.size());
  }
  append_pointers();
}

// Inside MULTI the server does not let a client wait.
void server_engine::append(const command& request) {
  if (is_transaction(request)) {
    append({"MULTI"});
    for (const auto& words : commands_of(request)) append_words(words);
    append({"EXEC"});
  } else if (may_wait(request)) {
    append({"MULTI"});
    append_words({request.words.data(), request.words.size()});
    append({"EXEC"});
  } else if (request.lua != nullptr) {
    append_script(request);
  } else {
    append_words({request.words.data(), request.words.size()});
  }
}

reply server_engine::receive_answer(const command& request) {
  reply out;
  if (is_transaction(request)) {
    for (std::size_t i = 0; i <= commands_of(request).size(); ++i) receive();
    convert(*receive(), out);
  } else if (may_wait(request)) {
    receive();
    const owned_reply queued = receive();
    const owned_reply all = receive();
    convert(all->elements == 1 ? *all->element[0] : *queued, out);
  } else {
    convert(*receive(), out);
  }
  return out;
}

void server_engine::append_words(std::span<const std::string> words) {
  BOOST_ASSERT(!words.empty());
  pointers_.clear();
  sizes_.clear();
  for (const std::string& word : words) {
    pointers_.push_back(word.data());
    sizes_.push_back(word.size());
  }
  append_pointers();
  if (equals_ignoring_case(words[0], "eval") || equals_ignoring_case(words[0], "script")) {
    knows_more_ = true;
    // It may have been a SCRIPT FLUSH: a later `load` then has to send its script again.
    known_.clear();
  }
}

void server_engine::append_script(const command& request) {
  pointers_.clear();
  sizes_.clear();
  const auto add = [this](std::string_view word) {
    pointers_.push_back(word.data());
    sizes_.push_back(word.size());
  };
  add(request.by_text ? "EVAL" : "EVALSHA");
  add(request.by_text ? request.lua->text : request.lua->sha1);
  const auto [end, error] =
      std::to_chars(key_count_, key_count_ + sizeof key_count_, request.key_count);
  add({key_count_, static_cast<std::size_t>(end - key_count_)});
  for (const std::string& word : request.words) add(word);
  append_pointers();
  if (request.by_text) known_.insert(request.lua->sha1);
}

void server_engine::append_pointers() {
  const int status = ::redisAppendCommandArgv(connection_.get(), static_cast<int>(pointers_.size()),
                                              pointers_.data(), sizes_.data());
  if (status != REDIS_OK) fail("cannot write a command: " + std::string(connection_->errstr));
}

server_engine::owned_reply server_engine::receive() {
  for (;;) {
    void* answer = nullptr;
    if (::redisGetReply(connection_.get(), &answer) != REDIS_OK || answer == nullptr) {
      const std::string reason = connection_->errstr;
      fail(process_.alive() ? "redis-server: " + reason : "redis-server ended: " + reason);
    }
    owned_reply owned(static_cast<redisReply*>(answer));
    if (ignored_ == 0) return owned;
    --ignored_;
  }
}

// A key that holds no string answers GET with an error: its value stays empty, as in the model.
std::optional<stored> server_engine::receive_stored() {
  const owned_reply value = receive();
  const owned_reply deadline = receive();
  if (value->type == REDIS_REPLY_NIL) return std::nullopt;
  stored found;
  if (value->type == REDIS_REPLY_STRING) found.value.assign(value->str, value->len);
  if (deadline->integer != -1) found.deadline_ms = deadline->integer - epoch_unix_ms;
  return found;
}

}  // namespace leaselab::sim::redis
