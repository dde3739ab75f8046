#include <gtest/gtest.h>

#include <limits>

#include "sim/redis/model_engine.hpp"
#include "sim/redis/split_run.hpp"

namespace leaselab::sim::redis {
namespace {

command plain(std::initializer_list<std::string> words) {
  command request;
  request.words.assign(words.begin(), words.end());
  return request;
}

command call(const script& lua, std::initializer_list<std::string> words, bool by_text = false) {
  command request = plain(words);
  request.lua = &lua;
  request.by_text = by_text;
  return request;
}

reply integer(std::int64_t value) {
  reply out;
  answer_integer(out, value);
  return out;
}

reply text(std::string_view value) {
  reply out;
  answer_text(out, value);
  return out;
}

reply status(std::string_view value) {
  reply out;
  answer_status(out, value);
  return out;
}

reply error(std::string_view value) {
  reply out;
  answer_coded_error(out, value);
  return out;
}

const script renew("renew",
                   "if redis.call('GET', KEYS[1]) == ARGV[1] then\n"
                   "  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\n"
                   "end\n"
                   "return 0\n");
const script transfer("transfer",
                      "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
                      "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\n"
                      "return 1\n");
const script increment("increment",
                       "redis.call('GET', KEYS[1])\nreturn redis.call('INCR', KEYS[1])");

class engines : public testing::Test {
 protected:
  engines() { model.reset(0); }

  reply at(std::int64_t now_ms, std::initializer_list<std::string> words) {
    return model.execute(plain(words), now_ms);
  }

  model_engine model;
};

TEST_F(engines, a_key_is_alive_at_its_deadline_and_gone_in_the_next_millisecond) {
  at(7, {"SET", "k", "a", "PX", "100"});
  EXPECT_EQ(at(107, {"GET", "k"}), text("a"));
  EXPECT_EQ(at(107, {"PTTL", "k"}), integer(0));
  EXPECT_EQ(at(108, {"GET", "k"}), reply{});
}

TEST_F(engines, a_clock_set_back_revives_what_nobody_looked_at) {
  at(0, {"SET", "seen", "a", "PX", "100"});
  at(0, {"SET", "unseen", "a", "PX", "100"});
  EXPECT_EQ(model.peek("seen", 101), std::nullopt);
  EXPECT_EQ(at(100, {"EXISTS", "seen"}), integer(0));
  EXPECT_EQ(at(100, {"EXISTS", "unseen"}), integer(1));
}

TEST_F(engines, the_longest_ttl_is_accepted_and_a_sum_that_wraps_refused) {
  EXPECT_EQ(at(0, {"SET", "k", "a", "PX", "9007199254740991"}), status("OK"));
  EXPECT_EQ(model.peek("k", 0), (stored{"a", 9'007'199'254'740'991}));
  EXPECT_EQ(at(0, {"SET", "k", "b", "PX", "9223372036854775807"}),
            error("ERR invalid expire time in 'set' command"));
  EXPECT_EQ(at(0, {"PEXPIRE", "k", "9223372036854775807"}),
            error("ERR invalid expire time in 'pexpire' command"));
  EXPECT_EQ(at(0, {"GET", "k"}), text("a"));
}

TEST_F(engines, a_negative_clock_refuses_a_ttl_that_ends_before_1970) {
  EXPECT_EQ(at(-epoch_unix_ms - 100, {"SET", "k", "a", "PX", "100"}),
            error("ERR invalid expire time in 'set' command"));
  EXPECT_EQ(at(-epoch_unix_ms - 100, {"SET", "k", "a", "PX", "101"}), status("OK"));
}

TEST_F(engines, renewing_by_nothing_deletes_and_answers_1) {
  model.load(renew);
  for (const char* ttl : {"0", "-1"}) {
    at(0, {"SET", "k", "a", "PX", "100"});
    EXPECT_EQ(model.execute(call(renew, {"k", "a", ttl}), 10), integer(1));
    EXPECT_EQ(model.peek("k", 10), std::nullopt);
  }
}

TEST_F(engines, a_transfer_by_nothing_fails_and_keeps_the_owner) {
  model.load(transfer);
  at(0, {"SET", "k", "a", "PX", "100"});
  EXPECT_EQ(model.execute(call(transfer, {"k", "a", "b", "0"}), 10),
            error("ERR invalid expire time in 'set' command script: " + transfer.sha1 +
                  ", on @user_script:2."));
  EXPECT_EQ(model.peek("k", 10), (stored{"a", 100}));
}

TEST_F(engines, knows_the_scripts_of_its_world_only) {
  const reply no_script = error("NOSCRIPT No matching script. Please use EVAL.");
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), no_script);
  model.load(renew);
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), integer(0));
  at(0, {"FLUSHALL"});
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), integer(0));
  model.flush_scripts();
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), no_script);
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}, true), 0), integer(0));
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), integer(0));
  model.reset(0);
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), no_script);
}

