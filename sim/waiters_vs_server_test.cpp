// Who is served, with what and when, is as redis-server has it: the same commands at the same
// instants in a world, and by clients that really wait at a real server under the virtual clock.
//
// Left out is a client that waits for several keys which one script or transaction fills: a server
// gives it the key that was filled first, a world the one that it named first.
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <sstream>

#include "sim/redis/differential.hpp"
#include "sim/testing/command_provider.hpp"
#include "sim/testing/plan_builder.hpp"
#include "sim/world.hpp"

namespace leaselab::sim {
namespace {

struct said {
  std::int64_t at_ms = 0;  // and a half
  std::string words;
};
void showValue(const said& one, std::ostream& out) {
  out << "\n  " << one.at_ms << ".5: " << one.words;
}

// By call: what was answered, and in which millisecond. Nothing where it never was.
using answers = std::map<std::size_t, std::pair<std::string, std::int64_t>>;

constexpr std::int64_t last_ms = 100;

answers in_a_world(world& where, const std::vector<said>& all) {
  testing::plan_builder plan;
  plan.value.one_at_a_time = false;
  for (const said& one : all)
    plan.call(one.at_ms * ns_per_ms + ns_per_ms / 2, 0, verb::acquire, one.words, 1000);
  testing::earliest_first order;
  const run_record& run = where.run(plan.value, order);
  answers out;
  for (std::size_t i = 0; i < run.calls.size(); ++i) {
    const call_record& call = run.calls[i];
    if (call.ended == outcome::ok && call.completed / ns_per_ms <= last_ms)
      out[i] = {run.owners[call.named], call.completed / ns_per_ms};
  }
  return out;
}

// Clients of a server, a connection for each command.
class real_clients {
 public:
  // Those of the last time have gone: a server has room for so many.
  explicit real_clients(redis::server_engine& at) : at_(at) {
    at_.reset(0);
    while (clients("connected_clients:") > 1) {
    }
  }

  void say(std::size_t call, std::int64_t now_ms, const std::string& words) {
    now_ms_ = now_ms;
    auto& client = waiting_[call];
    client.reset(::redisConnectUnix(at_.socket_path().c_str()));
    RC_ASSERT(client != nullptr && client->err == 0);
    const std::int64_t before = blocked();
    ::redisAppendCommand(client.get(), words.c_str());
    int done = 0;
    while (done == 0) RC_ASSERT(::redisBufferWrite(client.get(), &done) == REDIS_OK);
    // A fact, not a while: it has an answer, or waits.
    while (!readable(*client) && blocked() <= before) {
    }
    collect();
  }
  // Whoever has an answer by now.
  void tick(std::int64_t now_ms) {
    now_ms_ = now_ms;
    collect();
  }
  answers heard;

 private:
  struct closer {
    void operator()(redisContext* connection) const { ::redisFree(connection); }
  };
  using connection = std::unique_ptr<redisContext, closer>;

  static bool readable(const redisContext& client) {
    pollfd look{client.fd, POLLIN, 0};
    return ::poll(&look, 1, 0) > 0;
  }
  std::int64_t blocked() { return clients("blocked_clients:"); }
  std::int64_t clients(const std::string& mark) {
    const std::string text = at_.execute({.words = {"INFO", "clients"}}, now_ms_).text;
    return std::stoll(text.substr(text.find(mark) + mark.size()));
  }
  // What a command has brought about is written before the server hears the next but one.
  void collect() {
    for (int i = 0; i < 2; ++i) at_.execute({.words = {"PING"}}, now_ms_);
    for (auto each = waiting_.begin(); each != waiting_.end();) {
      if (!readable(*each->second)) {
        ++each;
        continue;
      }
      void* answer = nullptr;
      RC_ASSERT(::redisGetReply(each->second.get(), &answer) == REDIS_OK);
      heard[each->first] = {text_of(*static_cast<redisReply*>(answer)), now_ms_};
      ::freeReplyObject(answer);
      each = waiting_.erase(each);
    }
  }
  static std::string text_of(const redisReply& answer) {
    switch (answer.type) {
      case REDIS_REPLY_INTEGER:
        return std::to_string(answer.integer);
      case REDIS_REPLY_NIL:
        return "nil";
      case REDIS_REPLY_ARRAY: {
        std::string out = "[";
        for (std::size_t i = 0; i < answer.elements; ++i) out += " " + text_of(*answer.element[i]);
        return out + " ]";
      }
      default: {
        const std::string sign = answer.type == REDIS_REPLY_ERROR    ? "-"
                                 : answer.type == REDIS_REPLY_STATUS ? "+"
                                                                     : "";
        return sign + '"' + std::string(answer.str, answer.len) + '"';
      }
    }
  }

