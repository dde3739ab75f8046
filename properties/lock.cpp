#include "properties/lock.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace leaselab::properties {
namespace {

class lock_view final : public any_lease_provider {
 public:
  explicit lock_view(any_lease_provider& provider) : provider_(provider) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    auto answer = co_await provider_.acquire_lease(std::move(key), std::move(owner), ttl, options);
    if (answer && !answer->acquired) answer->owner.reset();
    co_return answer;
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    return provider_.get_lease_owner(std::move(key), options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    return provider_.release_lease(std::move(key), std::move(owner), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    return provider_.renew_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    return provider_.transfer_lease(std::move(key), std::move(from), std::move(to), ttl, options);
  }
  void close() override { provider_.close(); }

 private:
  any_lease_provider& provider_;
};

void expect_lock(const sim::variant& base) {
  const auto refuse = [&](std::string_view why) {
    throw std::invalid_argument(base.name + " cannot be tested as a lock: " + std::string(why));
  };
  if (base.declared.scope == scope::none) refuse("it is what a runtime falls back to");
  for (const operation needed : {operation::acquire, operation::release}) {
    if (std::find(base.missing.begin(), base.missing.end(), needed) != base.missing.end())
      refuse("it has no " + std::string(to_string(needed)));
  }
}

sim::variant make(const sim::variant& base, std::string name) {
  sim::variant out = base;
  out.name = std::move(name);
  out.about += ", as a lock";
  out.declared.as_lock = true;
  for (const operation one : base.missing)
    out.declared.uncalled |= static_cast<std::uint8_t>(1 << int(one));
  out.deploy = [inner = base.deploy](const sim::host& where) {
    auto made = inner(where);
    if (!made->serve_as_lock()) throw std::logic_error("this deployment serves no locks");
    return made;
  };
  return out;
}

// Those of a runtime, which wants a lease.
bool of_runtimes(std::string_view property) {
  return property.starts_with("run.") || property.starts_with("noop.") ||
         property == "loss.noticed" || property == "signal.once";
}

}  // namespace

const sim::variant& lock_variant(const sim::variant& base) {
  static std::mutex making;
  static std::map<const sim::variant*, sim::variant> made;
  expect_lock(base);
  const std::lock_guard lock(making);
  const auto known = made.find(&base);
  if (known != made.end()) return known->second;
  return made.emplace(&base, make(base, std::string(lock_prefix) + base.name)).first->second;
}

bool lacks(const guarantees& declared, operation one) { return declared.uncalled >> int(one) & 1; }

bool asked_of(std::string_view property, const guarantees& declared) {
  if (!declared.as_lock) return true;
  if (of_runtimes(property) || property == "acquire.honest_denial") return false;
  if (property.starts_with("renew.")) return !lacks(declared, operation::renew);
  if (property.starts_with("handoff.")) return !lacks(declared, operation::transfer);
  return true;
}

std::unique_ptr<any_lease_provider> make_lock_view(any_lease_provider& provider) {
  return std::make_unique<lock_view>(provider);
}

}  // namespace leaselab::properties
