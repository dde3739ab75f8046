// Shared libraries as providers, through the whole search.
#include "properties/foreign_library.hpp"

#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/check.hpp"
#include "properties/search/profile.hpp"
#include "properties/search/strategy.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {
namespace {

const std::string folder = LEASELAB_PLUGINS;

check_options whole_matrix(std::vector<const sim::variant*> providers) {
  check_options out;
  out.providers = std::move(providers);
  for (const auto& one : all_properties()) out.properties.emplace_back(one->id());
  for (const auto& one : profiles()) out.profiles.emplace_back(one.id);
  out.schedules = 300;
  out.for_comparison = true;  // nobody reads the witnesses of what was never promised
  out.jobs = 2;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return out;
}

const sim::variant& library_named(const std::string& name) {
  return find_foreign(folder + name + ".so").variant;
}

// Silent, and not for want of having been looked at: what is promised holds in as many cells.
void expect_silence(const std::string& name, std::size_t least) {
  const auto result = check(whole_matrix({&library_named(name)}));
  std::size_t held = 0;
  for (const auto& cell : result.cells) {
    EXPECT_NE(cell.result, cell_result::broken) << cell.property << " " << cell.profile;
    EXPECT_NE(cell.result, cell_result::unknown) << cell.property << " " << cell.profile;
    held += cell.result == cell_result::holds;
  }
  EXPECT_GE(held, least);
}

TEST(foreign_library, a_correct_one_in_redis_keeps_silent) { expect_silence("script_lease", 190); }
TEST(foreign_library, a_correct_one_in_memory_keeps_silent) { expect_silence("memory_lease", 125); }
#ifdef LEASELAB_RUST_PLUGIN
TEST(foreign_library, a_correct_one_in_rust_keeps_silent) {
  expect_silence("rust_script_lease", 190);
}
#else
TEST(foreign_library, a_correct_one_in_rust_keeps_silent) {
  GTEST_SKIP() << "there is no rustc on this machine";
}
#endif

// The map of a host as a library and as a part of this program: the same runs, byte for byte, all
// the way from a plan to its verdicts. Schedules are drawn by name, so it takes the other's. (Not
// in `calls`: the host answers for a closed library, and does not look at the arguments first.)
TEST(foreign_library, one_in_memory_runs_as_the_built_in_one) {
  using sim::workload_kind;
  sim::variant renamed = library_named("memory_lease");
  renamed.name = "memory";
  for (const auto workload : {workload_kind::contend, workload_kind::handoff, workload_kind::churn,
                              workload_kind::runtime}) {
    auto one = whole_matrix({&renamed});
    auto other = whole_matrix({find_variant("memory")});
    one.schedules = other.schedules = 100;
    one.workload = other.workload = workload;
    EXPECT_EQ(check(one).digest, check(other).digest) << int(workload);
  }
}

// Built against an older, this and a later copy of the header, side by side in every world's
// neighbourhood: each answers as it does alone.
TEST(foreign_library, several_headers_serve_side_by_side) {
  auto together = whole_matrix({&library_named("older_lease"), &library_named("script_lease"),
                                &library_named("newer_lease"), &library_named("memory_lease")});
  together.profiles = {"interleave", "crash", "chaos"};
  const auto all = check(together);
  for (const auto& cell : all.cells) {
    EXPECT_NE(cell.result, cell_result::broken) << cell.provider << " " << cell.property;
    EXPECT_NE(cell.result, cell_result::unknown) << cell.provider << " " << cell.property;
  }
  sim::variant newer = library_named("newer_lease");
  sim::variant older = library_named("older_lease");
  const auto digest_as = [&](sim::variant one, const char* name) {
    one.name = name;
    auto alone = whole_matrix({&one});
    alone.profiles = together.profiles;
    return check(alone).digest;
  };
  EXPECT_EQ(digest_as(newer, "x"), digest_as(library_named("script_lease"), "x"));
  EXPECT_EQ(digest_as(older, "x"), digest_as(library_named("memory_lease"), "x"));
}

TEST(foreign_library, the_same_seed_gives_the_same_digest_on_any_number_of_threads) {
  auto options = whole_matrix({&library_named("script_lease"), &library_named("memory_lease")});
  options.schedules = 60;
  const auto once = check(options).digest;
  EXPECT_EQ(once, check(options).digest);
  options.jobs = 1;
  EXPECT_EQ(once, check(options).digest);
  options.seed = 2;
  EXPECT_NE(once, check(options).digest);
}

TEST(foreign_library, a_careless_one_is_found_and_shrunk) {
  auto options = whole_matrix({&library_named("careless_lease")});
  options.for_comparison = false;
  options.profiles = {"interleave"};
  options.properties = {"release.owner_only", "argument.refused"};
  const auto result = check(options);
  ASSERT_EQ(result.witnesses.size(), 1u);
  const auto& found = result.witnesses.front();
  EXPECT_EQ(found.property, "release.owner_only");
  EXPECT_LE(found.plan.calls.size(), 2u);
  EXPECT_LE(found.events, 8u);
  // The plan with its decisions is the whole of it: the same run, in another world.
  for (int i = 0; i < 2; ++i) {
    sim::world world(library_named("careless_lease"), options.engine());
    const auto again = make_strategy("replay");
    EXPECT_EQ(world.run(found.plan, *again).digest, found.digest);
  }
}

TEST(foreign_library, one_that_lacks_operations_falls_back_visibly) {
  const auto& lock = find_foreign(folder + "lock_lease.so");
  EXPECT_EQ(lock.missing, (std::vector<operation>{operation::get, operation::transfer}));
  auto options = whole_matrix({&lock.variant});
  options.profiles = {"interleave"};
  options.properties = {"single_owner.grant"};
  EXPECT_EQ(check(options).cells.front().result, cell_result::broken);  // no-op wins for everyone
}

// Nobody's verdict: the search ends in the words of the host.
TEST(foreign_library, one_that_breaks_the_rules_ends_the_search) {
  auto options = whole_matrix({&library_named("thrower")});
  options.profiles = {"interleave"};
  try {
    check(options);
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("release_lease: an exception left it: oh dear"), std::string::npos) << said;
  }
}

TEST(foreign_library, names_of_libraries_are_paths) {
  for (const char* name : {"./libmine.so", "/usr/lib/mine", "../mine.so", "libmine.so"}) {
    EXPECT_TRUE(is_library(name)) << name;
    EXPECT_TRUE(is_foreign(name)) << name;
  }
  for (const char* name : {"redis", "split:redis/renew", "mutant:M01", "release-then-acquire"}) {
    EXPECT_FALSE(is_foreign(name)) << name;
  }
  EXPECT_FALSE(is_library("exec:./mine.so"));
  EXPECT_TRUE(is_foreign("exec:./mine.so"));
}

}  // namespace
}  // namespace leaselab::properties
