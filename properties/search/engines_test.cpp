// A world on a real redis-server under the virtual clock and the same world on the model are one
// history: the model's claim to stand for Redis, over the very worlds that are searched.
#include <gtest/gtest.h>

#include "properties/builtin.hpp"
#include "properties/search/search.hpp"
#include "sim/redis/model_engine.hpp"
#include "sim/redis/server_engine.hpp"

namespace leaselab::properties {
namespace {

check_options options_with(engine_factory engine) {
  check_options options;
  options.strategy = "portfolio";
  options.engine = std::move(engine);
  for (const auto& one : all_properties()) options.properties.emplace_back(one->id());
  return options;
}

// What looks back in time works on the model only.
bool on_both_engines(const profile& faults) {
  return faults.id != "failover" && faults.id != "backend-restart";
}

TEST(engines, two_thousand_schedules_have_the_same_history_on_both) {
  const check_options on_model =
      options_with([] { return std::make_unique<sim::redis::model_engine>(); });
  const check_options on_server =
      options_with([] { return std::make_unique<sim::redis::server_engine>(); });
  bench model(on_model);
  bench server(on_server);
  const judge judge(on_model.properties);
  int compared = 0;
  for (const char* name : {"redis", "redis-three-step", "redis-fenced", "release-then-acquire"}) {
    const sim::variant& provider = *find_variant(name);
    for (const profile& faults : profiles()) {
      if (!on_both_engines(faults)) continue;
      const campaign campaign = make_campaign(provider, faults, on_model, judge);
      for (std::uint64_t index = 0; index < 45; ++index, ++compared) {
        const std::uint64_t expected = model.run_schedule(campaign, index).history_digest;
        ASSERT_EQ(server.run_schedule(campaign, index).history_digest, expected)
            << name << " " << faults.id << " schedule " << index;
      }
    }
  }
  EXPECT_GE(compared, 2000);
}

}  // namespace
}  // namespace leaselab::properties
