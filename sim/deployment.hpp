// How a provider variant is put into a world: the stores that its processes share, and a provider
// for each process. Concrete variants come in as values of `variant`; sim knows none of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/environment.hpp"
#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"
#include "sim/redis/engine.hpp"
#include "sim/workload/client_kit.hpp"

namespace leaselab::sim {

// What a deployment may use of its world.
struct host {
  granule_clock& backend_clock;
  redis::engine* engine = nullptr;  // set where the variant asks for one
};

// The provider that a runtime in this process would get.
struct deployed {
  any_lease_provider* provider = nullptr;  // owned by the deployment
  bool fallback = false;                   // the no-op provider, since operations are missing
  std::vector<operation> missing;
};

// What a store holds, for the instruments; read without any effect.
struct observed_record {
  std::string_view owner;  // valid until the store changes
  std::int64_t deadline = 0;
  std::uint64_t token = 0;
};

class deployment {
 public:
  virtual ~deployment() = default;
  // From now on what it starts is the backend itself, whose denials name nobody: no runtime looks
  // for five operations. False: it cannot.
  virtual bool serve_as_lock() { return false; }
  // A new world: empty stores, no provider.
  virtual void reset(const plan& value) = 0;
  // A process incarnation begins. What an earlier incarnation of `process` had is gone.
  virtual deployed start(process_id process, environment& environment) = 0;
  // Since the world began some process came to use the no-op provider after all.
  virtual bool fell_back() const { return false; }
  // False: the stores cannot be looked into, and the judge sees answers only.
  virtual bool instrumented() const { return true; }
  // Stores are numbered from 0; most variants have one.
  virtual int store_count() const { return 1; }
  virtual std::uint8_t store_of(process_id) const { return 0; }
  virtual std::optional<observed_record> peek(std::uint8_t store, const std::string& key) = 0;
  // Environment faults on one record. False: cannot occur here.
  virtual bool erase(std::uint8_t, const std::string&) { return false; }
  virtual bool overwrite(std::uint8_t, const std::string&, const std::string&) { return false; }
  // A restart of the backend without its data. False: cannot occur here.
  virtual bool lose_data() { return false; }
};

// What the clocks of a variant's processes keep to, where that is not what the profile says.
struct clock_bounds {
  std::int64_t margin_ppm = 100'000;            // of the ttl, that its clients leave
  std::int64_t least_rate_ppb = 1'000'000'000;  // of their clocks against the backend's
  std::int64_t ttl_ms = 15'000;                 // long against a granule
  std::int64_t standing_ppm = 0;                // of the ttl: for so long clocks may stand in all
};

struct variant {
  std::string name;
  std::string about;  // one line for `list`
  guarantees declared;
  bool needs_engine = false;
  // Of a provider from elsewhere: where any is missing, a runtime falls back to the no-op provider.
  std::vector<operation> missing = {};
  bool text_only = false;  // its keys and owners are UTF-8
  // Its processes' clients; null: the correct ones.
  std::shared_ptr<const client_kit> clients = nullptr;
  // The policies that its runtimes live by, and the bounds of its worlds, where they are its own.
  std::optional<client_policy> policy = std::nullopt;
  std::optional<clock_bounds> clocks = std::nullopt;
  std::function<std::unique_ptr<deployment>(const host&)> deploy;
};

}  // namespace leaselab::sim
