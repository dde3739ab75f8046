#include "properties/deployments.hpp"

#include <charconv>
#include <utility>

#include "properties/lock.hpp"
#include "providers/redis/redis_provider.hpp"

namespace leaselab::properties {
namespace {

// Takes away the operations whose bits are set.
void take_away(provider_entries& entries, std::uint8_t lacking) {
  const auto lacks = [lacking](operation one) { return lacking >> int(one) & 1; };
  if (lacks(operation::acquire)) entries.acquire_lease = nullptr;
  if (lacks(operation::get)) entries.get_lease_owner = nullptr;
  if (lacks(operation::release)) entries.release_lease = nullptr;
  if (lacks(operation::renew)) entries.renew_lease = nullptr;
  if (lacks(operation::transfer)) entries.transfer_lease = nullptr;
}

// A decorator that adds nothing of its own.
provider_entries wrap(provider_entries inner) {
  provider_entries outer;
  outer.get_lease_provider = [inner = std::move(inner)] { return std::optional(inner); };
  return outer;
}

class memory_deployment final : public resolving_deployment {
 public:
  memory_deployment(const sim::host& where, memory_factory make, stores layout)
      : clock_(where.backend_clock), make_(std::move(make)), layout_(layout) {
    grow(1);
  }

  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    // The quiet phase's contender is a process too.
    used_ = layout_ == stores::shared ? 1 : int(value.processes.size()) + 1;
    grow(std::size_t(used_));
    lose_data();
  }
  int store_count() const override { return used_; }
  std::uint8_t store_of(sim::process_id process) const override {
    return layout_ == stores::shared ? 0 : process;
  }
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    auto record = stores_[store]->peek(key);
    if (!record) return std::nullopt;
    seen_ = std::move(record->owner);
    return sim::observed_record{seen_, record->deadline_granules, 0};
  }
  bool lose_data() override {
    for (auto& store : stores_) store->reset();
    return true;
  }

 protected:
  std::unique_ptr<any_lease_provider> make(sim::process_id process, environment& environment,
                                           provider_options options) override {
    return make_(environment, *stores_[store_of(process)], std::move(options));
  }

 private:
  void grow(std::size_t count) {
    while (stores_.size() < count) stores_.push_back(std::make_unique<memory_store>(clock_));
  }

  granule_clock& clock_;
  memory_factory make_;
  stores layout_;
  int used_ = 1;
  std::vector<std::unique_ptr<memory_store>> stores_;
  std::string seen_;
};

class redis_deployment final : public resolving_deployment {
 public:
  redis_deployment(const sim::host& where, std::vector<const script*> warm, redis_factory make,
                   bool fenced)
      : clock_(where.backend_clock),
        engine_(*where.engine),
        warm_(std::move(warm)),
        make_(std::move(make)),
        fenced_(fenced) {}

  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    for (const auto* one : warm_) engine_.load(*one);
  }
  std::optional<sim::observed_record> peek(std::uint8_t, const std::string& key) override {
    const auto now = clock_.now_granules();
    name_ = stem_;
    name_ += key;
    auto record = engine_.peek(name_, now);
    if (!record) return std::nullopt;
    seen_ = std::move(record->value);
    return sim::observed_record{seen_, record->deadline_ms, fenced_ ? token_of(key, now) : 0};
  }
  bool erase(std::uint8_t, const std::string& key) override {
    engine_.erase(stem_ + key);
    return true;
  }
  bool overwrite(std::uint8_t, const std::string& key, const std::string& owner) override {
    engine_.overwrite(stem_ + key, owner);
    return true;
  }

 protected:
  std::unique_ptr<any_lease_provider> make(sim::process_id, environment& environment,
                                           provider_options options) override {
    return make_(environment, std::move(options));
  }

 private:
  // The counter goes up whenever the owner changes, so it is the live record's token.
  std::uint64_t token_of(const std::string& key, std::int64_t now) {
    const auto counter = engine_.peek(fence_key(world_prefix, key), now);
    std::uint64_t token = 0;
    if (counter) {
      const auto& text = counter->value;
      std::from_chars(text.data(), text.data() + text.size(), token);
    }
    return token;
  }

  granule_clock& clock_;
  sim::redis::engine& engine_;
  std::vector<const script*> warm_;
  redis_factory make_;
  bool fenced_;
  const std::string stem_ = lease_key(world_prefix, "");
  std::string name_, seen_;
};

}  // namespace

void resolving_deployment::reset(const sim::plan& value) {
  options_.prefix = world_prefix;
  options_.call_limit = nanoseconds(value.bounds.call_limit);
  decorators_ = value.decorators;
  detection_ = value.client.detection == sim::detection_policy::outermost ? detection::outermost
                                                                          : detection::any_depth;
  lacking_ = value.lacking;
}

sim::deployed resolving_deployment::start(sim::process_id process, environment& environment) {
  if (slots_.size() <= process) slots_.resize(process + 1U);
  auto& slot = slots_[process];
  slot.resolved.provider.reset();
  slot.lock.reset();
  slot.own = make(process, environment, options_);
  if (as_lock_) {
    slot.lock = make_lock_view(*slot.own);
    return {slot.lock.get(), false, {}};
  }
  const std::uint8_t gone = lacking_ | lacks();
  if (decorators_ == 0 && gone == 0) return {slot.own.get(), false, {}};
  auto entries = describe(*slot.own);
  take_away(entries, gone);
  for (int i = 0; i < decorators_; ++i) entries = wrap(std::move(entries));
  slot.resolved = resolve(std::move(entries), environment, options_, detection_);
  // A decorator lacks operations too; what counts is whether anything behind it has them all.
  const bool fallback = slot.resolved.fallback;
  // A client that looks no deeper falls back though nothing is missing.
  const bool lacking = fallback && (gone != 0 || detection_ == detection::any_depth);
  return {slot.resolved.provider.get(), fallback,
          lacking ? slot.resolved.missing : std::vector<operation>()};
}

sim::variant memory_variant(std::string name, std::string about, guarantees declared,
                            memory_factory make, stores layout) {
  sim::variant made;
  made.name = std::move(name);
  made.about = std::move(about);
  made.declared = std::move(declared);
  made.deploy = [make = std::move(make), layout](const sim::host& where) {
    return std::make_unique<memory_deployment>(where, make, layout);
  };
  return made;
}

sim::variant redis_variant(std::string name, std::string about, guarantees declared,
                           std::vector<const script*> warm, redis_factory make) {
  sim::variant made;
  made.name = std::move(name);
  made.about = std::move(about);
  made.needs_engine = true;
  const bool fenced = declared.fencing;
  made.declared = std::move(declared);
  made.deploy = [warm = std::move(warm), make = std::move(make), fenced](const sim::host& where) {
    return std::make_unique<redis_deployment>(where, warm, make, fenced);
  };
  return made;
}

}  // namespace leaselab::properties
