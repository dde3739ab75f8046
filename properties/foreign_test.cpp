// Programs as providers, through the whole search.
#include "properties/foreign.hpp"

#include <gtest/gtest.h>

#include "properties/search/check.hpp"
#include "properties/search/search.hpp"
#include "sim/redis/model_engine.hpp"

namespace leaselab::properties {
namespace {

const std::string samples = LEASELAB_PIPE_FOLDER "/python/samples";

check_options options_for(const std::string& name) {
  check_options out;
  out.providers = {&find_foreign(name).variant};
  out.properties = {"single_owner.grant", "release.owner_only", "renew.honest"};
  out.profiles = {"interleave", "crash"};
  out.schedules = 12;
  out.engine = [] { return std::make_unique<sim::redis::model_engine>(); };
  return out;
}

TEST(foreign, a_program_is_held_to_the_contract_and_replays) {
  const auto options = options_for("exec:" + samples + "/script_lease.py");
  const auto once = check(options);
  for (const auto& cell : once.cells) {
    EXPECT_EQ(cell.result, cell_result::holds) << cell.property << " " << cell.profile;
  }
  EXPECT_EQ(once.digest, check(options).digest);
}

// Its schedules are handed out in parts of blocks.
TEST(foreign, a_search_in_parts_has_the_digest_of_one_in_blocks) {
  auto options = options_for("exec:" + samples + "/script_lease.py");
  options.profiles = {"interleave"};
  options.processes = 2;
  options.calls = 2;
  options.schedules = 260;
  options.jobs = 2;
  bench own(options);
  const auto of = make_campaign(*options.providers.front(), *find_profile("interleave"), options,
                                own.judged_by());
  const auto first = fold_digest(0, own.run_block(of, 0, 250).digest);
  EXPECT_EQ(check(options).digest, fold_digest(first, own.run_block(of, 250, 260).digest));
}

// A client of its own, over a socket: its commands are trips of the calls that they are for.
void expect_clean_in_step(const std::string& name) {
  auto options = options_for("exec:" + name);
  options.profiles = {"interleave", "lossy", "partition"};
  options.properties = {"single_owner.grant",    "lease.linearizable",  "release.owner_only",
                        "renew.honest",          "handoff.honest",      "acquire.idempotent",
                        "acquire.honest_denial", "progress.after_heal", "key.isolation"};
  options.schedules = 40;
  const auto once = check(options);
  for (const auto& cell : once.cells) {
    EXPECT_EQ(cell.violations, 0u) << cell.property << " " << cell.profile;
  }
  EXPECT_TRUE(once.nondeterminism.empty());
  options.jobs = 2;
  EXPECT_EQ(once.digest, check(options).digest);
}

TEST(foreign, a_python_client_of_redis_is_followed_in_step) {
  expect_clean_in_step(LEASELAB_PIPE_FOLDER "/python/samples/socket_lease.py");
}

// Its calls are open at once, on one connection.
TEST(foreign, an_asyncio_client_of_redis_is_followed_in_step) {
  expect_clean_in_step(LEASELAB_PIPE_FOLDER "/python/samples/stream_lease.py");
}

TEST(foreign, an_asyncio_client_of_redis_keeps_its_contract_through_crashes) {
  auto options = options_for("exec:" LEASELAB_PIPE_FOLDER "/python/samples/stream_lease.py");
  options.profiles = {"crash"};
  options.properties.push_back("lease.linearizable");
  for (const auto& cell : check(options).cells) {
    EXPECT_EQ(cell.result, cell_result::holds) << cell.property << " " << cell.profile;
  }
}

#ifdef LEASELAB_NODE
TEST(foreign, a_node_client_of_redis_is_followed_in_step) {
  expect_clean_in_step(LEASELAB_NODE " " LEASELAB_PIPE_FOLDER "/node/samples/socket_lease.js");
}

// The same without the preload.
TEST(foreign, a_client_with_clocks_of_its_own_is_followed_by_best_effort_only) {
  const std::string program =
      "exec:" LEASELAB_NODE " -e \"$(sed '/preload/d; s|[.][.]/lease_adapter|" LEASELAB_PIPE_FOLDER
      "/node/lease_adapter|' " LEASELAB_PIPE_FOLDER "/node/samples/socket_lease.js)\"";
  auto options = options_for(program);
  options.profiles = {"interleave"};
  try {
    check(options);
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("--best-effort"), std::string::npos) << error.what();
  }
  const std::string loose = std::string(best_effort_prefix) + program;
  EXPECT_TRUE(is_best_effort(loose));
  options.providers = {&find_foreign(loose).variant};
  options.schedules = 6;
  const auto result = check(options);
  EXPECT_EQ(result.schedules, 6u);
  for (const auto& cell : result.cells) EXPECT_GT(cell.schedules, 0u) << cell.property;
}
#endif

// The same program, with a release that looks at nobody.
TEST(foreign, a_fault_in_a_program_is_found) {
  const std::string careless =
      "exec:python3 -c \"$(sed 's/RELEASE = OWNED +/RELEASE =/; "
      "s|^sys.path.insert.*|sys.path.insert(0, \"" LEASELAB_PIPE_FOLDER "/python\")|' " +
      samples + "/script_lease.py)\"";
  auto options = options_for(careless);
  options.profiles = {"interleave"};
  options.properties = {"release.owner_only"};
  options.schedules = 100;
  const auto found = check(options);
  bool broken = false;
  for (const auto& cell : found.cells) {
    broken |= cell.property == "release.owner_only" && cell.result == cell_result::broken;
  }
  EXPECT_TRUE(broken);
}

// Its processes are tasks of one host: one child for all, which outlives the crash of a task.
TEST(foreign, a_program_of_one_host_s_scope_serves_all_of_them) {
  auto options = options_for("exec:" + samples + "-host/map_lease.py");
  options.properties = {"single_owner.grant", "lease.linearizable", "acquire.honest_denial",
                        "argument.refused"};
  options.profiles = {"calm", "drift", "crash"};
  options.schedules = 60;
  const auto once = check(options);
  for (const auto& cell : once.cells) {
    EXPECT_EQ(cell.result, cell_result::holds) << cell.property << " " << cell.profile;
  }
  EXPECT_EQ(once.digest, check(options).digest);
}

TEST(foreign, one_of_one_host_s_scope_that_asks_for_something_is_told_so) {
  const auto options = options_for(
      "exec:sh -c 'read a; echo \"{\\\"hello\\\":1,\\\"operations\\\":[\\\"acquire_lease\\\","
      "\\\"get_lease_owner\\\",\\\"release_lease\\\",\\\"renew_lease\\\",\\\"transfer_lease\\\"],"
      "\\\"guarantees\\\":{\\\"scope\\\":\\\"host\\\"}}\"; read a; echo \"{\\\"do\\\":[]}\";"
      "read a; echo \"{\\\"do\\\":[{\\\"call\\\":1,\\\"ask\\\":1,\\\"sleep\\\":5}]}\"; read a'");
  try {
    check(options);
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("answers each call at once"), std::string::npos);
  }
}

