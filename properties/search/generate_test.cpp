#include "properties/search/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>

namespace leaselab::properties {
namespace {

using sim::verb;
using sim::workload_kind;

constexpr workload_kind strict_workloads[] = {workload_kind::contend, workload_kind::handoff,
                                              workload_kind::churn};

template <class Check>
void for_many_plans(workload_kind workload, Check check) {
  sim::plan plan;
  for (const auto& faults : profiles()) {
    const auto options = world_for(workload, faults, guarantees{});
    for (std::uint64_t index = 0; index < 200; ++index) {
      generate(options, 7, index, plan);
      check(plan, faults);
    }
  }
}

TEST(generate, clocks_keep_to_bounds_of_their_own) {
  auto options = world_for(workload_kind::contend, *find_profile("pause"), guarantees{});
  options.clocks = sim::clock_bounds{.least_rate_ppb = 980'000'000, .standing_ppm = 400'000};
  std::size_t edges = 0;
  sim::plan plan;
  for (std::uint64_t index = 0; index < 300; ++index) {
    generate(options, 7, index, plan);
    std::map<sim::process_id, sim::true_duration> stood;
    for (const auto& fault : plan.faults)
      if (fault.kind == sim::fault_kind::pause) stood[fault.process] += fault.lasts;
    for (const auto& [process, lasts] : stood) {
      EXPECT_LE(lasts, plan.ttl_ms * 400'000);
      edges += lasts == plan.ttl_ms * 400'000;
    }
    for (const auto& process : plan.processes) {
      EXPECT_GE(process.rate_ppb, 980'000'000);
      EXPECT_LE(process.rate_ppb, sim::rate_one);
    }
  }
  EXPECT_GT(edges, 0u);
}

TEST(generate, same_seed_and_index_same_plan) {
  const auto options = world_for(workload_kind::handoff, *find_profile("chaos"), guarantees{});
  sim::plan fresh;
  sim::plan reused;
  for (std::uint64_t index = 0; index < 50; ++index) generate(options, 1, index, reused);
  generate(options, 1, 49, fresh);
  EXPECT_EQ(to_json(fresh), to_json(reused));
  generate(options, 2, 49, fresh);
  EXPECT_NE(to_json(fresh), to_json(reused));
}

TEST(generate, everything_refers_to_something) {
  for (const auto workload : {workload_kind::contend, workload_kind::handoff, workload_kind::churn,
                              workload_kind::calls, workload_kind::shared}) {
    for_many_plans(workload, [](const sim::plan& plan, const profile&) {
      std::set<std::uint32_t> ids;
      for (const auto& call : plan.calls) {
        EXPECT_TRUE(ids.insert(call.id).second);
        EXPECT_LT(call.process, plan.processes.size());
        EXPECT_LT(call.key, plan.keys.size());
        EXPECT_LT(call.owner, plan.owners.size());
        EXPECT_LT(call.to, plan.owners.size());
        EXPECT_GE(call.wait, 0);
        if (call.after != sim::no_spec) {
          EXPECT_TRUE(ids.contains(call.after));
        }
      }
      for (const auto& fault : plan.faults) {
        EXPECT_LE(fault.at, fault.at_latest);
        EXPECT_GE(fault.lasts, 0);
        if (fault.call != sim::no_spec) {
          EXPECT_TRUE(ids.contains(fault.call));
        }
        if (fault.point) {
          EXPECT_TRUE(ids.contains(fault.point->call));
        }
      }
    });
  }
}

TEST(generate, a_token_belongs_to_one_process_and_one_key) {
  for (const auto workload : strict_workloads) {
    for_many_plans(workload, [](const sim::plan& plan, const profile&) {
      std::map<sim::owner_id, std::pair<int, int>> users;
      const auto used_by = [&](sim::owner_id token, const sim::call_spec& call) {
        if (token == sim::nobody) return;
        const std::pair<int, int> user{call.process, call.key};
        EXPECT_EQ(users.emplace(token, user).first->second, user) << to_json(plan);
      };
      for (const auto& call : plan.calls) {
        used_by(call.owner, call);
        used_by(call.to, call);
      }
    });
  }
}

// What the chain of a process sends under a token after it sent a release or a transfer of it is
// checked by the client at the time of sending, unless the call says otherwise.
TEST(generate, nothing_is_asked_under_a_token_given_up) {
  for (const auto workload : strict_workloads) {
    for_many_plans(workload, [](const sim::plan& plan, const profile&) {
      std::set<sim::owner_id> given_up;
      for (const auto& call : plan.calls) {
        const bool asks = call.what == verb::acquire || call.what == verb::renew;
        if (asks && !call.if_held) {
          EXPECT_FALSE(given_up.contains(call.owner));
        }
        if (call.what == verb::release || call.what == verb::transfer) given_up.insert(call.owner);
      }
    });
  }
}

TEST(generate, where_incarnations_end_nothing_is_sent_on_the_chance) {
  for (const auto workload : strict_workloads) {
    for_many_plans(workload, [](const sim::plan& plan, const profile& faults) {
      if (faults.id != "crash" && faults.id != "chaos") return;
      std::set<sim::owner_id> asked;
      for (const auto& call : plan.calls) {
        if (call.owner == sim::nobody || call.if_held) continue;
        EXPECT_EQ(call.what, verb::acquire);
        EXPECT_TRUE(asked.insert(call.owner).second);
      }
    });
  }
}

TEST(generate, a_profile_injects_its_own_and_interleave) {
  for_many_plans(workload_kind::contend, [](const sim::plan& plan, const profile& faults) {
    for (const auto& fault : plan.faults) {
      const bool own = std::any_of(faults.injects.begin(), faults.injects.end(),
                                   [&](const injection& one) { return one.kind == fault.kind; });
      EXPECT_TRUE(own || home_of(fault.kind) == "interleave") << faults.id;
    }
    // Messages come to grief in bursts, of seven at most.
    EXPECT_LE(plan.faults.size(), 7 * faults.most_faults + 1);
    const auto single = std::count_if(plan.faults.begin(), plan.faults.end(), [](const auto& one) {
      return one.kind != sim::fault_kind::drop && one.kind != sim::fault_kind::hold;
    });
    EXPECT_LE(single, faults.most_faults + 1);
    EXPECT_EQ(plan.bounds.quiet > 0, faults.quiet_phase);
  });
}

TEST(generate, clocks_stay_inside_the_margin_where_the_profile_says_so) {
  for_many_plans(workload_kind::contend, [](const sim::plan& plan, const profile& faults) {
    if (faults.clocks != clock_courses::inside_margin) return;
    const auto inside = [](std::int64_t ppb) { return ppb >= 950'000'000 && ppb <= 1'050'000'000; };
    for (const auto& process : plan.processes) EXPECT_TRUE(inside(process.rate_ppb));
    for (const auto& fault : plan.faults) {
      if (fault.kind == sim::fault_kind::rate) {
        EXPECT_TRUE(inside(fault.to_ppb));
      }
    }
  });
}

TEST(generate, what_cannot_occur_with_a_provider_is_left_out) {
  guarantees host;
  host.not_applicable = {{"*", "lossy"}, {"*", "scripts"}};
  for (const auto& one : injections_for(*find_profile("chaos"), host)) {
    EXPECT_NE(one.kind, sim::fault_kind::drop);
    EXPECT_NE(one.kind, sim::fault_kind::error_reply);
  }
}

TEST(generate, calm_is_one_chain) {
  const auto options = world_for(workload_kind::contend, *find_profile("calm"), guarantees{});
  sim::plan plan;
  generate(options, 3, 3, plan);
  std::set<std::uint32_t> followed;
  int starts = 0;
  for (const auto& call : plan.calls) {
    if (call.after == sim::no_spec) {
      ++starts;
    } else {
      EXPECT_TRUE(followed.insert(call.after).second);
    }
  }
  EXPECT_EQ(starts, 1);
}

TEST(generate, is_fast) {
  const auto options = world_for(workload_kind::contend, *find_profile("interleave"), guarantees{});
  sim::plan plan;
  std::size_t calls = 0;
  const auto before = std::chrono::steady_clock::now();
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    generate(options, 1, index, plan);
    calls += plan.calls.size();
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - before;
  std::cout << took.count() / 20'000 << " us a plan of " << calls / 20'000 << " calls\n";
  EXPECT_GT(calls, 0U);
}

}  // namespace
}  // namespace leaselab::properties
