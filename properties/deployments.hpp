// Deployments over the two kinds of backend, and the variants made of them. Mutants use them too:
// what differs between variants is which object serves a process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "providers/detect.hpp"
#include "providers/memory/memory_store.hpp"
#include "sim/deployment.hpp"

namespace leaselab::properties {

// Makes the provider of one process over a map of its host, or over Redis.
using memory_factory = std::function<std::unique_ptr<any_lease_provider>(
    environment&, memory_store&, provider_options)>;
using redis_factory =
    std::function<std::unique_ptr<any_lease_provider>(environment&, provider_options)>;

enum class stores : std::uint8_t { shared, per_process };

sim::variant memory_variant(std::string name, std::string about, guarantees declared,
                            memory_factory make, stores layout = stores::shared);
// `warm`: what the script cache holds when a world begins. Where the declaration says fencing, a
// record's token is read beside it.
sim::variant redis_variant(std::string name, std::string about, guarantees declared,
                           std::vector<const script*> warm, redis_factory make);

// The prefix of every key in a simulated world.
inline constexpr const char* world_prefix = "leaselab";

// Common to both kinds: makes each incarnation's provider and resolves it as a runtime would.
// Behind decorators, and where the plan takes operations away, detection looks for it; otherwise
// it is plain to see and detection would only cost time.
class resolving_deployment : public sim::deployment {
 public:
  bool serve_as_lock() override { return as_lock_ = true; }
  void reset(const sim::plan& value) override;
  sim::deployed start(sim::process_id process, environment& environment) final;

 protected:
  // Operations that what make() makes has in name only, a bit each.
  virtual std::uint8_t lacks() const { return 0; }
  virtual std::unique_ptr<any_lease_provider> make(sim::process_id process,
                                                   environment& environment,
                                                   provider_options options) = 0;
  // Before what they refer to is made anew.
  void drop_providers() { slots_.clear(); }

 private:
  struct slot {
    resolved_provider resolved;  // refers to `own`
    std::unique_ptr<any_lease_provider> own;
    std::unique_ptr<any_lease_provider> lock;  // refers to `own`
  };

  provider_options options_;
  detection detection_ = detection::any_depth;
  std::uint8_t decorators_ = 0;
  std::uint8_t lacking_ = 0;
  bool as_lock_ = false;
  std::vector<slot> slots_;
};

}  // namespace leaselab::properties
