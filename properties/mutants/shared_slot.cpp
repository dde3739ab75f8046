// M40 (bugs B36): different keys share one slot.
//
// A acquires K and B asks for L: B is refused with A's name.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"

namespace leaselab::properties::mutations {
namespace {

constexpr const char* slot = "slot";

class one_slot final : public environment_over {
 public:
  using environment_over::environment_over;

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    request.words[request.lua ? 0 : 1] = lease_key(world_prefix, slot);
    return real_.send(std::move(request), deadline);
  }
};

// Each key holds what its slot holds.
class looks_into_the_slot final : public deployment_over {
 public:
  using deployment_over::deployment_over;

  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string&) override {
    return inner_->peek(store, slot);
  }
  bool erase(std::uint8_t store, const std::string&) override { return inner_->erase(store, slot); }
  bool overwrite(std::uint8_t store, const std::string&, const std::string& owner) override {
    return inner_->overwrite(store, slot, owner);
  }
};

}  // namespace

mutant keys_share_a_slot() {
  return deployed_in<looks_into_the_slot>(
      of_redis({"M40",
                "keys share a slot",
                "all keys are kept in one slot: who holds one of them holds them all",
                {"key.isolation", "lease.linearizable", "acquire.honest_denial", "expiry.on_time"}},
               make_over_redis<redis_on<one_slot>>));
}

}  // namespace leaselab::properties::mutations
