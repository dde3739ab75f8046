// Commands that wait at the backend, in whole worlds and on both engines: when they are answered,
// who is served first, and who is not served any more.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>

#include "providers/error.hpp"
#include "sim/redis/differential.hpp"
#include "sim/testing/command_provider.hpp"
#include "sim/testing/plan_builder.hpp"
#include "sim/world.hpp"

namespace leaselab::sim {
namespace {

using testing::plan_builder;

enum class engine_kind : std::uint8_t { model, server };

class those_that_wait : public ::testing::TestWithParam<engine_kind> {
 public:
  those_that_wait() : world_(variant_, make_engine()) { plan_.value.one_at_a_time = false; }

  static std::unique_ptr<redis::engine> make_engine() {
    if (GetParam() == engine_kind::model) return std::make_unique<redis::model_engine>();
    return std::make_unique<redis::server_engine>();
  }
  // At that many microseconds.
  those_that_wait& say(std::int64_t at_us, process_id process, const std::string& words) {
    plan_.call(at_us * 1000, process, verb::acquire, words, 1000);
    return *this;
  }
  const run_record& run() { return world_.run(plan_.value, order_); }
  // What a call was answered, and at how many microseconds.
  std::string heard(std::size_t call) const {
    const auto& record = world_.record();
    const call_record& one = record.calls.at(call);
    if (one.completed == never) return "nothing";
    std::ostringstream out;
    if (one.ended == outcome::ok) {
      out << record.owners[one.named];
    } else {
      out << to_string(one.code);
    }
    out << " at " << one.completed / 1000;
    return out.str();
  }

  plan_builder plan_;

