#include "properties/builtin.hpp"

#include <algorithm>

#include "properties/deployments.hpp"
#include "providers/memory/memory_provider.hpp"
#include "providers/noop/noop_provider.hpp"
#include "providers/redis/fenced_provider.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/three_step_provider.hpp"
#include "providers/release_then_acquire/release_then_acquire.hpp"

namespace leaselab::properties {
namespace {

std::unique_ptr<any_lease_provider> make_memory(environment& environment, memory_store& store,
                                                provider_options options) {
  return std::make_unique<memory_provider>(environment, store, std::move(options));
}

template <class Provider>
std::unique_ptr<any_lease_provider> make_redis(environment& environment, provider_options options) {
  return std::make_unique<Provider>(environment, std::move(options));
}

template <class Provider>
sim::variant redis_like(std::string name, std::string about) {
  return redis_variant(std::move(name), std::move(about), Provider::declare(), Provider::scripts(),
                       make_redis<Provider>);
}

std::unique_ptr<any_lease_provider> decorate(environment& environment,
                                             std::unique_ptr<any_lease_provider> base,
                                             provider_options options) {
  return std::make_unique<release_then_acquire>(environment, std::move(base), std::move(options));
}

template <class Provider>
sim::variant over_redis(std::string name, std::string about) {
  return redis_variant(std::move(name), std::move(about),
                       release_then_acquire::declare(Provider::declare()), Provider::scripts(),
                       [](environment& environment, provider_options options) {
                         auto base = make_redis<Provider>(environment, options);
                         return decorate(environment, std::move(base), std::move(options));
                       });
}

sim::variant over_memory(std::string name, std::string about, stores layout) {
  const auto base = layout == stores::shared ? memory_provider::declare()
                                             : memory_provider::declare_per_process();
  return memory_variant(
      std::move(name), std::move(about), release_then_acquire::declare(base),
      [](environment& environment, memory_store& store, provider_options options) {
        auto inner = make_memory(environment, store, options);
        return decorate(environment, std::move(inner), std::move(options));
      },
      layout);
}

// The backend under it is a map that lacks what the plan takes away.
sim::variant noop() {
  return memory_variant("noop", "the fallback: coordinates nothing", noop_provider::declare(),
                        make_memory);
}

std::vector<sim::variant> make_all() {
  std::vector<sim::variant> all;
  all.push_back(memory_variant("memory", "one map of one host, its processes are tasks",
                               memory_provider::declare(), make_memory));
  all.push_back(memory_variant("memory-per-process", "the same map, one for each process",
                               memory_provider::declare_per_process(), make_memory,
                               stores::per_process));
  all.push_back(redis_like<redis_provider>("redis", "every operation is one Lua script"));
  all.push_back(
      redis_like<three_step_provider>("redis-three-step", "acquire in up to three round trips"));
  all.push_back(
      redis_like<fenced_provider>("redis-fenced", "redis, with a fencing token in the answers"));
  all.push_back(over_redis<redis_provider>("release-then-acquire",
                                           "redis, with transfer as release, then acquire"));
  all.push_back(noop());
  return all;
}

constexpr std::string_view decorated = "release-then-acquire:";

std::vector<sim::variant> make_decorated() {
  std::vector<sim::variant> all;
  const auto name = [](const char* base) { return std::string(decorated) + base; };
  const std::string about = "transfer as release, then acquire";
  all.push_back(over_memory(name("memory"), about, stores::shared));
  all.push_back(over_memory(name("memory-per-process"), about, stores::per_process));
  all.push_back(over_redis<redis_provider>(name("redis"), about));
  all.push_back(over_redis<three_step_provider>(name("redis-three-step"), about));
  all.push_back(over_redis<fenced_provider>(name("redis-fenced"), about));
  return all;
}

const sim::variant* find_in(const std::vector<sim::variant>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const sim::variant& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<sim::variant>& builtin_variants() {
  static const std::vector<sim::variant> all = make_all();
  return all;
}

const sim::variant* find_variant(const std::string& name) {
  if (const auto* found = find_in(builtin_variants(), name)) return found;
  static const std::vector<sim::variant> more = make_decorated();
  return find_in(more, name);
}

}  // namespace leaselab::properties
