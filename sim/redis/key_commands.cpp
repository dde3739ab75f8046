// DEL, EXISTS, TYPE and the commands that set and read deadlines.
#include <limits>
#include <optional>

#include "sim/redis/commands.hpp"
#include "sim/redis/numbers.hpp"

namespace leaselab::sim::redis {
namespace {

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t min_int64 = std::numeric_limits<std::int64_t>::min();

enum class time_unit : std::uint8_t { seconds, milliseconds };

struct expire_conditions {
  bool nx = false, xx = false, gt = false, lt = false;
};

bool parse_condition(expire_conditions& conditions, std::string_view word) {
  if (equals_ignoring_case(word, "nx")) return conditions.nx = true;
  if (equals_ignoring_case(word, "xx")) return conditions.xx = true;
  if (equals_ignoring_case(word, "gt")) return conditions.gt = true;
  if (equals_ignoring_case(word, "lt")) return conditions.lt = true;
  return false;
}

// False: the error is answered.
bool parse_conditions(invocation& call, expire_conditions& conditions) {
  for (const std::string_view word : call.words.subspan(3)) {
    if (parse_condition(conditions, word)) continue;
    answer_error(call.out, "Unsupported option " + std::string(word.substr(0, word.find('\0'))));
    return false;
  }
  const auto& c = conditions;
  if (c.nx && (c.xx || c.gt || c.lt)) {
    answer_error(call.out, "NX and XX, GT or LT options at the same time are not compatible");
    return false;
  }
  if (c.gt && c.lt) {
    answer_error(call.out, "GT and LT options at the same time are not compatible");
    return false;
  }
  return true;
}

// In unix ms; `base` is what the amount counts from. None: the error is answered.
std::optional<std::int64_t> parse_deadline(invocation& call, std::int64_t base, time_unit unit) {
  const std::optional<std::int64_t> amount = parse_integer(call.words[2]);
  if (!amount) {
    answer_not_an_integer(call.out);
    return std::nullopt;
  }
  const bool seconds = unit == time_unit::seconds;
  bool valid = !seconds || (*amount <= max_int64 / 1000 && *amount >= min_int64 / 1000);
  const std::int64_t in_ms = valid && seconds ? *amount * 1000 : *amount;
  valid = valid && in_ms <= wrapping_subtract(max_int64, base);
  if (valid) return wrapping_add(in_ms, base);
  answer_bad_expire(call);
  return std::nullopt;
}

bool allowed(const expire_conditions& conditions, std::int64_t current, std::int64_t wanted) {
  const bool expires = current != told_as_none;
  if (conditions.nx && expires) return false;
  if (conditions.xx && !expires) return false;
  if (conditions.gt && (!expires || wanted <= current)) return false;
  return !(conditions.lt && expires && wanted >= current);
}

void expire(invocation& call, std::int64_t base, time_unit unit) {
  expire_conditions conditions;
  if (!parse_conditions(call, conditions)) return;
  const auto deadline = parse_deadline(call, base, unit);
  if (!deadline) return;
  entry* item = call.find(call.key());
  if (item == nullptr || !allowed(conditions, item->told_deadline(), *deadline)) {
    return answer_integer(call.out, 0);
  }
  // A deadline that has come, even this very ms, deletes, although a key is alive at its deadline.
  if (*deadline <= call.now_unix_ms) {
    call.keys.erase(call.key());
  } else {
    item->deadline_unix_ms = *deadline;
  }
  ++call.writes;
  answer_integer(call.out, 1);
}

void answer_deadline(invocation& call, std::int64_t base, time_unit unit) {
  const entry* item = call.find(call.key());
  if (item == nullptr) return answer_integer(call.out, -2);
  if (item->told_deadline() == told_as_none) return answer_integer(call.out, -1);
  std::int64_t left = wrapping_subtract(item->deadline_unix_ms, base);
  if (left < 0) left = 0;
  if (unit == time_unit::milliseconds) return answer_integer(call.out, left);
  // Unsigned, as the server's compiler made it: rounding the last deadlines of the range up
  // gives no negative number.
  answer_integer(call.out,
                 static_cast<std::int64_t>((static_cast<std::uint64_t>(left) + 500) / 1000));
}

}  // namespace

void run_del(invocation& call) {
  std::int64_t removed = 0;
  for (const std::string_view key : call.words.subspan(1)) {
    if (call.find(key) != nullptr && call.keys.erase(key)) ++removed;
  }
  call.writes += static_cast<std::uint64_t>(removed);
  answer_integer(call.out, removed);
}

void run_exists(invocation& call) {
  std::int64_t found = 0;
  for (const std::string_view key : call.words.subspan(1)) found += call.find(key) != nullptr;
  answer_integer(call.out, found);
}

void run_type(invocation& call) {
  const entry* item = call.find(call.key());
  if (item == nullptr) return answer_status(call.out, "none");
  constexpr std::string_view names[] = {"string", "hash", "list"};
  answer_status(call.out, names[static_cast<std::size_t>(item->kind)]);
}

void run_persist(invocation& call) {
  entry* item = call.find(call.key());
  if (item == nullptr || item->deadline_unix_ms == no_deadline) return answer_integer(call.out, 0);
  item->deadline_unix_ms = no_deadline;
  ++call.writes;
  answer_integer(call.out, 1);
}

void run_expire(invocation& call) { expire(call, call.now_unix_ms, time_unit::seconds); }
void run_pexpire(invocation& call) { expire(call, call.now_unix_ms, time_unit::milliseconds); }
void run_expireat(invocation& call) { expire(call, 0, time_unit::seconds); }
void run_pexpireat(invocation& call) { expire(call, 0, time_unit::milliseconds); }

void run_ttl(invocation& call) { answer_deadline(call, call.now_unix_ms, time_unit::seconds); }
void run_pttl(invocation& call) {
  answer_deadline(call, call.now_unix_ms, time_unit::milliseconds);
}
void run_expiretime(invocation& call) { answer_deadline(call, 0, time_unit::seconds); }
void run_pexpiretime(invocation& call) { answer_deadline(call, 0, time_unit::milliseconds); }

}  // namespace leaselab::sim::redis
