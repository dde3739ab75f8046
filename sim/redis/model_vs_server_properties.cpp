// The model earns its trust: random commands, scripts and clock moves give byte-equal replies and
// equal deadlines on both engines. Left out is what leaks real time or chance (OBJECT IDLETIME,
// DBSIZE, math.random, client ids, INFO, busy scripts), and hashes too large for a listpack, whose
// order is chance.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "providers/transaction.hpp"
#include "sim/redis/differential.hpp"
#include "sim/redis/numbers.hpp"
#include "sim/redis/sample_scripts.hpp"

namespace leaselab::sim::redis {
namespace {

using words = std::vector<std::string>;

const words keys = {"a", "b", "lease:{x}", "h"};

// Where the clock goes before a command.
struct clock_move {
  enum class kind { by, to_deadline, to } how = kind::by;
  std::int64_t amount_ms = 0;
  std::size_t key = 0;  // to_deadline: of this key, if it has one
};

struct step {
  clock_move move;
  words plain;      // a plain command, or
  int script = -1;  // one of sample_scripts()
  bool by_text = false;
  bool look = false;  // compare what is stored afterwards
};

command to_command(const step& s) {
  command request;
  request.words.assign(s.plain.begin(), s.plain.end());
  if (s.script >= 0) request.lua = &sample_scripts()[static_cast<std::size_t>(s.script)];
  request.by_text = s.by_text;
  return request;
}

void showValue(const step& s, std::ostream& out) {
  const char* how = s.move.how == clock_move::kind::by            ? "by "
                    : s.move.how == clock_move::kind::to_deadline ? "deadline of "
                                                                  : "to ";
  out << "\n  [clock " << how;
  if (s.move.how == clock_move::kind::to_deadline) out << keys[s.move.key] << " + ";
  out << s.move.amount_ms << (s.look ? ", look] " : "] ") << describe(to_command(s), 0);
}

auto key() { return rc::gen::elementOf(keys); }

auto value() {
  return rc::gen::element<std::string>("", "x", "owner-1", "owner-2", "5", "-3", "0", "007", " 1",
                                       "1.5", "9223372036854775807", "-9223372036854775808",
                                       "two words", std::string("nul\0byte", 8), "ünï");
}

// Numbers of every unit and none: ttls, unix times around the epoch, the ends of the range.
auto amount() {
  return rc::gen::element<std::string>(
      "0", "1", "-1", "2", "10", "100", "101", "1000", "-1000", "15000", "499", "500", "1499",
      "9007199254740991", "9223372036854775807", "9223372036854775806", "-9223372036854775808",
      "9223372036854775808", "9223370459018975807", "9223370459018975808", "9223372036854775",
      "9223372036854776", "-9223372036854776", "1577836800000", "1577836800100", "1577836800101",
      "1577836800", "1577836801", "abc", "", "+5", "05", "-0", "1e3", "1.5");
}

auto set_option() {
  return rc::gen::element<std::string>("NX", "xx", "GET", "KEEPTTL", "EX", "PX", "pX", "EXAT",
                                       "PXAT", "PERSIST", "junk");
}

auto expire_option() { return rc::gen::element<std::string>("NX", "xx", "GT", "lt", "junk"); }

rc::Gen<words> options(rc::Gen<std::string> word, std::size_t most) {
  return rc::gen::mapcat(
      rc::gen::elementOf(std::vector<std::size_t>{0, 0, 1, 1, 2, most}),
      [word](std::size_t count) { return rc::gen::container<words>(count, word); });
}

words joined(words front, const words& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

rc::Gen<words> name_and(std::vector<std::string> names, rc::Gen<words> rest) {
  return rc::gen::apply(
      [](std::string name, const words& more) { return joined({std::move(name)}, more); },
      rc::gen::elementOf(std::move(names)), std::move(rest));
}

rc::Gen<words> of(rc::Gen<std::string> one) {
  return rc::gen::map(std::move(one), [](std::string w) { return words{std::move(w)}; });
}

rc::Gen<words> of(rc::Gen<std::string> one, rc::Gen<std::string> two) {
  return rc::gen::apply(
      [](std::string a, std::string b) {
        return words{std::move(a), std::move(b)};
      },
      std::move(one), std::move(two));
}

rc::Gen<words> concat(rc::Gen<words> one, rc::Gen<words> two) {
  return rc::gen::apply([](const words& a, const words& b) { return joined(a, b); }, std::move(one),
                        std::move(two));
}

// SET as clients write it: at most one condition and one ttl.
rc::Gen<words> usual_set() {
  return rc::gen::apply(
      [](const std::string& k, const std::string& v, const words& ttl, const words& condition) {
        return joined(joined({"SET", k, v}, ttl), condition);
      },
      key(), value(),
      concat(of(rc::gen::element<std::string>("PX", "EX", "PXAT", "EXAT")), of(amount())),
      rc::gen::elementOf(std::vector<words>{{}, {"NX"}, {"XX"}, {"GET"}, {"NX", "GET"}}));
}

rc::Gen<words> string_command() {
  const auto any_option = rc::gen::oneOf(set_option(), amount());
  return rc::gen::oneOf(usual_set(),
                        name_and({"SET"}, concat(of(key(), value()), options(any_option, 5))),
                        name_and({"GET", "get", "GETDEL", "INCR", "DECR", "STRLEN"}, of(key())),
                        name_and({"SETNX", "GETSET", "APPEND"}, of(key(), value())),
                        name_and({"SETEX", "PSETEX"}, concat(of(key(), amount()), of(value()))),
                        name_and({"INCRBY", "DECRBY"}, of(key(), amount())),
                        name_and({"GETEX"}, concat(of(key()), options(any_option, 3))));
}

rc::Gen<words> key_command() {
  return rc::gen::oneOf(
      name_and({"PEXPIRE", "EXPIRE", "PEXPIREAT", "EXPIREAT"},
               concat(of(key(), amount()), options(expire_option(), 3))),
      name_and({"PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME", "PERSIST", "TYPE"}, of(key())),
      name_and({"DEL", "UNLINK", "EXISTS"}, concat(of(key()), options(key(), 3))));
}

rc::Gen<words> hash_command() {
  const auto field = rc::gen::element<std::string>("f", "g", "");
  return rc::gen::oneOf(
      name_and({"HSET"}, concat(of(key(), field), concat(of(value()), options(value(), 4)))),
      name_and({"HGET", "HEXISTS"}, of(key(), field)),
      name_and({"HDEL"}, concat(of(key(), field), options(field, 3))),
      name_and({"HSETNX"}, concat(of(key(), field), of(value()))),
      name_and({"HINCRBY"}, concat(of(key(), field), of(amount()))),
      name_and({"HGETALL", "HLEN"}, of(key())));
}

rc::Gen<words> list_command() {
  const auto end = rc::gen::element<std::string>("LEFT", "right", "LEFT", "RIGHT", "up");
  const auto few = rc::gen::element<std::string>("0", "1", "-1", "2", "-2", "-3", "5");
  const auto place = rc::gen::oneOf(few, few, amount());
  const auto seconds = rc::gen::element<std::string>(
      "0", "0.1", "1", "-1", "-0.0001", "1e3", "1e300", "9223372036854775", "9223372036854776",
      "7645000000000", "inf", "-inf", "nan", " 1", "1 ", "0x10", "abc", "");
  return rc::gen::oneOf(
      name_and({"LPUSH", "RPUSH", "LPUSH", "RPUSH", "LPUSHX", "rpushx"},
               concat(of(key(), value()), options(value(), 3))),
      name_and({"LPOP", "RPOP"}, concat(of(key()), options(place, 2))),
      name_and({"LLEN"}, of(key())), name_and({"LINDEX"}, of(key(), place)),
      name_and({"LRANGE", "LTRIM", "LRANGE"}, concat(of(key(), place), of(place))),
      name_and({"LREM"}, concat(of(key(), place), of(value()))),
      name_and({"RPOPLPUSH"}, of(key(), key())),
      name_and({"LMOVE"}, concat(of(key(), key()), of(end, end))),
      name_and({"BLPOP", "BRPOP"}, concat(concat(of(key()), options(key(), 2)), of(seconds))),
      name_and({"BLMOVE"}, concat(concat(of(key(), key()), of(end, end)), of(seconds))),
      name_and({"BRPOPLPUSH"}, concat(of(key(), key()), of(seconds))),
      name_and({"WAIT"}, of(place, amount())));
}

// From MULTI to EXEC, one that is wrong in itself among them at times.
rc::Gen<words> transaction() {
  const auto one =
      rc::gen::oneOf(string_command(), key_command(), list_command(), list_command(),
                     rc::gen::elementOf(std::vector<words>{
                         {"GET"}, {"nosuch", "a"}, {"EVAL", "return KEYS[1]", "1", "a"}}));
  return rc::gen::map(rc::gen::mapcat(rc::gen::element<std::size_t>(0, 1, 2, 3),
                                      [one](std::size_t count) {
                                        return rc::gen::container<std::vector<words>>(count, one);
                                      }),
                      [](std::vector<words> all) {
                        const command made = transaction_of(std::move(all));
                        return words(made.words.begin(), made.words.end());
                      });
}

rc::Gen<words> other_command() {
  const auto odd = rc::gen::element<std::string>("a", "", "SYNC", "async", "1", "-1", "2", "x y");
  const auto sha1 = rc::gen::elementOf([] {
    words all = {"", "0123456789012345678901234567890123456789"};
    for (const script& lua : sample_scripts()) all.push_back(lua.sha1);
    return all;
  }());
  const auto text = rc::gen::elementOf([] {
    words all;
    for (const script& lua : sample_scripts()) all.push_back(lua.text);
    return all;
  }());
  return rc::gen::oneOf(
      name_and({"PING", "ECHO", "TIME", "FLUSHALL", "FLUSHDB", "nosuch", "GET", "SET", "PUBLISH",
                "EVAL", "evalsha", "SCRIPT"},
               options(odd, 4)),
      concat(of(rc::gen::just<std::string>("SCRIPT"),
                rc::gen::element<std::string>("exists", "LOAD", "FLUSH", "nosuch", "kill")),
             options(rc::gen::oneOf(sha1, odd, text), 2)),
      name_and({"EVALSHA"}, concat(of(sha1, odd), options(rc::gen::oneOf(key(), value()), 4))),
      name_and({"EVAL"}, concat(of(text, odd), options(rc::gen::oneOf(key(), value()), 4))));
}

rc::Gen<clock_move> clock_moves() {
  using kind = clock_move::kind;
  const auto by = rc::gen::map(rc::gen::element<std::int64_t>(0, 0, 1, -1, 2, 10, 99, 100, 101,
                                                              1000, 15000, -10, -100, -1000),
                               [](std::int64_t ms) {
                                 return clock_move{kind::by, ms, 0};
                               });
  const auto to_deadline = rc::gen::apply(
      [](std::int64_t offset, std::size_t k) {
        return clock_move{kind::to_deadline, offset, k};
      },
      rc::gen::element<std::int64_t>(-1, 0, 1), rc::gen::element<std::size_t>(0, 1, 2, 3));
  const auto to = rc::gen::map(
      rc::gen::element<std::int64_t>(0, 0, 0, 5000, -epoch_unix_ms - 50, -epoch_unix_ms),
      [](std::int64_t ms) {
        return clock_move{kind::to, ms, 0};
      });
  return rc::gen::weightedOneOf<clock_move>({{20, by}, {10, to_deadline}, {1, to}});
}

rc::Gen<step> steps() {
  const auto plain = rc::gen::weightedOneOf<words>({{8, string_command()},
                                                    {6, key_command()},
                                                    {3, hash_command()},
                                                    {6, list_command()},
                                                    {2, transaction()},
                                                    {2, other_command()}});
  const auto by_plain = rc::gen::apply(
      [](clock_move move, words w, bool look) {
        return step{.move = move, .plain = std::move(w), .look = look};
      },
      clock_moves(), plain, rc::gen::element(false, false, false, true));
  std::vector<int> indices(sample_scripts().size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>(i);
  const auto by_script = rc::gen::apply(
      [](clock_move move, words w, int lua, bool by_text, bool look) {
        return step{
            .move = move, .plain = std::move(w), .script = lua, .by_text = by_text, .look = look};
      },
      clock_moves(),
      concat(of(key(), value()),
             concat(of(rc::gen::oneOf(value(), amount())), options(amount(), 2))),
      rc::gen::elementOf(indices), rc::gen::element(false, false, true),
      rc::gen::element(false, false, false, true));
  return rc::gen::weightedOneOf<step>({{3, by_plain}, {2, by_script}});
}

std::int64_t move_clock(const model_engine& model, const clock_move& move, std::int64_t now_ms) {
  if (move.how == clock_move::kind::to) return move.amount_ms;
  if (move.how == clock_move::kind::by) return now_ms + move.amount_ms;
  // Not by a look: that would delete the key where it has expired.
  for (const entry& item : model.save().entries) {
    // Beyond 2^53 the server's microseconds would wrap.
    if (item.key != keys[move.key] || item.deadline_unix_ms < 0 ||
        item.deadline_unix_ms > (std::int64_t{1} << 52)) {
      continue;
    }
    return item.deadline_unix_ms - epoch_unix_ms + move.amount_ms;
  }
  return now_ms;
}

std::uint64_t compared = 0;
bool told = false;

// The first difference is told at once: shrinking a thousand commands takes its time.
void fail(const std::string& difference) {
  if (!told) std::cout << "first difference, before shrinking: " << difference << std::endl;
  told = true;
  RC_FAIL(difference);
}

void run_on_both(twin_engines& engines, const std::vector<step>& sequence) {
  engines.reset(0);
  for (const script& lua : sample_scripts()) {
    if (lua.name != "broken") engines.load(lua);
  }
  const std::vector<std::string_view> all(keys.begin(), keys.end());
  std::int64_t now_ms = 0;
  for (const step& s : sequence) {
    now_ms = move_clock(engines.model, s.move, now_ms);
    const std::string difference =
        engines.compare(to_command(s), now_ms, s.look ? all : std::vector<std::string_view>{});
    if (!difference.empty()) fail(difference);
    ++compared;
  }
}

// A server that ended fails its sequence; the next one, be it shrunk, gets a new server.
void run_on_living_engines(std::unique_ptr<twin_engines>& engines,
                           const std::vector<step>& sequence) {
  if (engines == nullptr) engines = std::make_unique<twin_engines>();
  try {
    run_on_both(*engines, sequence);
  } catch (const server_failed& failure) {
    engines.reset();
    fail(failure.what());
  }
}

TEST(model_vs_server, gives_equal_replies_and_deadlines) {
  std::unique_ptr<twin_engines> engines;
  // Lengths up to 3,000 at every size: the elements do not grow with it.
  const auto sequences = rc::gen::resize(3000, rc::gen::container<std::vector<step>>(steps()));
  const bool held =
      rc::check("same on both engines", [&] { run_on_living_engines(engines, *sequences); });
  EXPECT_TRUE(held);
  std::cout << compared << " commands compared\n";
  if (held && std::getenv("RC_PARAMS") == nullptr) {
    EXPECT_GE(compared, 100'000u);
  }
}

}  // namespace
}  // namespace leaselab::sim::redis