  redis::server_engine& at_;
  std::int64_t now_ms_ = 0;
  std::map<std::size_t, connection> waiting_;
};

answers at_a_server(redis::server_engine& server, const std::vector<said>& all) {
  real_clients clients(server);
  std::size_t next = 0;
  for (std::int64_t ms = 0; ms <= last_ms; ++ms) {
    clients.tick(ms);
    for (; next < all.size() && all[next].at_ms == ms; ++next)
      clients.say(next, ms, all[next].words);
  }
  return clients.heard;
}

rc::Gen<std::string> any_of(std::vector<std::string> all) {
  return rc::gen::elementOf(std::move(all));
}

// Keys a and b are lists, z a sorted set, s a stream with a group.
rc::Gen<std::vector<said>> programs() {
  const auto waiting = any_of(
      {"BLPOP a 0", "BLPOP a 0.01", "BRPOP b a 0.0101", "BLPOP b 0.03", "BRPOP a b 0",
       "BLMOVE a b LEFT LEFT 0", "BRPOPLPUSH b a 0.02", "BLMOVE a a LEFT RIGHT 0.01",
       "BLMPOP 0.02 2 b a LEFT COUNT 2", "BZPOPMIN z 0.02", "BZPOPMAX z 0",
       "BZMPOP 0.015 1 z MIN COUNT 2", "WAIT 1 20", "WAIT 0 5", "XREAD BLOCK 20 STREAMS s $",
       "XREAD COUNT 1 BLOCK 0 STREAMS s 5-0", "XREADGROUP GROUP g one BLOCK 20 STREAMS s >"});
  const auto leaving =
      any_of({"RPUSH a 1", "LPUSH a 2 3", "RPUSH b 4", "RPUSH b 5 6 7", "ZADD z 1 x",
              "ZADD z 2 y 3 w", "XADD s * f v", "SET a string", "DEL a", "DEL b", "SET b string",
              "DEL s", "XGROUP DESTROY s g", "SET s string", "PEXPIRE b 3", "LPOP a", "RENAME b a",
              "LMOVE b a LEFT LEFT", "LRANGE b 0 -1"});
  const auto one = rc::gen::apply(
      [](std::int64_t gap, std::string words) {
        return said{gap, std::move(words)};
      },
      rc::gen::element<std::int64_t>(0, 0, 1, 2, 5), rc::gen::oneOf(waiting, leaving));
  return rc::gen::map(rc::gen::container<std::vector<said>>(one), [](std::vector<said> all) {
    if (all.size() > 24) all.resize(24);
    std::int64_t at = 1;
    for (said& each : all) each.at_ms = at = std::min(at + each.at_ms, last_ms - 1);
    all.insert(all.begin(), {{0, "XADD s 1-1 f old"}, {0, "XGROUP CREATE s g $"}});
    return all;
  });
}

TEST(waiters_vs_server, are_answered_the_same_at_the_same_instants) {
  const variant kind = testing::command_variant();
  world where(kind, std::make_unique<redis::server_engine>());
  redis::server_engine server;
  std::size_t compared = 0;
  const bool held = rc::check("same as clients that really wait", [&] {
    const auto all = *programs();
    const answers expected = at_a_server(server, all);
    RC_ASSERT(in_a_world(where, all) == expected);
    compared += expected.size();
  });
  std::cout << compared << " answers compared\n";
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace leaselab::sim
