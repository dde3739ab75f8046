#include "sim/redis/commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace leaselab::sim::redis {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Sorted by name: found by halving.
constexpr auto table = std::to_array<command_spec>({
    {"append", 3, true, true, run_append},
    {"blmove", 6, true, false, run_blmove},
    {"blpop", -3, true, false, run_blpop},
    {"brpop", -3, true, false, run_brpop},
    {"brpoplpush", 4, true, false, run_brpoplpush},
    {"decr", 2, true, true, run_decr},
    {"decrby", 3, true, true, run_decrby},
    {"del", -2, true, true, run_del},
    {"echo", 2, false, true, run_echo},
    {"eval", -3, false, false, nullptr},
    {"evalsha", -3, false, false, nullptr},
    {"exists", -2, false, true, run_exists},
    {"expire", -3, true, true, run_expire},
    {"expireat", -3, true, true, run_expireat},
    {"expiretime", 2, false, true, run_expiretime},
    {"flushall", -1, true, true, run_flush},
    {"flushdb", -1, true, true, run_flush},
    {"get", 2, false, true, run_get},
    {"getdel", 2, true, true, run_getdel},
    {"getex", -2, true, true, run_getex},
    {"getset", 3, true, true, run_getset},
    {"hdel", -3, true, true, run_hdel},
    {"hexists", 3, false, true, run_hexists},
    {"hget", 3, false, true, run_hget},
    {"hgetall", 2, false, true, run_hgetall},
    {"hincrby", 4, true, true, run_hincrby},
    {"hlen", 2, false, true, run_hlen},
    {"hset", -4, true, true, run_hset},
    {"hsetnx", 4, true, true, run_hsetnx},
    {"incr", 2, true, true, run_incr},
    {"incrby", 3, true, true, run_incrby},
    {"lindex", 3, false, true, run_lindex},
    {"llen", 2, false, true, run_llen},
    {"lmove", 5, true, true, run_lmove},
    {"lpop", -2, true, true, run_lpop},
    {"lpush", -3, true, true, run_lpush},
    {"lpushx", -3, true, true, run_lpushx},
    {"lrange", 4, false, true, run_lrange},
    {"lrem", 4, true, true, run_lrem},
    {"ltrim", 4, true, true, run_ltrim},
    {"persist", 2, true, true, run_persist},
    {"pexpire", -3, true, true, run_pexpire},
    {"pexpireat", -3, true, true, run_pexpireat},
    {"pexpiretime", 2, false, true, run_pexpiretime},
    {"ping", -1, false, true, run_ping},
    {"psetex", 4, true, true, run_psetex},
    {"pttl", 2, false, true, run_pttl},
    {"publish", 3, false, true, run_publish},
    {"rpop", -2, true, true, run_rpop},
    {"rpoplpush", 3, true, true, run_rpoplpush},
    {"rpush", -3, true, true, run_rpush},
    {"rpushx", -3, true, true, run_rpushx},
    {"script", -2, false, false, nullptr},
    {"set", -3, true, true, run_set},
    {"setex", 4, true, true, run_setex},
    {"setnx", 3, true, true, run_setnx},
    {"strlen", 2, false, true, run_strlen},
    {"time", 1, false, true, run_time},
    {"ttl", 2, false, true, run_ttl},
    {"type", 2, false, true, run_type},
    {"unlink", -2, true, true, run_del},
    {"wait", 3, false, false, run_wait},
});
static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
constexpr std::size_t longest_name = 11;

// Named as errors name them; found by what follows the bar.
constexpr std::string_view script_prefix = "script|";
constexpr auto script_subcommands = std::to_array<command_spec>({
    {"script|exists", -3, false, false, nullptr},
    {"script|flush", -2, false, false, nullptr},
    {"script|kill", 2, false, false, nullptr},
    {"script|load", 3, false, false, nullptr},
});

std::string_view short_name(const command_spec& spec) {
  return spec.name.starts_with(script_prefix) ? spec.name.substr(script_prefix.size()) : spec.name;
}

