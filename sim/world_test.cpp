#include "sim/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "providers/memory/memory_provider.hpp"

#include "sim/testing/plan_builder.hpp"

namespace leaselab::sim {
namespace {

template <class Provider>
class memory_deployment final : public deployment {
 public:
  explicit memory_deployment(const host& where) : store_(where.backend_clock) {}

  void reset(const plan&) override { store_.reset(); }
  deployed start(process_id process, environment& environment) override {
    providers_[process] = std::make_unique<Provider>(environment, store_);
    return {providers_[process].get(), false, {}};
  }
  std::optional<observed_record> peek(std::uint8_t, const std::string& key) override {
    const auto record = store_.peek(key);
    if (!record) return std::nullopt;
    owner_ = record->owner;
    return observed_record{owner_, record->deadline_granules, 0};
  }

 private:
  memory_store store_;
  std::map<process_id, std::unique_ptr<any_lease_provider>> providers_;
  std::string owner_;
};

template <class Provider = memory_provider>
variant memory_variant() {
  variant value;
  value.name = "memory";
  value.deploy = [](const host& where) {
    return std::make_unique<memory_deployment<Provider>>(where);
  };
  return value;
}

using testing::earliest_first;
using testing::plan_builder;

// A map whose acquire counts the frames that are alive while it waits.
class counting_provider final : public any_lease_provider {
 public:
  struct frame {
    frame() { ++alive; }
    ~frame() { --alive; }
    static inline int alive = 0;
  };

  counting_provider(environment& environment, memory_store& store)
      : environment_(environment), inner_(environment, store, {}) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    const frame counted;
    co_await environment_.sleep_until(environment_.now() + milliseconds(1));
    co_return co_await inner_.acquire_lease(key, owner, ttl, options);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    return inner_.get_lease_owner(key, options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    return inner_.release_lease(key, owner, options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    return inner_.renew_lease(key, owner, ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    return inner_.transfer_lease(key, from, to, ttl, options);
  }
  void close() override { inner_.close(); }

 private:
  environment& environment_;
  memory_provider inner_;
};

class world_runs : public ::testing::Test {
 protected:
  const run_record& run(const plan& value) {
    plan_ = value;
    return world_.run(plan_, order_);
  }
  static int count(const run_record& run, event_kind kind) {
    return static_cast<int>(std::count_if(run.events.begin(), run.events.end(),
                                          [&](const event& e) { return e.kind == kind; }));
  }

  variant variant_ = memory_variant<>();
  world world_{variant_};
  earliest_first order_;
  plan plan_;
};

TEST_F(world_runs, one_call_leaves_an_invocation_a_step_and_a_completion) {
  const run_record& record = run(plan_builder().call(0, 0, verb::acquire, "A", 100).value);
  ASSERT_EQ(record.calls.size(), 1u);
  EXPECT_TRUE(record.calls[0].yes);
  EXPECT_EQ(record.calls[0].trips, 1);
  EXPECT_EQ(count(record, event_kind::invoke), 1);
  EXPECT_EQ(count(record, event_kind::complete), 1);
  EXPECT_EQ(count(record, event_kind::step), 1);
  EXPECT_EQ(count(record, event_kind::believe), 1);
  const auto step = std::find_if(record.events.begin(), record.events.end(),
                                 [](const event& e) { return e.kind == event_kind::step; });
  EXPECT_EQ(step->before.owner, nobody);
  EXPECT_EQ(record.owners[step->after.owner], "A");
  EXPECT_EQ(step->after.deadline, 100);
}

TEST_F(world_runs, the_map_counts_a_record_as_dead_at_its_deadline) {
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "A", 100).call(100 * ns_per_ms - 1, 1, verb::get, "", 0);
  plan.call(100 * ns_per_ms, 1, verb::get, "", 0);
  const run_record& record = run(plan.value);
  EXPECT_EQ(record.owners[record.calls[1].named], "A");
  EXPECT_EQ(record.calls[2].named, nobody);
}

TEST_F(world_runs, same_plan_same_digest_and_the_world_leaves_nothing_behind) {
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "A", 100).call(5, 1, verb::acquire, "B", 100);
  const std::uint64_t first = run(plan.value).digest;
  plan_builder other;
  other.call(0, 0, verb::acquire, "C", 100);
  EXPECT_NE(run(other.value).digest, first);
  EXPECT_EQ(run(plan.value).digest, first);
}

TEST_F(world_runs, a_call_may_come_when_a_lease_ends) {
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "A", 100).call(40 * ns_per_ms, 1, verb::get, "", 0);
  plan.call(0, 1, verb::acquire, "B", 100).call(0, 1, verb::get, "", 0);
  plan.value.workload = workload_kind::contend;
  for (const std::uint32_t i : {2U, 3U}) {
    plan.value.calls[i].after = i - 1;
    plan.value.calls[i].wait = ns_per_ms;
    plan.value.calls[i].at_expiry = true;
  }
  const run_record& held = run(plan.value);
  EXPECT_EQ(held.calls[2].invoked, 99 * ns_per_ms);
  EXPECT_FALSE(held.calls[2].yes);
  EXPECT_EQ(held.calls[3].invoked, 99 * ns_per_ms);  // that instant has come
  plan.value.calls[0].what = verb::get;
  const run_record& free = run(plan.value);
  EXPECT_EQ(free.calls[2].invoked, 41 * ns_per_ms);  // no lease: after its wait
  EXPECT_EQ(free.calls[3].invoked, 140 * ns_per_ms);
}

TEST_F(world_runs, a_crashed_process_makes_no_call_until_it_is_back) {
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "A", 100).call(10, 0, verb::get, "", 0);
  plan.call(40, 0, verb::get, "", 0);
  plan.fault(fault_kind::crash, 0, 5, 20);
  const run_record& record = run(plan.value);
  ASSERT_EQ(record.calls.size(), 2u);  // the call at 10 was not made
  EXPECT_EQ(record.calls[1].incarnation, 1);
  EXPECT_EQ(record.owners[record.calls[1].named], "A");  // the record outlives its owner
  EXPECT_EQ(count(record, event_kind::crash), 1);
  EXPECT_EQ(count(record, event_kind::start), 2);
}

