// A variant for the simulator's own tests: the in-memory provider, one store for the world.
#pragma once

#include <map>
#include <memory>

#include "providers/memory/memory_provider.hpp"
#include "sim/deployment.hpp"

namespace leaselab::sim::testing {

class memory_deployment final : public deployment {
 public:
  explicit memory_deployment(const host& where) : store_(where.backend_clock) {}

  void reset(const plan&) override { store_.reset(); }
  deployed start(process_id process, environment& environment) override {
    providers_[process] =
        std::make_unique<memory_provider>(environment, store_, provider_options{});
    return {providers_[process].get(), false, {}};
  }
  std::optional<observed_record> peek(std::uint8_t, const std::string& key) override {
    const auto record = store_.peek(key);
    if (!record) return std::nullopt;
    owner_ = record->owner;
    return observed_record{owner_, record->deadline_granules, 0};
  }

 private:
  memory_store store_;
  std::map<process_id, std::unique_ptr<any_lease_provider>> providers_;
  std::string owner_;
};

inline variant memory_variant() {
  variant value;
  value.name = "memory";
  value.deploy = [](const host& where) { return std::make_unique<memory_deployment>(where); };
  return value;
}

}  // namespace leaselab::sim::testing
