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

struct variant {
  std::string name;
  std::string about;  // one line for `list`
  guarantees declared;
  bool needs_engine = false;
  std::function<std::unique_ptr<deployment>(const host&)> deploy;
};

}  // namespace leaselab::sim