TEST_F(engines, tells_scripts_apart_that_live_at_one_address) {
  std::optional<script> lua;
  for (const char* number : {"1", "2"}) {
    lua.emplace("numbered", std::string("return ") + number);
    EXPECT_EQ(model.execute(call(*lua, {"k"}, true), 0), integer(number[0] - '0'));
  }
}

TEST_F(engines, a_script_sees_one_frozen_instant) {
  const script looks("looks",
                     "redis.call('SET', KEYS[1], 'a', 'PX', 1)\n"
                     "return {redis.call('PTTL', KEYS[1]), redis.call('TIME')[2]}");
  const reply answer = model.execute(call(looks, {"k"}, true), 1234);
  EXPECT_EQ(answer.items, (std::vector<reply>{integer(1), text("234000")}));
}

TEST_F(engines, a_script_leaves_nothing_behind_for_the_next) {
  for (const char* attempt :
       {"leak = 1", "redis.leak = 1", "string.rep = 1", "_G.leak = 1", "rawset(_G, 'leak', 1)",
        "setfenv(1, {})", "math.random()", "getmetatable('').__index = {}"}) {
    const script lua("attempt", attempt);
    EXPECT_EQ(model.execute(call(lua, {"k"}, true), 0).kind, reply_kind::error) << attempt;
  }
  const script words("words", "return {#KEYS, #ARGV}");
  model.execute(call(words, {"k", "a", "b"}, true), 0);
  EXPECT_EQ(model.execute(call(words, {"k"}, true), 0).items,
            (std::vector<reply>{integer(1), integer(0)}));
}

TEST_F(engines, execute_and_peek_looks_at_the_same_instant) {
  std::vector<std::optional<stored>> after;
  const std::string_view keys[] = {"k", "other"};
  EXPECT_EQ(model.execute_and_peek(plain({"SET", "k", "a", "PX", "5"}), keys, 1, after),
            status("OK"));
  EXPECT_EQ(after, (std::vector<std::optional<stored>>{stored{"a", 6}, std::nullopt}));
}

TEST_F(engines, faults_change_the_store_behind_the_clients) {
  at(0, {"SET", "k", "a", "PX", "100"});
  model.overwrite("k", "foreign");
  EXPECT_EQ(model.peek("k", 0), (stored{"foreign", 100}));
  model.erase("k");
  EXPECT_EQ(model.peek("k", 0), std::nullopt);
  model.overwrite("k", "foreign");
  EXPECT_EQ(model.peek("k", 0), std::nullopt);
}

TEST_F(engines, counts_what_a_replica_would_receive) {
  at(0, {"SET", "k", "a", "PX", "100"});
  at(0, {"SET", "k", "b", "NX"});
  at(0, {"GET", "k"});
  at(0, {"DEL", "none"});
  EXPECT_EQ(model.writes(), 1u);
  at(200, {"GET", "k"});  // expires
  EXPECT_EQ(model.writes(), 1u);
  at(200, {"INCR", "n"});
  at(200, {"PEXPIRE", "n", "-1"});
  EXPECT_EQ(model.writes(), 3u);
}

