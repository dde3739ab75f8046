// Mastra's EventEmitterPubSub held to the contract of one host: where it departs, and nowhere else.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "properties/conformance_world.hpp"
#include "properties/foreign.hpp"
#include "properties/mastra/package.hpp"
#include "properties/search/check.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties::mastra {
namespace {

std::unique_ptr<sim::redis::engine> model() { return std::make_unique<sim::redis::model_engine>(); }

// It looks at no argument. So ttl <= 0 ends a lease at once or moves it to the past, and an empty
// key or owner is one like any other.
struct departure {
  operation what;
  const char* edge;
  const char* got;  // for fail invalid_argument
};
const departure known[] = {
    {operation::acquire, "ttl 0, -1 and 2^53 ms", "acquired to acquire_lease(K, A, 0)"},
    {operation::renew, "ttl 0, -1 and 2^53 ms", "true to renew_lease(K, A, 0)"},
    {operation::transfer, "ttl 0, -1 and 2^53 ms", "true to transfer_lease(K, A, B, 0)"},
    {operation::acquire, "an empty key, an empty owner", "acquired to acquire_lease(K, \"\", 100)"},
    {operation::get, "an empty key", "none to get_lease_owner(\"\")"},
    {operation::release, "an empty key, an empty owner", "done to release_lease(K, \"\")"},
    {operation::renew, "an empty key, an empty owner", "false to renew_lease(K, \"\", 100)"},
    {operation::transfer, "an empty key, an empty owner",
     "false to transfer_lease(K, \"\", B, 100)"},
};
using edge = std::pair<std::string, std::string>;
edge edge_of(operation what, const std::string& name) {
  return {std::string(leaselab::to_string(what)), name};
}

const sim::variant& provider() { return find_foreign("exec:" + adapter()).variant; }

TEST(mastra, the_map_keeps_the_contract_but_where_it_is_known_to_depart) {
  LEASELAB_NEEDS_NODE();
  std::map<edge, std::string> departs;
  for (const auto& one : known) departs[edge_of(one.what, one.edge)] = one.got;
  for (const auto& row : conformance::run_in_worlds(provider(), model)) {
    if (row.edge == "an owner of bytes that are no UTF-8") continue;  // JSON carries text
    const auto at = edge_of(row.what, row.edge);
    SCOPED_TRACE(at.first + ", " + at.second + ": " + row.got + "; " + row.why);
    const auto listed = departs.find(at);
    if (listed == departs.end()) {
      EXPECT_FALSE(row.broken());
      continue;
    }
    EXPECT_TRUE(row.broken());
    EXPECT_EQ(row.why, "argument.refused is promised");
    EXPECT_TRUE(row.got.starts_with(listed->second));
    departs.erase(listed);
  }
  EXPECT_TRUE(departs.empty()) << departs.begin()->first.second << " is no case";
}

check_options search_of(sim::workload_kind workload) {
  check_options options;
  options.providers = {&provider()};
  options.properties = {"single_owner.grant", "lease.linearizable", "acquire.honest_denial"};
  options.profiles = {"interleave", "drift", "crash"};
  options.workload = workload;
  options.schedules = 60;
  options.engine = model;
  return options;
}

// Tasks of one host, under faults that can hit such a host.
TEST(mastra, a_search_with_lawful_arguments_finds_nothing) {
  LEASELAB_NEEDS_NODE();
  using enum sim::workload_kind;
  for (const auto workload : {contend, handoff, churn}) {
    const auto options = search_of(workload);
    const auto found = check(options);
    for (const auto& cell : found.cells) {
      EXPECT_EQ(cell.result, cell_result::holds)
          << cell.property << " " << cell.profile << " " << int(workload);
    }
    EXPECT_EQ(found.digest, check(options).digest);
  }
}

TEST(mastra, a_search_with_unlawful_ones_finds_that_they_are_taken) {
  LEASELAB_NEEDS_NODE();
  auto options = search_of(sim::workload_kind::calls);
  options.properties = {"argument.refused"};
  for (const auto& cell : check(options).cells) {
    EXPECT_EQ(cell.result, cell_result::broken) << cell.profile;
  }
}

}  // namespace
}  // namespace leaselab::properties::mastra