TEST_F(world_runs, a_pause_holds_up_what_is_addressed_to_the_process) {
  plan_builder plan;
  plan.call(10 * ns_per_ms, 0, verb::acquire, "A", 100);
  plan.fault(fault_kind::pause, 0, 5 * ns_per_ms, 20 * ns_per_ms);
  const run_record& record = run(plan.value);
  ASSERT_EQ(record.calls.size(), 1u);
  EXPECT_EQ(record.calls[0].invoked, 25 * ns_per_ms);
}

TEST_F(world_runs, a_step_past_the_call_limit_has_no_effect) {
  plan_builder plan;
  plan.value.bounds.call_limit = 10 * ns_per_ms;
  plan.value.bounds.delay_max = 0;
  plan.call(0, 0, verb::acquire, "A", 100);
  plan.fault(fault_kind::pause, 0, 0, 20 * ns_per_ms);
  plan.value.faults[0].point = code_point{0, 1, false};
  const run_record& record = run(plan.value);
  ASSERT_EQ(record.calls.size(), 1u);
  EXPECT_EQ(record.calls[0].ended, outcome::fail);
  EXPECT_EQ(record.calls[0].code, errc::timed_out);
}

TEST_F(world_runs, a_crash_in_mid_call_destroys_the_call_s_frames) {
  plan_builder plan;
  plan.value.bounds.delay_max = 50;
  plan.call(0, 0, verb::acquire, "A", 100);
  plan.fault(fault_kind::crash, 0, 0, never);
  plan.value.faults[0].point = code_point{0, 1, false};
  for (int i = 0; i < 3; ++i) {
    const run_record& record = run(plan.value);
    ASSERT_EQ(record.calls.size(), 1u);
    EXPECT_EQ(record.calls[0].completed, never);
    EXPECT_EQ(count(record, event_kind::step), 0);
  }
}

