// What Mastra's runtime takes for a lease provider beside what our detection does.
#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "properties/mastra/package.hpp"
#include "providers/detect.hpp"
#include "providers/pipe/child.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::properties::mastra {
namespace {

namespace json = boost::json;

constexpr const char* names[] = {"acquireLease", "getLeaseOwner", "releaseLease", "renewLease",
                                 "transferLease"};
constexpr int all_five = 31;
constexpr int not_found = -1;  // the no-op provider

// Objects as detection.js reads them. `operations`: a bit each.
json::object plain(int operations, const char* kind = "object") {
  json::array has;
  for (int i = 0; i < 5; ++i) {
    if (operations >> i & 1) has.emplace_back(names[i]);
  }
  return {{"kind", kind}, {"has", has}};
}
json::object emitter() { return {{"kind", "emitter"}, {"has", json::array()}}; }
json::object caching(json::object inner) {
  return {{"kind", "caching"}, {"hands", std::move(inner)}};
}
json::object handing(json::object outer, json::value inner) {
  outer["hands"] = std::move(inner);
  return outer;
}

int operations_of(const json::object& shape) {
  if (shape.at("kind") == "emitter") return all_five;
  int out = 0;
  if (const auto* has = shape.if_contains("has")) {
    for (const auto& one : has->as_array()) {
      for (int i = 0; i < 5; ++i) out |= (one == names[i]) << i;
    }
  }
  return out;
}

provider_entries entries_of(const json::object& shape) {
  const int has = operations_of(shape);
  provider_entries out;
  // None is ever called: detection looks and does not ask.
  if (has & 1)
    out.acquire_lease = [](auto...) -> awaitable<result<acquire_answer>> { std::abort(); };
  if (has & 2)
    out.get_lease_owner = [](auto...) -> awaitable<result<std::optional<std::string>>> {
      std::abort();
    };
  if (has & 4) out.release_lease = [](auto...) -> awaitable<result<void>> { std::abort(); };
  if (has & 8) out.renew_lease = [](auto...) -> awaitable<result<bool>> { std::abort(); };
  if (has & 16)
    out.transfer_lease = [](auto...) -> awaitable<result<transfer_answer>> { std::abort(); };
  if (const auto* hands = shape.if_contains("hands")) {
    out.get_lease_provider = [shape, inner = *hands]() -> std::optional<provider_entries> {
      if (inner == "itself") return entries_of(shape);
      if (inner == "nothing") return std::nullopt;
      return entries_of(inner.as_object());
    };
  }
  return out;
}

int ours(const json::object& shape) {
  testing::scripted_environment environment;
  const auto found = resolve(entries_of(shape), environment);
  return found.fallback ? not_found : found.depth;
}

class runtime {
 public:
  // What Mastra takes, and whether its isLeaseProvider says yes to the outermost.
  std::pair<int, bool> sees(const json::object& shape) {
    const auto said = json::parse(program_.exchange(json::serialize(shape))).as_object();
    return {said.at("depth").to_number<int>(), said.at("complete").as_bool()};
  }

 private:
  pipe::child program_{node("detection.js"), std::chrono::seconds(60)};
};

// `isLeaseProvider`, and the decorator that asks it, agree with ours on every set of operations.
TEST(mastra, all_sets_of_operations_are_detected_alike) {
  LEASELAB_NEEDS_NODE();
  runtime theirs;
  for (int operations = 0; operations <= all_five; ++operations) {
    for (const char* kind : {"object", "function", "instance"}) {
      const auto shape = plain(operations, kind);
      SCOPED_TRACE(json::serialize(shape));
      const auto [depth, complete] = theirs.sees(shape);
      EXPECT_EQ(depth, ours(shape));
      EXPECT_EQ(complete, operations == all_five);
      EXPECT_EQ(theirs.sees(caching(shape)), std::pair(ours(caching(shape)), false));
    }
  }
}

TEST(mastra, a_member_that_cannot_be_called_is_no_operation) {
  LEASELAB_NEEDS_NODE();
  auto shape = plain(all_five & ~8);
  shape["has_as_text"] = json::array{"renewLease"};
  EXPECT_EQ(runtime().sees(shape), std::pair(ours(shape), false));
}

TEST(mastra, the_map_is_found_as_it_is_and_behind_caching) {
  LEASELAB_NEEDS_NODE();
  runtime theirs;
  EXPECT_EQ(theirs.sees(emitter()), std::pair(0, true));
  EXPECT_EQ(ours(emitter()), 0);
  EXPECT_EQ(theirs.sees(caching(emitter())), std::pair(1, false));
  EXPECT_EQ(ours(caching(emitter())), 1);
}

struct departure {
  const char* what;
  json::object shape;
  int ours, mastra;
};

// Where the two part. Mastra unwraps once, prefers what is handed on, and does not look at it.
std::vector<departure> known_departures() {
  const int four = all_five & ~16;
  return {
      {"caching over caching: the no-op provider, silently", caching(caching(emitter())), 2,
       not_found},
      {"complete, and hands on another", handing(plain(all_five), plain(all_five)), 0, 1},
      {"complete, and hands on nothing", handing(plain(all_five), "nothing"), 0, not_found},
      {"hands on one of four operations: taken all the same", handing(plain(0), plain(four)),
       not_found, 1},
      {"hands on a decorator: taken for the provider",
       handing(plain(0), handing(plain(0), plain(all_five))), 2, 1},
      {"hands on itself", handing(plain(four), "itself"), not_found, 0},
  };
}

TEST(mastra, decorators_are_followed_differently_where_it_is_known) {
  LEASELAB_NEEDS_NODE();
  runtime theirs;
  for (const auto& one : known_departures()) {
    SCOPED_TRACE(one.what);
    EXPECT_EQ(ours(one.shape), one.ours);
    EXPECT_EQ(theirs.sees(one.shape).first, one.mastra);
  }
}

}  // namespace
}  // namespace leaselab::properties::mastra
