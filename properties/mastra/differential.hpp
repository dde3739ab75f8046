// Two lease providers side by side: random operations with clock moves, answers as text, and the
// fewest operations that tell the two apart.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "providers/lease_provider.hpp"
#include "providers/memory/memory_store.hpp"
#include "providers/testing/scripted_environment.hpp"

namespace leaselab::properties::mastra {

struct asked {
  operation what = operation::acquire;
  std::int64_t at_ms = 0;
  std::string key, owner, to;
  std::int64_t ttl_ms = 0;
};
std::string to_string(const asked& one);

// One clock for a provider and whatever it is told of time.
class bench_top {
 public:
  testing::scripted_environment environment;
  testing::manual_granule_clock granules;

  void move_to(std::int64_t at_ms);
};

// Begins a new world and makes a provider in it.
using maker = std::function<std::unique_ptr<any_lease_provider>(bench_top&)>;

// What a provider answers, as one line. An acquire that is granted may name its owner.
std::vector<std::string> answers_of(const std::vector<asked>& all, const maker& make);

// Lawful operations; every fourth at a deadline of its key, or a millisecond beside it.
std::vector<asked> draw_operations(std::uint64_t seed, std::size_t count);

struct difference {
  std::vector<asked> operations;  // the last one is answered differently
  std::string left, right;
};
std::optional<difference> compare(const std::vector<asked>& all, const maker& left,
                                  const maker& right);
// Fewer operations, of which the last is answered differently; none can be left out.
difference shrunk(difference found, const maker& left, const maker& right);
std::string to_string(const difference& value);

}  // namespace leaselab::properties::mastra
