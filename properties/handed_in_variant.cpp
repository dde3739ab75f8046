#include "properties/handed_in_variant.hpp"

#include <utility>

#include "properties/deployments.hpp"

namespace leaselab::properties {
namespace {

// For an object that is made only to be looked at.
class nowhere final : public environment {
 public:
  monotonic_time now() const override { return {}; }
  wall_time wall_now() const override { return {}; }
  std::uint64_t random() override { return 0; }
  awaitable<void> sleep_until(monotonic_time) override { co_return; }
  awaitable<result<reply>> send(command, monotonic_time) override {
    co_return definite(errc::connection_refused);
  }
  awaitable<result<void>> step(monotonic_time) override { co_return definite(errc::timed_out); }
};

class stopped_clock final : public granule_clock {
 public:
  std::int64_t now_granules() const override { return 0; }
};

provider_options world_options_for(nanoseconds limit) {
  provider_options options;
  options.prefix = world_prefix;
  options.call_limit = limit;
  return options;
}

std::vector<operation> found_missing(const handed_in& value) {
  if (value.missing.empty()) return {};
  nowhere environment;
  const stopped_clock clock;
  const auto store = value.make_store ? value.make_store(clock, nullptr) : nullptr;
  const auto options = world_options_for(provider_options{}.call_limit);
  const auto got =
      resolve_made(value.make(environment, store.get(), options), environment, options);
  return got.fallback ? got.missing : std::vector<operation>();
}

// The five operations by name, of which some are not there: the deployment takes those away again.
class table_provider final : public any_lease_provider {
 public:
  explicit table_provider(provider_entries entries) : entries_(std::move(entries)) {}
  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    return entries_.acquire_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    return entries_.get_lease_owner(std::move(key), options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    return entries_.release_lease(std::move(key), std::move(owner), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    return entries_.renew_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    return entries_.transfer_lease(std::move(key), std::move(from), std::move(to), ttl, options);
  }
  void close() override {
    if (entries_.close) entries_.close();
  }

 private:
  provider_entries entries_;
};

// What both kinds share: what was made is what a runtime gets.
class handed_in_deployment : public resolving_deployment {
 public:
  explicit handed_in_deployment(handed_in value) : value_(std::move(value)) {}

 protected:
  std::uint8_t lacks() const override {
    std::uint8_t bits = 0;
    for (const operation each : value_.missing) bits |= 1 << static_cast<int>(each);
    return bits;
  }
  std::unique_ptr<any_lease_provider> made(environment& environment, void* store,
                                           const provider_options& options) const {
    auto made = value_.make(environment, store, options);
    if (made.whole) return std::move(made.whole);
    if (!value_.missing.empty()) return std::make_unique<table_provider>(std::move(made.entries));
    return resolve(std::move(made.entries), environment, options).provider;
  }

  const handed_in value_;
};

class on_redis final : public handed_in_deployment {
 public:
  on_redis(const sim::host& where, handed_in value)
      : handed_in_deployment(std::move(value)),
        records_(redis_variant("", "", value_.declared, value_.scripts, nullptr).deploy(where)) {}

  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    records_->reset(value);
  }
  bool instrumented() const override { return value_.standard_records; }
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    return records_->peek(store, key);
  }
  bool erase(std::uint8_t store, const std::string& key) override {
    return value_.standard_records && records_->erase(store, key);
  }
  bool overwrite(std::uint8_t store, const std::string& key, const std::string& owner) override {
    return value_.standard_records && records_->overwrite(store, key, owner);
  }

 protected:
  std::unique_ptr<any_lease_provider> make(sim::process_id, environment& environment,
                                           provider_options options) override {
    return made(environment, nullptr, options);
  }

 private:
  // Looks at the keys where those of `redis` are.
  const std::unique_ptr<sim::deployment> records_;
};

class on_host final : public handed_in_deployment {
 public:
  on_host(const sim::host& where, handed_in value)
      : handed_in_deployment(std::move(value)), clock_(where.backend_clock) {
    lose_data();
  }

  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    drop_providers();
    lose_data();
  }
  bool instrumented() const override { return value_.look != nullptr; }
  std::optional<sim::observed_record> peek(std::uint8_t, const std::string& key) override {
    if (!value_.look) return std::nullopt;
    auto found = value_.look(store_.get(), key);
    if (!found) return std::nullopt;
    seen_ = std::move(found->owner);
    return sim::observed_record{seen_, found->deadline_granules, 0};
  }
  bool lose_data() override {
    store_ = value_.make_store(clock_, std::move(store_));
    return true;
  }

 protected:
  std::unique_ptr<any_lease_provider> make(sim::process_id, environment& environment,
                                           provider_options options) override {
    return made(environment, store_.get(), options);
  }

 private:
  const granule_clock& clock_;
  std::shared_ptr<void> store_;
  std::string seen_;
};

}  // namespace

sim::variant handed_in_variant(handed_in value) {
  value.missing = found_missing(value);
  sim::variant out;
  out.name = value.name;
  out.about = value.about;
  out.declared = value.declared;
  out.missing = value.missing;
  out.needs_engine = value.over_redis();
  out.deploy = [value = std::move(value)](const sim::host& where) {
    std::unique_ptr<sim::deployment> made;
    if (value.over_redis()) made = std::make_unique<on_redis>(where, value);
    if (!value.over_redis()) made = std::make_unique<on_host>(where, value);
    return made;
  };
  return out;
}

}  // namespace leaselab::properties