 private:
  const variant variant_ = testing::command_variant();
  world world_;
  testing::earliest_first order_;
};

std::string name_of_engine(const ::testing::TestParamInfo<engine_kind>& info) {
  return info.param == engine_kind::model ? "model" : "server";
}
INSTANTIATE_TEST_SUITE_P(engines, those_that_wait,
                         ::testing::Values(engine_kind::model, engine_kind::server),
                         name_of_engine);

class those_that_wait_on_a_server : public those_that_wait {};
INSTANTIATE_TEST_SUITE_P(engines, those_that_wait_on_a_server,
                         ::testing::Values(engine_kind::server), name_of_engine);

TEST_P(those_that_wait, are_answered_at_once_where_there_is_something) {
  say(0, 0, "RPUSH q a b").say(5'000, 1, "BLPOP q 1").say(6'000, 1, "BRPOP p q 0");
  run();
  EXPECT_EQ(heard(1), "[ \"q\" \"a\" ] at 5000");
  EXPECT_EQ(heard(2), "[ \"q\" \"b\" ] at 6000");
}

// In the millisecond after the 50th, as redis-server counts: never too early.
TEST_P(those_that_wait, hear_of_nothing_at_their_deadline_on_the_backends_clock) {
  say(10'300, 0, "BLPOP q 0.05").say(10'999, 1, "BRPOPLPUSH q p 0.0491");
  run();
  EXPECT_EQ(heard(0), "nil at 61000");
  EXPECT_EQ(heard(1), "nil at 61000");
}

TEST_P(those_that_wait, count_from_the_landing_and_answer_with_a_reply_on_its_way) {
  plan_.value.bounds.delay_min = plan_.value.bounds.delay_max = 2 * ns_per_ms;
  plan_.value.backend_phase = 500'000;
  say(10'300, 0, "BLPOP q 0.05");
  run();
  // Lands at 12.3 ms, which is 12.8 there; 63 there is 62.5.
  EXPECT_EQ(heard(0), "nil at 64500");
}

TEST_P(those_that_wait, are_served_in_the_order_of_their_coming) {
  say(0, 1, "BLPOP q 0").say(1'000, 0, "BLPOP q 0").say(2'000, 2, "BRPOP q 0.5");
  say(20'000, 3, "RPUSH q a").say(30'000, 3, "RPUSH q b c");
  run();
  EXPECT_EQ(heard(0), "[ \"q\" \"a\" ] at 20000");
  EXPECT_EQ(heard(1), "[ \"q\" \"b\" ] at 30000");
  EXPECT_EQ(heard(2), "[ \"q\" \"c\" ] at 30000");
}

TEST_P(those_that_wait, feed_each_other) {
  say(0, 0, "BLPOP b 0").say(1'000, 1, "BLMOVE a b LEFT RIGHT 0").say(5'000, 2, "LPUSH a x");
  run();
  EXPECT_EQ(heard(1), "\"x\" at 5000");
  EXPECT_EQ(heard(0), "[ \"b\" \"x\" ] at 5000");
}

TEST_P(those_that_wait, that_wait_for_ever_are_ended_by_their_calls_limit) {
  say(0, 0, "BLPOP q 0");
  run();
  EXPECT_EQ(heard(0), "timed_out at 5000000");
}

TEST_P(those_that_wait, get_nothing_when_they_are_dead) {
  say(0, 0, "BLPOP q 0").say(1'000, 1, "BLPOP q 0").say(2'000, 2, "BLPOP q 0");
  plan_.value.calls[1].limit = 9 * ns_per_ms;
  plan_.fault(fault_kind::crash, 0, 5 * ns_per_ms, never);
  say(20'000, 3, "LPUSH q a").say(30'000, 3, "LLEN q");
  run();
  EXPECT_EQ(heard(0), "nothing");
  EXPECT_EQ(heard(1), "timed_out at 10000");
  EXPECT_EQ(heard(2), "[ \"q\" \"a\" ] at 20000");
  EXPECT_EQ(heard(4), "0 at 30000");
}

// A request of the dead that is on its way lands like any other, but nobody waits there.
TEST_P(those_that_wait, do_not_begin_to_wait_when_they_are_dead) {
  plan_.value.bounds.delay_min = plan_.value.bounds.delay_max = 2 * ns_per_ms;
  say(0, 0, "BLPOP q 0");
  plan_.fault(fault_kind::crash, 0, ns_per_ms, never);
  say(20'000, 1, "LPUSH q a").say(30'000, 1, "LLEN q");
  run();
  EXPECT_EQ(heard(2), "1 at 34000");
}

TEST_P(those_that_wait, lose_what_is_lost_on_its_way_to_them) {
  say(0, 0, "BLPOP q 0").say(10'000, 1, "LPUSH q a").say(20'000, 1, "LLEN q");
  plan_.fault(fault_kind::drop, 0, 0, 0);
  plan_.value.faults[0].call = 0;
  plan_.value.faults[0].leg = leg::reply;
  run();
  EXPECT_EQ(heard(0), "timed_out at 5000000");
  EXPECT_EQ(heard(2), "0 at 20000");
}

TEST_P(those_that_wait, do_not_wait_inside_a_transaction) {
  say(0, 0, "EXEC 3 BLPOP q 0 3 RPUSH q a 3 BLPOP q 0");
  say(1'000, 0, "EXEC 3 RPUSH q b 2 BLPOP q").say(2'000, 0, "LLEN q");
  run();
  EXPECT_EQ(heard(0), "[ nil 1 [ \"q\" \"a\" ] ] at 0");
  EXPECT_EQ(heard(1), "-\"EXECABORT Transaction discarded because of previous errors.\" at 1000");
  EXPECT_EQ(heard(2), "0 at 2000");
}

TEST_P(those_that_wait, are_served_by_a_script_and_by_a_transaction_once_it_is_over) {
  say(0, 0, "BLPOP q 0").say(1'000, 1, "EXEC 3 RPUSH q a 2 LPOP q 3 RPUSH q b");
  say(2'000, 0, "BLPOP q 0");
  run();
  EXPECT_EQ(heard(0), "[ \"q\" \"b\" ] at 1000");
}

TEST_P(those_that_wait, stand_still_with_the_backends_clock) {
  say(0, 0, "BLPOP q 0.05");
  plan_.fault(fault_kind::freeze, backend_process, 20 * ns_per_ms, 30 * ns_per_ms);
  run();
  EXPECT_EQ(heard(0), "nil at 81000");
}

TEST_P(those_that_wait, go_with_the_backends_clock_when_it_jumps) {
  say(0, 0, "BLPOP q 0.05").say(0, 1, "BLPOP q 0.03");
  plan_.fault(fault_kind::step, backend_process, 20 * ns_per_ms, 0);
  plan_.value.faults[0].by = 20 * ns_per_ms;
  run();
  EXPECT_EQ(heard(0), "nil at 31000");
  EXPECT_EQ(heard(1), "nil at 20000");
}

TEST_P(those_that_wait, lose_their_connection_when_the_backend_goes_down) {
  say(0, 0, "BLPOP q 0.05").say(30'000, 1, "LPUSH q a").say(40'000, 1, "LLEN q");
  plan_.fault(fault_kind::backend_down, no_process, 20 * ns_per_ms, 5 * ns_per_ms);
  run();
  EXPECT_EQ(heard(0), "connection_lost at 20000");
  EXPECT_EQ(heard(2), "1 at 40000");
}

TEST_P(those_that_wait, hold_still_while_the_key_is_of_another_type) {
  say(0, 0, "BLPOP q 0").say(1'000, 1, "SET q x").say(2'000, 1, "BLPOP q 0");
  say(3'000, 1, "DEL q").say(4'000, 1, "LPUSH q a");
  run();
  EXPECT_EQ(heard(2).substr(0, 11), "-\"WRONGTYPE");
  EXPECT_EQ(heard(0), "[ \"q\" \"a\" ] at 4000");
}

TEST_P(those_that_wait, errors_are_answered_at_once) {
  say(0, 0, "BLPOP q").say(1'000, 0, "BLPOP q x").say(2'000, 0, "BLPOP q -1");
  run();
  EXPECT_EQ(heard(0), "-\"ERR wrong number of arguments for 'blpop' command\" at 0");
  EXPECT_EQ(heard(1), "-\"ERR timeout is not a float or out of range\" at 1000");
  EXPECT_EQ(heard(2), "-\"ERR timeout is negative\" at 2000");
}

TEST_P(those_that_wait, of_wait_hear_that_there_are_no_replicas) {
  say(0, 0, "WAIT 0 50").say(1'000, 0, "WAIT 1 50");
  run();
  EXPECT_EQ(heard(0), "0 at 0");
  EXPECT_EQ(heard(1), "0 at 52000");
}

// The attempt at the landing is one, what it gets later another; looks in vain are none.
TEST_P(those_that_wait, leave_a_step_where_they_landed_and_one_where_they_were_served) {
  say(0, 0, "BLPOP q 0").say(5'000, 1, "LLEN q").say(20'000, 1, "LPUSH q a");
  std::vector<std::pair<call_index, true_time>> steps;
  for (const event& each : run().events)
    if (each.kind == event_kind::step) steps.emplace_back(each.call, each.at / ns_per_ms);
  const std::vector<std::pair<call_index, true_time>> wanted{{0, 0}, {1, 5}, {2, 20}, {0, 20}};
  EXPECT_EQ(steps, wanted);
}

TEST_P(those_that_wait_on_a_server, wait_for_sorted_sets_and_several_lists) {
  say(0, 0, "BZPOPMIN z 0").say(0, 1, "BZMPOP 0.01 1 y MAX").say(0, 2, "BLMPOP 0 2 p q RIGHT");
  say(5'000, 3, "ZADD z 2 b 1 a").say(6'000, 3, "RPUSH q a b").say(7'000, 3, "BZPOPMAX z 1");
  run();
  EXPECT_EQ(heard(0), "[ \"z\" \"a\" \"1\" ] at 5000");
  EXPECT_EQ(heard(1), "nil at 11000");
  EXPECT_EQ(heard(2), "[ \"q\" [ \"b\" ] ] at 6000");
  EXPECT_EQ(heard(5), "[ \"z\" \"b\" \"2\" ] at 7000");
}

// $ is the end of the stream as the command lands.
TEST_P(those_that_wait_on_a_server, wait_for_what_comes_into_a_stream) {
  say(0, 0, "XADD s 1-1 f old").say(1'000, 0, "XGROUP CREATE s g $");
  say(2'000, 0, "XREAD BLOCK 0 STREAMS none s $ $");
  say(3'000, 1, "XREADGROUP GROUP g me COUNT 1 BLOCK 0 STREAMS s >");
  say(4'000, 2, "XREAD block 9 STREAMS s 2-1");
  say(10'000, 3, "XADD s 2-1 f new");
  run();
  const std::string news = "[ [ \"s\" [ [ \"2-1\" [ \"f\" \"new\" ] ] ] ] ] at 10000";
  EXPECT_EQ(heard(2), news);
  EXPECT_EQ(heard(3), news);
  EXPECT_EQ(heard(4), "nil at 14000");
}

TEST(commands_that_wait, and_that_the_model_does_not_know_end_the_run_with_a_line_that_says_so) {
  const variant kind = testing::command_variant();
  world where(kind, std::make_unique<redis::model_engine>());
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "BZPOPMIN z 0", 1000);
  testing::earliest_first order;
  try {
    where.run(plan.value, order);
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("BZPOPMIN"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--engine server"), std::string::npos);
  }
}

}  // namespace
}  // namespace leaselab::sim