// The trap of executor.hpp: Asio posts the unwinding of a coroutine whose handler is destroyed.
TEST_F(world_runs, no_frame_outlives_a_crash_or_its_world) {
  const variant counting = memory_variant<counting_provider>();
  plan_builder crash;
  crash.call(0, 0, verb::acquire, "A", 100).call(0, 1, verb::acquire, "B", 100);
  crash.fault(fault_kind::crash, 0, ns_per_ms / 2, never);
  plan_builder cut_short;
  cut_short.call(0, 0, verb::acquire, "A", 100);
  cut_short.value.bounds.step_limit = 1;
  {
    world counted(counting);
    for (int i = 0; i < 3; ++i) {
      const run_record& record = counted.run(crash.value, order_);
      EXPECT_EQ(record.calls[0].completed, never);
      EXPECT_TRUE(record.calls[1].yes);
      EXPECT_EQ(counting_provider::frame::alive, 0);
      EXPECT_TRUE(counted.run(cut_short.value, order_).step_limit_reached);
      EXPECT_EQ(counting_provider::frame::alive, 0);
    }
  }
  EXPECT_EQ(counting_provider::frame::alive, 0);
}

// Its acquire waits for 1 ms of the process's clock first.
true_time answered_at(const plan_builder& plan) {
  const variant waiting = memory_variant<counting_provider>();
  world slow(waiting);
  earliest_first order;
  return slow.run(plan.value, order).calls.at(0).completed;
}

TEST(late_timers, are_late_from_when_they_were_due) {
  plan_builder late;
  late.call(0, 0, verb::acquire, "A", 100);
  late.fault(fault_kind::late_timer, 0, 0, 100 * ns_per_ms);
  late.value.faults.back().by = 10 * ns_per_ms;
  EXPECT_EQ(answered_at(late), 11 * ns_per_ms);
  plan_builder later = late;
  later.fault(fault_kind::late_timer, 0, 5 * ns_per_ms, 100 * ns_per_ms);
  later.value.faults.back().by = 2 * ns_per_ms;
  EXPECT_EQ(answered_at(later), 13 * ns_per_ms);
  plan_builder other_clock = late;
  other_clock.fault(fault_kind::rate, 0, 5 * ns_per_ms, 100 * ns_per_ms);
  other_clock.value.faults.back().to_ppb = rate_one / 2;
  EXPECT_EQ(answered_at(other_clock), 11 * ns_per_ms);
  plan_builder over = late;
  over.value.faults.back().lasts = 5 * ns_per_ms;
  EXPECT_EQ(answered_at(over), 5 * ns_per_ms);
}

TEST_F(world_runs, work_stops_at_the_local_deadline) {
  plan_builder plan;
  plan.call(0, 0, verb::acquire, "A", 100);
  plan.call(1, 0, verb::write, "A", 0);
  plan.value.calls[1].lasts = 500 * ns_per_ms;
  plan.value.calls[1].pace = 10 * ns_per_ms;
  const run_record& record = run(plan.value);
  // margin 10 %, one granule: belief lasts up to 89 ms
  EXPECT_EQ(count(record, event_kind::work), 9);
}

TEST_F(world_runs, in_the_quiet_phase_a_contender_wins_every_key) {
  plan_builder plan;
  plan.value.bounds.quiet = 1000 * ns_per_ms;
  plan.value.bounds.asking_period = 30 * ns_per_ms;
  plan.call(0, 0, verb::acquire, "A", 100);
  const run_record& record = run(plan.value);
  EXPECT_EQ(count(record, event_kind::quiet), 1);
  EXPECT_TRUE(record.calls.back().contender);
  EXPECT_TRUE(record.calls.back().yes);
  EXPECT_EQ(record.calls.back().invoked, 120 * ns_per_ms);
}

}  // namespace
}  // namespace leaselab::sim
