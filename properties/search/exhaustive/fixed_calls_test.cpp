#include "properties/search/exhaustive/fixed_calls.hpp"

#include <gtest/gtest.h>

#include <set>

#include "properties/builtin.hpp"
#include "properties/search/exhaustive/explorer.hpp"

namespace leaselab::properties {
namespace {

using sim::ns_per_ms;
using sim::verb;

// P1 acquires at 0 and renews at 50 ms; P2 acquires at 120 ms and, 10 ms later, reads.
sim::plan stated() {
  sim::plan out;
  out.keys = {"K"};
  out.owners = {"", "A", "B"};
  out.processes = {{"P1"}, {"P2"}};
  const auto add = [&](sim::process_id process, verb what, std::int64_t at_ms) -> sim::call_spec& {
    auto& call = out.calls.emplace_back();
    call.id = std::uint32_t(out.calls.size() - 1);
    call.process = process;
    call.what = what;
    call.owner = sim::owner_id(1 + process);
    call.ttl_ms = 100;
    call.at = at_ms * ns_per_ms;
    return call;
  };
  add(1, verb::acquire, 120);
  add(0, verb::renew, 50);
  add(0, verb::acquire, 0);
  auto& read = add(1, verb::get, 0);
  read.after = 0;
  read.wait = 10 * ns_per_ms;
  return out;
}

TEST(fixed_calls, each_process_keeps_the_order_of_its_instants) {
  const auto plan = in_any_order(stated());
  EXPECT_EQ(plan.calls[0].after, sim::no_spec);
  EXPECT_EQ(plan.calls[1].after, 2U);
  EXPECT_EQ(plan.calls[2].after, sim::no_spec);
  EXPECT_EQ(plan.calls[3].after, 0U);
  for (const auto& call : plan.calls) EXPECT_EQ(call.at + call.wait, 0);
}

std::string reason(void (*change)(sim::plan&)) {
  auto plan = stated();
  change(plan);
  return why_not_walked(plan);
}

TEST(fixed_calls, what_cannot_be_walked_is_said) {
  EXPECT_EQ(reason([](sim::plan&) {}), "");
  EXPECT_EQ(reason([](sim::plan& p) { p.faults.emplace_back(); }), "it has faults");
  EXPECT_EQ(reason([](sim::plan& p) { p.signals.emplace_back(); }),
            "its calls are made by runtimes");
  EXPECT_EQ(reason([](sim::plan& p) { p.calls.clear(); }), "it states no calls");
  EXPECT_EQ(reason([](sim::plan& p) { p.calls[0].what = verb::write; }), "it works on a resource");
  EXPECT_EQ(reason([](sim::plan& p) { p.calls[0].what = verb::close; }), "it closes a provider");
  EXPECT_EQ(reason([](sim::plan& p) { p.calls[0].every = 1; }), "a call repeats");
  EXPECT_EQ(reason([](sim::plan& p) { p.calls[3].after = 1; }), "a call waits for another process");
  EXPECT_EQ(reason([](sim::plan& p) { p.processes[1].rate_ppb = 900'000'000; }),
            "its clocks differ");
  EXPECT_EQ(reason([](sim::plan& p) { p.processes.resize(6); }), "it has more than 5 processes");
  EXPECT_EQ(reason([](sim::plan& p) {
              for (std::uint32_t i = 4; i < 9; ++i) {
                p.calls.push_back(p.calls[1]);
                p.calls.back().id = i;
              }
            }),
            "a process makes more than 6 calls");
}

// In the file's order P2 is granted the key at 120 ms only since nobody renewed it in time.
TEST(fixed_calls, every_order_and_relevant_instant_is_walked) {
  const auto plan = in_any_order(stated());
  sim::world world(*find_variant("memory"));
  for (const std::uint32_t time_moves : {0U, 1U}) {
    explorer walker(world, {true, time_moves, {0, 1}});
    std::set<std::pair<bool, bool>> seen;  // P1 renewed, P2 was granted the key
    do {
      const auto& run = world.run(plan, walker);
      if (walker.redundant()) continue;
      bool renewed = false, granted = false;
      for (const auto& call : run.calls) {
        renewed |= call.what == verb::renew && call.yes;
        granted |= call.what == verb::acquire && call.process == 1 && call.yes;
      }
      seen.insert({renewed, granted});
    } while (walker.advance());
    EXPECT_TRUE(seen.contains({true, false}));
    EXPECT_TRUE(seen.contains({false, true}));
    EXPECT_EQ(seen.contains({true, true}), time_moves > 0) << "after the renewed lease";
  }
}

}  // namespace
}  // namespace leaselab::properties
