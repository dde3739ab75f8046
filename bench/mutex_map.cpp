// The least that leases in one address space can cost: no coroutine, no limits, no argument rules.
#include <benchmark/benchmark.h>

#include <map>
#include <mutex>

#include "bench/yardsticks.hpp"

namespace leaselab::bench {
namespace {

class mutex_map {
 public:
  bool acquire(const std::string& key, const std::string& owner) {
    const std::lock_guard lock(mutex_);
    const auto now = steady::now();
    record& found = records_[key];
    if (found.deadline > now && found.owner != owner) return false;
    found = {owner, now + ttl};
    return true;
  }
  bool renew(const std::string& key, const std::string& owner) { return change(key, owner, owner); }
  bool change(const std::string& key, const std::string& from, const std::string& to) {
    const std::lock_guard lock(mutex_);
    const auto now = steady::now();
    const auto found = records_.find(key);
    if (found == records_.end() || found->second.owner != from || found->second.deadline <= now) {
      return false;
    }
    found->second = {to, now + ttl};
    return true;
  }
  void release(const std::string& key, const std::string& owner) {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(key);
    if (found != records_.end() && found->second.owner == owner) records_.erase(found);
  }
  std::string owner_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(key);
    if (found == records_.end() || found->second.deadline <= steady::now()) return {};
    return found->second.owner;
  }

 private:
  struct record {
    std::string owner;
    steady::time_point deadline{};
  };
  std::mutex mutex_;
  std::map<std::string, record> records_;
};

// The calls that it made.
int round(mutex_map& leases, kind operation, std::string& owner, std::string& other) {
  const std::string key = "thread-1";
  switch (operation) {
    case kind::acquire_release:
      benchmark::DoNotOptimize(leases.acquire(key, owner));
      leases.release(key, owner);
      return 2;
    case kind::reacquire:
    case kind::refused:
      benchmark::DoNotOptimize(leases.acquire(key, owner));
      return 1;
    case kind::renew:
      benchmark::DoNotOptimize(leases.renew(key, owner));
      return 1;
    case kind::transfer:
      benchmark::DoNotOptimize(leases.change(key, owner, other));
      owner.swap(other);
      return 1;
    case kind::get:
      benchmark::DoNotOptimize(leases.owner_of(key));
      return 1;
    case kind::mix:
      break;
  }
  benchmark::DoNotOptimize(leases.acquire(key, owner));
  benchmark::DoNotOptimize(leases.renew(key, owner));
  leases.release(key, owner);
  return 3;
}

}  // namespace

double mutex_map_rate(kind operation, steady::duration length) {
  mutex_map leases;
  std::string owner = "process-1/1/1", other = owner + "/next";
  const bool refused = lease_before(operation) == wanted::stranger;
  if (lease_before(operation) != wanted::none) {
    leases.acquire("thread-1", refused ? std::string(stranger) : owner);
  }
  const auto began = steady::now();
  auto now = began;
  double calls = 0;
  for (; now < began + length; now = steady::now()) {
    calls += round(leases, operation, owner, other);
  }
  return calls / std::chrono::duration<double>(now - began).count();
}

}  // namespace leaselab::bench