const command_spec* find_in(std::span<const command_spec> specs, std::string_view name) {
  if (name.empty() || name.size() > longest_name) return nullptr;
  std::array<char, longest_name> buffer;
  std::transform(name.begin(), name.end(), buffer.begin(), lower);
  const std::string_view wanted(buffer.data(), name.size());
  const auto at = std::lower_bound(
      specs.begin(), specs.end(), wanted,
      [](const command_spec& spec, std::string_view n) { return short_name(spec) < n; });
  return at != specs.end() && short_name(*at) == wanted ? &*at : nullptr;
}

void begin(reply& out, reply_kind kind) {
  out.kind = kind;
  out.integer = 0;
  out.text.clear();
  out.items.clear();
}

// Errors and statuses are one line on the wire.
void blank_line_ends(std::string& text) {
  for (char& c : text) {
    if (c == '\r' || c == '\n') c = ' ';
  }
}

// Up to 128 bytes of arguments, so that a client sees what it sent without the error growing.
std::string quoted_arguments(std::span<const std::string_view> words) {
  std::string quoted;
  for (std::size_t i = 1; i < words.size() && quoted.size() < 128; ++i) {
    const std::size_t room = 128 - quoted.size();
    quoted += '\'';
    quoted += words[i].substr(0, std::min(words[i].find('\0'), room));
    quoted += "' ";
  }
  return quoted;
}

}  // namespace

const command_spec* find_command(std::span<const std::string_view> words) {
  const command_spec* spec = find_in(table, words[0]);
  if (spec == nullptr || spec->name != "script" || words.size() == 1) return spec;
  return find_in(script_subcommands, words[1]);
}

bool arity_fits(const command_spec& spec, std::size_t words) {
  const auto count = static_cast<int>(words);
  return spec.arity > 0 ? count == spec.arity : count >= -spec.arity;
}

void answer_nil(reply& out) { begin(out, reply_kind::nil); }

void answer_integer(reply& out, std::int64_t value) {
  begin(out, reply_kind::integer);
  out.integer = value;
}

void answer_text(reply& out, std::string_view text) {
  begin(out, reply_kind::text);
  out.text = text;
}

void answer_status(reply& out, std::string_view text) {
  begin(out, reply_kind::status);
  out.text = text;
  blank_line_ends(out.text);
}

void answer_error(reply& out, std::string_view text) {
  begin(out, reply_kind::error);
  out.text = "ERR ";
  out.text += text;
  blank_line_ends(out.text);
}

void answer_coded_error(reply& out, std::string_view text) {
  begin(out, reply_kind::error);
  out.text = text;
  blank_line_ends(out.text);
}

void answer_wrong_type(reply& out) {
  answer_coded_error(out, "WRONGTYPE Operation against a key holding the wrong kind of value");
}

void answer_syntax_error(reply& out) { answer_coded_error(out, "ERR syntax error"); }

void answer_wrong_arity(reply& out, const command_spec& spec) {
  answer_error(out, "wrong number of arguments for '" + std::string(spec.name) + "' command");
}

void answer_unknown_command(reply& out, std::span<const std::string_view> words) {
  const auto shown = [](std::string_view word) {
    return std::string(word.substr(0, std::min(word.find('\0'), std::size_t{128})));
  };
  if (equals_ignoring_case(words[0], "script")) {
    return answer_error(out, "unknown subcommand '" + shown(words[1]) + "'. Try SCRIPT HELP.");
  }
  answer_error(out, "unknown command '" + shown(words[0]) +
                        "', with args beginning with: " + quoted_arguments(words));
}

void answer_not_an_integer(reply& out) {
  answer_coded_error(out, "ERR value is not an integer or out of range");
}

void answer_bad_expire(invocation& call) {
  answer_error(call.out, "invalid expire time in '" + std::string(call.spec.name) + "' command");
}

bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return lower(a) == b; });
}

}  // namespace leaselab::sim::redis
