// Our `memory` beside Mastra's EventEmitterPubSub, and the two no-op providers.
#include "properties/mastra/differential.hpp"

#include <gtest/gtest.h>

#include "properties/mastra/package.hpp"
#include "providers/memory/memory_provider.hpp"
#include "providers/noop/noop_provider.hpp"
#include "providers/pipe/pipe_provider.hpp"

namespace leaselab::properties::mastra {
namespace {

constexpr std::chrono::seconds patience{60};
constexpr std::uint64_t seed = 1;

class over_a_map final : public memory_provider {
 public:
  explicit over_a_map(bench_top& on)
      : memory_provider(on.environment, store_), store_(on.granules) {}

 private:
  memory_store store_;
};

std::unique_ptr<any_lease_provider> memory(bench_top& on) {
  return std::make_unique<over_a_map>(on);
}
std::unique_ptr<any_lease_provider> noop(bench_top& on) {
  return std::make_unique<noop_provider>(on.environment, provider_options{});
}

maker program(const std::string& command) {
  const auto child = std::make_shared<pipe::child>(command, patience);
  child->exchange(pipe::hello_line("leaselab"));
  return [child](bench_top& on) {
    child->exchange(pipe::reset_line());
    return std::make_unique<pipe::pipe_provider>(on.environment, *child, provider_options{});
  };
}

void expect_same(const maker& ours, const maker& theirs, std::size_t count) {
  const auto all = draw_operations(seed, count);
  const auto found = compare(all, ours, theirs);
  if (found) ADD_FAILURE() << to_string(shrunk(*found, ours, theirs));
}

TEST(mastra, the_map_answers_as_memory_does) {
  LEASELAB_NEEDS_NODE();
  expect_same(memory, program(adapter()), 100'000);
}

TEST(mastra, the_no_op_answers_as_ours_does) {
  LEASELAB_NEEDS_NODE();
  expect_same(noop, program(adapter("noop")), 10'000);
}

// The operations as drawn reach what there is to be compared.
TEST(mastra, the_operations_meet_every_answer_and_every_boundary) {
  std::map<std::pair<operation, std::string>, int> seen;
  const auto all = draw_operations(seed, 100'000);
  const auto answers = answers_of(all, memory);
  for (std::size_t i = 0; i < all.size(); ++i) ++seen[{all[i].what, answers[i]}];
  const std::pair<operation, std::string> wanted[] = {
      {operation::acquire, "acquired"},
      {operation::acquire, "denied, A"},
      {operation::get, "A"},
      {operation::get, "nobody"},
      {operation::release, "done"},
      {operation::renew, "true"},
      {operation::renew, "false"},
      {operation::transfer, "true"},
      {operation::transfer, "false"},
  };
  for (const auto& each : wanted) EXPECT_GT(seen[each], 200) << each.second;
}

TEST(mastra, the_same_seed_draws_the_same) {
  const auto text = [](std::uint64_t of) {
    std::string out;
    for (const auto& one : draw_operations(of, 1'000)) out += to_string(one) + '\n';
    return out;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

// Set, waited for to its deadline, and the operation that finds it alive there.
TEST(mastra, one_millisecond_at_a_deadline_is_seen_and_shrunk_to_it) {
  LEASELAB_NEEDS_NODE();
  for (const char* altered : {"acquireLease", "getLeaseOwner", "renewLease", "transferLease"}) {
    SCOPED_TRACE(altered);
    const auto theirs = program(node(std::string("altered_boundary.js ") + altered));
    const auto found = compare(draw_operations(seed, 2'000), memory, theirs);
    ASSERT_TRUE(found);
    const auto small = shrunk(*found, memory, theirs);
    EXPECT_EQ(small.operations.size(), 2u) << to_string(small);
  }
}

TEST(mastra, its_clocks_are_the_harness_s_and_it_has_no_timers) {
  LEASELAB_NEEDS_NODE();
  bench_top on;
  on.move_to(1'000);
  const maker clocked = program(node("clock_lease.js"));
  const auto provider = clocked(on);
  const auto renew = [&](milliseconds ttl) {
    return testing::run(provider->renew_lease("K", "A", ttl, {})).value();
  };
  EXPECT_TRUE(renew(milliseconds(1'000)));
  EXPECT_FALSE(renew(milliseconds(999)));
  EXPECT_THROW(renew(milliseconds(1)), host_failed);
}

}  // namespace
}  // namespace leaselab::properties::mastra
