#include "providers/detect.hpp"

#include <utility>

#include "providers/noop/noop_provider.hpp"

namespace leaselab {
namespace {

// The last table of a chain as a provider. The outer ones are kept because what they describe may
// own what the last one calls.
class entries_provider final : public any_lease_provider {
 public:
  explicit entries_provider(std::vector<provider_entries> chain)
      : chain_(std::move(chain)), entries_(chain_.back()) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (closed_) return adapting::ended<acquire_answer>(definite(errc::closed));
    return entries_.acquire_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    if (closed_) return adapting::ended<std::optional<std::string>>(definite(errc::closed));
    return entries_.get_lease_owner(std::move(key), options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    if (closed_) return adapting::ended<void>(definite(errc::closed));
    return entries_.release_lease(std::move(key), std::move(owner), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    if (closed_) return adapting::ended<bool>(definite(errc::closed));
    return entries_.renew_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    if (closed_) return adapting::ended<transfer_answer>(definite(errc::closed));
    return entries_.transfer_lease(std::move(key), std::move(from), std::move(to), ttl, options);
  }
  void close() override {
    if (entries_.close) return entries_.close();
    closed_ = true;
  }

 private:
  std::vector<provider_entries> chain_;
  provider_entries& entries_;
  bool closed_ = false;
};

// Follows the chain inward until a table is complete; whether it is, the caller looks up.
std::vector<provider_entries> follow(provider_entries outermost, int max_depth) {
  std::vector<provider_entries> chain;
  chain.push_back(std::move(outermost));
  for (int depth = 0; depth < max_depth && !chain.back().complete(); ++depth) {
    if (!chain.back().get_lease_provider) break;
    auto inner = chain.back().get_lease_provider();
    if (!inner) break;
    chain.push_back(std::move(*inner));
  }
  return chain;
}

std::string fallback_warning(const std::vector<operation>& missing) {
  std::string names;
  for (const auto one : missing) {
    if (!names.empty()) names += ", ";
    names += to_string(one);
  }
  return "no lease provider: the backend lacks " + names +
         "; using the no-op provider, which coordinates nothing between processes";
}

}  // namespace

bool provider_entries::complete() const { return missing().empty(); }

std::vector<operation> provider_entries::missing() const {
  std::vector<operation> missing;
  if (!acquire_lease) missing.push_back(operation::acquire);
  if (!get_lease_owner) missing.push_back(operation::get);
  if (!release_lease) missing.push_back(operation::release);
  if (!renew_lease) missing.push_back(operation::renew);
  if (!transfer_lease) missing.push_back(operation::transfer);
  return missing;
}

resolved_provider resolve(provider_entries outermost, environment& environment,
                          provider_options options, detection policy) {
  resolved_provider resolved;
  resolved.missing = outermost.missing();
  auto chain =
      follow(std::move(outermost), policy == detection::outermost ? 0 : max_detection_depth);
  if (chain.back().complete()) {
    resolved.depth = static_cast<int>(chain.size()) - 1;
    resolved.provider = std::make_unique<entries_provider>(std::move(chain));
    return resolved;
  }
  resolved.fallback = true;
  resolved.warning = fallback_warning(resolved.missing);
  resolved.provider = std::make_unique<noop_provider>(environment, std::move(options));
  return resolved;
}

}  // namespace leaselab
