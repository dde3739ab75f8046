#include "properties/foreign_library.hpp"

#include <memory>
#include <utility>

#include "properties/deployments.hpp"
#include "providers/plugin/plugin_provider.hpp"

namespace leaselab::properties {
namespace {

class library_deployment final : public resolving_deployment {
 public:
  library_deployment(const sim::host& where, std::shared_ptr<const plugin::library> of)
      : clock_(where.backend_clock), of_(std::move(of)), in_redis_(records_in_redis(where)) {
    for (const operation each : of_->missing()) lacking_ |= 1 << int(each);
  }

  // Instances of the last world keep what they share until they are replaced.
  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    in_redis_->reset(value);
    shared_ = std::make_shared<plugin::host_memory>(of_);
  }
  bool instrumented() const override { return of_->entry.peek != nullptr || of_->says_where(); }
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    if (of_->entry.peek == nullptr) return in_redis_->peek(store, key);
    lease_record found{sizeof(lease_record), {}, 0, 0};
    const lease_text name{key.data(), key.size()};
    if (of_->entry.peek(shared_->shared(), name, &found) != LEASE_YES) return std::nullopt;
    const std::string_view owner(found.owner.data, found.owner.size);
    return sim::observed_record{owner, found.deadline_ms, found.token};
  }
  bool erase(std::uint8_t store, const std::string& key) override {
    return of_->says_where() && in_redis_->erase(store, key);
  }
  bool overwrite(std::uint8_t store, const std::string& key, const std::string& owner) override {
    return of_->says_where() && in_redis_->overwrite(store, key, owner);
  }
  bool lose_data() override {
    if (of_->entry.clear_host == nullptr) return false;
    of_->entry.clear_host(shared_->shared());
    return true;
  }

 protected:
  std::uint8_t lacks() const override { return lacking_; }
  std::unique_ptr<any_lease_provider> make(sim::process_id, environment& environment,
                                           provider_options options) override {
    return std::make_unique<plugin::plugin_provider>(environment, clock_, shared_, stacks_,
                                                     std::move(options));
  }

 private:
  // Where those of `redis` are.
  static std::unique_ptr<sim::deployment> records_in_redis(const sim::host& where) {
    return redis_variant("", "", {}, {}, nullptr).deploy(where);
  }

  granule_clock& clock_;
  const std::shared_ptr<const plugin::library> of_;
  const std::unique_ptr<sim::deployment> in_redis_;
  std::uint8_t lacking_ = 0;
  const std::shared_ptr<plugin::stack_pool> stacks_ = std::make_shared<plugin::stack_pool>();
  std::shared_ptr<plugin::host_memory> shared_;
};

}  // namespace

foreign introduce_library(const std::string& path, const std::string& folder) {
  const auto found = std::make_shared<const plugin::library>(path, folder);
  foreign made;
  made.missing = found->missing();
  made.variant.name = path;
  made.variant.about = "a shared library";
  made.variant.declared = found->declared();
  made.variant.needs_engine = true;
  made.variant.deploy = [found](const sim::host& where) {
    return std::make_unique<library_deployment>(where, found);
  };
  return made;
}

}  // namespace leaselab::properties