TEST_F(engines, a_snapshot_brings_back_the_keys_and_no_more) {
  model.load(renew);
  at(0, {"SET", "k", "a", "PX", "100"});
  at(0, {"HSET", "h", "f", "v"});
  const store_snapshot before = model.save();
  at(0, {"SET", "k", "b"});
  at(0, {"DEL", "h"});
  at(0, {"SET", "new", "c"});
  model.restore(before);
  EXPECT_EQ(model.peek("k", 0), (stored{"a", 100}));
  EXPECT_EQ(at(0, {"HGET", "h", "f"}), text("v"));
  EXPECT_EQ(model.peek("new", 0), std::nullopt);
  EXPECT_EQ(model.execute(call(renew, {"k", "a", "1"}), 0), integer(1));
  EXPECT_EQ(before.writes, 2u);
  EXPECT_EQ(model.writes(), 6u);
}

TEST_F(engines, a_split_script_lets_others_in_between) {
  model.load(renew);
  at(0, {"SET", "k", "a", "PX", "100"});
  split_run run(model, call(renew, {"k", "a", "50"}));
  ASSERT_FALSE(run.done());
  EXPECT_EQ(run.next()[0], "GET");
  EXPECT_TRUE(run.step(10));
  at(11, {"SET", "k", "b", "PX", "100"});
  EXPECT_EQ(run.next()[0], "PEXPIRE");
  EXPECT_FALSE(run.step(20));
  EXPECT_EQ(run.result(), integer(1));
  EXPECT_EQ(model.peek("k", 20), (stored{"b", 70}));  // it renewed another's lease
}

TEST_F(engines, split_scripts_keep_their_own_keys_and_arguments) {
  model.load(renew);
  at(0, {"SET", "k1", "a"});
  at(0, {"SET", "k2", "b"});
  split_run one(model, call(renew, {"k1", "a", "10"}));
  split_run two(model, call(renew, {"k2", "b", "20"}));
  one.step(0);
  two.step(0);
  model.execute(call(renew, {"k1", "x", "30"}), 0);
  EXPECT_FALSE(one.step(0));
  EXPECT_FALSE(two.step(0));
  EXPECT_EQ(model.peek("k1", 0), (stored{"a", 10}));
  EXPECT_EQ(model.peek("k2", 0), (stored{"b", 20}));
}

TEST_F(engines, a_split_script_fails_as_a_whole_one_does) {
  at(0, {"SET", "k", "a"});
  const script nil_sum("nil_sum", "redis.call('GET', KEYS[1])\n\nreturn nil + 1");
  const script nothing("nothing", "return redis.call()");
  const script raises("raises", "redis.pcall('INCR', KEYS[1])\nerror({err = 'MY text'})");
  for (const script* lua : {&increment, &nil_sum, &nothing, &raises}) {
    split_run run(model, call(*lua, {"k"}, true));
    while (!run.done()) run.step(0);
    EXPECT_EQ(run.result(), model.execute(call(*lua, {"k"}, true), 0)) << lua->name;
    EXPECT_EQ(run.result().kind, reply_kind::error) << lua->name;
  }
}

TEST_F(engines, calls_where_lua_cannot_be_left_run_on_in_a_split_script) {
  const script inside("inside",
                      "pcall(redis.call, 'INCR', KEYS[1])\n"
                      "local c = coroutine.wrap(function() redis.call('INCR', KEYS[1]) end)\n"
                      "c()\n"
                      "return redis.call('GET', KEYS[1])");
  split_run run(model, call(inside, {"k"}, true));
  EXPECT_EQ(run.next()[0], "GET");
  EXPECT_FALSE(run.step(0));
  EXPECT_EQ(run.result(), text("2"));
}

TEST_F(engines, a_split_run_may_be_done_at_once_or_dropped) {
  const script constant("constant", "return {7}");
  split_run done(model, call(constant, {"k"}, true));
  ASSERT_TRUE(done.done());
  EXPECT_EQ(done.result().items, std::vector<reply>{integer(7)});
  split_run unknown(model, call(renew, {"k"}));
  ASSERT_TRUE(unknown.done());
  EXPECT_TRUE(unknown.result().is_error("NOSCRIPT"));
  {
    split_run dropped(model, call(increment, {"n"}, true));
    dropped.step(0);
  }
  EXPECT_EQ(model.peek("n", 0), std::nullopt);
}

}  // namespace
}  // namespace leaselab::sim::redis