// The same with the preload, for a map that goes by clocks of the language.
TEST(foreign, one_of_one_host_s_scope_may_count_along) {
  auto options = options_for(
      "exec:python3 -c \"$(sed '"
      "s|^sys.path.insert.*|sys.path.insert(0, \"" LEASELAB_PIPE_FOLDER
      "/python\")\\nimport preload|' " +
      samples + "-host/map_lease.py)\"");
  options.profiles = {"calm"};
  options.properties = {"single_owner.grant", "acquire.honest_denial"};
  const auto once = check(options);
  for (const auto& cell : once.cells) EXPECT_EQ(cell.result, cell_result::holds) << cell.property;
  EXPECT_EQ(once.digest, check(options).digest);
}

std::string failure_of(const check_options& options) {
  try {
    check(options);
  } catch (const host_failed& error) {
    return error.what();
  }
  return "it went on";
}

// What lies in Redis is no memory of one host. The address that such a child finds is never that of
// a real server, whatever the environment says.
TEST(foreign, one_of_one_host_s_scope_that_calls_redis_is_told_so) {
  ::setenv("REDIS_URL", "redis://nobody.invalid:1", 1);
  const std::string adapter = "sys.path.insert(0, \"" LEASELAB_PIPE_FOLDER "/python\")";
  const std::string of_its_own =
      "exec:python3 -c \"$(sed '"
      "s|^sys.path.insert.*|" +
      adapter +
      "|; "
      "s|async def acquire_lease.*|&\\n        import socket; socket.create_connection(("
      "\"127.0.0.1\", int(os.environ[\"REDIS_URL\"].rsplit(\":\", 1)[1])))|' " +
      samples + "-host/map_lease.py)\"";
  const std::string in_step =
      "exec:python3 -c \"$(sed '"
      "s|^sys.path.insert.*|" +
      adapter +
      "|; "
      "s|records=.*|guarantees={\"scope\": \"host\"})|' " +
      samples + "/socket_lease.py)\"";
  for (const auto& command : {of_its_own, in_step}) {
    const auto text = failure_of(options_for(command));
    EXPECT_NE(text.find("a lease in Redis is of scope cluster"), std::string::npos) << text;
  }
  ::unsetenv("REDIS_URL");
}

// The map of samples-host/map_lease.py without that scope: a map for each process.
TEST(foreign, a_map_for_each_process_coordinates_nothing) {
  auto options = options_for(
      "exec:python3 -c \"$(sed 's/\"host\"/\"cluster\"/; "
      "s|^sys.path.insert.*|sys.path.insert(0, \"" LEASELAB_PIPE_FOLDER "/python\")|' " +
      samples + "-host/map_lease.py)\"");
  options.profiles = {"interleave"};
  options.properties = {"single_owner.grant"};
  options.schedules = 100;
  EXPECT_EQ(check(options).cells.front().result, cell_result::broken);
}

TEST(foreign, one_that_lacks_operations_falls_back_visibly) {
  const std::string lock =
      "exec:sh -c 'read a; echo \"{\\\"hello\\\":1,\\\"operations\\\":[\\\"acquire_lease\\\"]}\";"
      "while read a; do echo \"{\\\"do\\\":[]}\"; done'";
  EXPECT_EQ(find_foreign(lock).missing.size(), 4u);
  auto options = options_for(lock);
  options.profiles = {"interleave"};
  options.schedules = 100;
  const auto result = check(options);
  EXPECT_EQ(result.cells.front().result, cell_result::broken);  // the no-op wins for everyone
}

TEST(foreign, one_that_fails_in_a_world_ends_the_search) {
  const std::string quits =
      "exec:sh -c 'read a; echo \"{\\\"hello\\\":1,\\\"operations\\\":[\\\"acquire_lease\\\","
      "\\\"get_lease_owner\\\",\\\"release_lease\\\",\\\"renew_lease\\\",\\\"transfer_lease\\\"]}"
      "\";"
      "read a; echo \"{\\\"do\\\":[]}\"; read a; exit 5'";
  const auto options = options_for(quits);
  try {
    check(options);
    FAIL() << "it went on";
  } catch (const host_failed& error) {
    EXPECT_NE(std::string(error.what()).find("ended with status 5"), std::string::npos);
  }
}

}  // namespace
}  // namespace leaselab::properties
