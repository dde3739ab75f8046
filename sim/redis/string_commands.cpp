// GET, SET and their family.
#include <limits>
#include <optional>

#include "sim/redis/commands.hpp"
#include "sim/redis/numbers.hpp"

namespace leaselab::sim::redis {
namespace {

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t min_int64 = std::numeric_limits<std::int64_t>::min();

enum class expire_option : std::uint8_t { none, ex, px, exat, pxat, keep_ttl, persist };

struct set_options {
  bool only_if_absent = false;
  bool only_if_present = false;
  bool answer_old = false;
  expire_option expire = expire_option::none;
  std::string_view amount;
};

expire_option timed_option(std::string_view word) {
  if (equals_ignoring_case(word, "ex")) return expire_option::ex;
  if (equals_ignoring_case(word, "px")) return expire_option::px;
  if (equals_ignoring_case(word, "exat")) return expire_option::exat;
  if (equals_ignoring_case(word, "pxat")) return expire_option::pxat;
  return expire_option::none;
}

// EX 1 EX 2 is accepted and the last counts; two different kinds are a syntax error.
bool take_expire(set_options& options, expire_option kind) {
  if (options.expire != expire_option::none && options.expire != kind) return false;
  options.expire = kind;
  return true;
}

bool parse_set_word(set_options& options, std::string_view word) {
  if (equals_ignoring_case(word, "nx")) {
    options.only_if_absent = true;
    return !options.only_if_present;
  }
  if (equals_ignoring_case(word, "xx")) {
    options.only_if_present = true;
    return !options.only_if_absent;
  }
  if (equals_ignoring_case(word, "keepttl")) return take_expire(options, expire_option::keep_ttl);
  if (!equals_ignoring_case(word, "get")) return false;
  options.answer_old = true;
  return true;
}

std::optional<set_options> parse_options(std::span<const std::string_view> words, bool for_set) {
  set_options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const expire_option timed = timed_option(words[i]);
    if (timed != expire_option::none) {
      if (i + 1 == words.size() || !take_expire(options, timed)) return std::nullopt;
      options.amount = words[++i];
    } else if (for_set) {
      if (!parse_set_word(options, words[i])) return std::nullopt;
    } else if (!equals_ignoring_case(words[i], "persist") ||
               !take_expire(options, expire_option::persist)) {
      return std::nullopt;
    }
  }
  return options;
}

bool is_timed(expire_option kind) {
  return kind != expire_option::none && kind != expire_option::keep_ttl &&
         kind != expire_option::persist;
}

// The deadline in unix ms. None: the error is answered. The server lets the sum wrap and refuses
// what is then not positive, so that a negative clock refuses short ttls.
std::optional<std::int64_t> parse_deadline(invocation& call, expire_option kind,
                                           std::string_view amount) {
  const std::optional<std::int64_t> parsed = parse_integer(amount);
  if (!parsed) {
    answer_not_an_integer(call.out);
    return std::nullopt;
  }
  std::int64_t value = *parsed;
  const bool seconds = kind == expire_option::ex || kind == expire_option::exat;
  const bool relative = kind == expire_option::ex || kind == expire_option::px;
  bool valid = value > 0 && !(seconds && value > max_int64 / 1000);
  if (valid && seconds) value *= 1000;
  if (valid && relative) value = wrapping_add(value, call.now_unix_ms);
  if (valid && value > 0) return value;
  answer_bad_expire(call);
  return std::nullopt;
}

// Answers the string under the key. False: the key holds something else, answered as an error.
bool answer_value(invocation& call) {
  const entry* found = call.find(call.key());
  if (found == nullptr) {
    answer_nil(call.out);
    return true;
  }
  if (found->kind != value_kind::text) {
    answer_wrong_type(call.out);
    return false;
  }
  answer_text(call.out, found->text);
  return true;
}

// Overwrites whatever is there, of any type.
entry& set_value(invocation& call, std::string_view value, bool keep_deadline) {
  entry* item = call.find(call.key());
  if (item == nullptr) item = &call.keys.create(call.key());
  item->kind = value_kind::text;
  item->text = value;
  item->fields.clear();
  item->items.clear();
  if (!keep_deadline) item->deadline_unix_ms = no_deadline;
  ++call.writes;
  return *item;
}

void set_with(invocation& call, std::string_view value, const set_options& options) {
  std::int64_t deadline = no_deadline;
  if (is_timed(options.expire)) {
    const auto parsed = parse_deadline(call, options.expire, options.amount);
    if (!parsed) return;
    deadline = *parsed;
  }
  if (options.answer_old && !answer_value(call)) return;
  const bool found = call.find(call.key()) != nullptr;
  if (found ? options.only_if_absent : options.only_if_present) {
    if (!options.answer_old) answer_nil(call.out);
    return;
  }
  entry& item = set_value(call, value, options.expire == expire_option::keep_ttl);
  if (deadline != no_deadline) item.deadline_unix_ms = deadline;
  if (!options.answer_old) answer_status(call.out, "OK");
}

void add(invocation& call, std::int64_t amount) {
  entry* item = call.find(call.key());
  if (item != nullptr && item->kind != value_kind::text) return answer_wrong_type(call.out);
  const std::optional<std::int64_t> old = item == nullptr ? 0 : parse_integer(item->text);
  if (!old) return answer_not_an_integer(call.out);
  if ((amount < 0 && *old < 0 && amount < min_int64 - *old) ||
      (amount > 0 && *old > 0 && amount > max_int64 - *old)) {
    return answer_error(call.out, "increment or decrement would overflow");
  }
  if (item == nullptr) item = &call.keys.create(call.key());
  item->text = std::to_string(*old + amount);
  ++call.writes;
  answer_integer(call.out, *old + amount);
}

}  // namespace

void run_get(invocation& call) { answer_value(call); }

void run_set(invocation& call) {
  const auto options = parse_options(call.words.subspan(3), true);
  if (!options) return answer_syntax_error(call.out);
  set_with(call, call.words[2], *options);
}

void run_setnx(invocation& call) {
  if (call.find(call.key()) != nullptr) return answer_integer(call.out, 0);
  set_value(call, call.words[2], false);
  answer_integer(call.out, 1);
}

void run_setex(invocation& call) {
  set_options options;
  options.expire = expire_option::ex;
  options.amount = call.words[2];
  set_with(call, call.words[3], options);
}

void run_psetex(invocation& call) {
  set_options options;
  options.expire = expire_option::px;
  options.amount = call.words[2];
  set_with(call, call.words[3], options);
}

void run_getset(invocation& call) {
  if (answer_value(call)) set_value(call, call.words[2], false);
}

void run_getdel(invocation& call) {
  if (answer_value(call) && call.keys.erase(call.key())) ++call.writes;
}

void run_getex(invocation& call) {
  const auto options = parse_options(call.words.subspan(2), false);
  if (!options) return answer_syntax_error(call.out);
  if (!answer_value(call)) return;
  entry* item = call.find(call.key());
  if (item == nullptr) return;
  if (options->expire == expire_option::persist && item->deadline_unix_ms != no_deadline) {
    item->deadline_unix_ms = no_deadline;
    ++call.writes;
  }
  if (!is_timed(options->expire)) return;
  const auto deadline = parse_deadline(call, options->expire, options->amount);
  if (!deadline) return;
  ++call.writes;
  const bool absolute =
      options->expire == expire_option::exat || options->expire == expire_option::pxat;
  if (absolute && *deadline <= call.now_unix_ms) {
    call.keys.erase(call.key());
  } else {
    item->deadline_unix_ms = *deadline;
  }
}

void run_append(invocation& call) {
  entry* item = call.find(call.key());
  if (item != nullptr && item->kind != value_kind::text) return answer_wrong_type(call.out);
  if (item == nullptr) item = &call.keys.create(call.key());
  item->text += call.words[2];
  ++call.writes;
  answer_integer(call.out, static_cast<std::int64_t>(item->text.size()));
}

void run_strlen(invocation& call) {
  const entry* item = call.find(call.key());
  if (item == nullptr) return answer_integer(call.out, 0);
  if (item->kind != value_kind::text) return answer_wrong_type(call.out);
  answer_integer(call.out, static_cast<std::int64_t>(item->text.size()));
}

void run_incr(invocation& call) { add(call, 1); }

void run_decr(invocation& call) { add(call, -1); }

void run_incrby(invocation& call) {
  const auto amount = parse_integer(call.words[2]);
  if (!amount) return answer_not_an_integer(call.out);
  add(call, *amount);
}

void run_decrby(invocation& call) {
  const auto amount = parse_integer(call.words[2]);
  if (!amount) return answer_not_an_integer(call.out);
  if (*amount == min_int64) return answer_error(call.out, "decrement would overflow");
  add(call, -*amount);
}

}  // namespace leaselab::sim::redis
