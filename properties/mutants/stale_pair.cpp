// N14: two stale releases in a row, by two processes neither of which set the lease.
//
// A (P1) holds K. P2 releases K as B, which changes nothing. The very next command on K is P3's
// release as C: it deletes A's record. Any other command on K in between, a read included, and
// nothing happens.
#include <map>

#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/call_rules.hpp"

namespace leaselab::properties::mutations {
namespace {

// What the store remembers of each key, beside its record. A process is known by its seam.
struct memory_of_key {
  const environment* set_by = nullptr;         // the process whose command last changed the record
  const environment* stale_release = nullptr;  // set: the last command was one, by this process
};
using memory_of_keys = std::map<std::string, memory_of_key>;

class counts_stale_releases final : public memory_provider {
 public:
  counts_stale_releases(leaselab::environment& environment, memory_store& store,
                        provider_options options, memory_of_keys& keys)
      : memory_provider(environment, store, std::move(options)), keys_(keys) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    auto answer = co_await memory_provider::acquire_lease(key, std::move(owner), ttl, options);
    if (answer) note(key, answer->acquired);
    co_return answer;
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    auto answer = co_await memory_provider::get_lease_owner(key, options);
    if (answer) note(key, false);
    co_return answer;
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    auto answer = co_await memory_provider::renew_lease(key, std::move(owner), ttl, options);
    if (answer) note(key, *answer);
    co_return answer;
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    auto answer =
        co_await memory_provider::transfer_lease(key, std::move(from), std::move(to), ttl, options);
    if (answer) note(key, answer->moved);
    co_return answer;
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    auto answer = co_await memory_provider::release_lease(key, owner, options);
    if (answer) after_release(key, owner);
    co_return answer;
  }

 private:
  void note(const std::string& key, bool has_set) {
    auto& known = keys_[key];
    if (has_set) known.set_by = &environment_;
    known.stale_release = nullptr;
  }
  // After the correct release: one that did what it should left no live record of its owner.
  void after_release(const std::string& key, const std::string& owner) {
    auto& known = keys_[key];
    const auto holder = store_.owner_of(key);
    const auto* before = std::exchange(known.stale_release, nullptr);
    if (!holder || *holder == owner) return;
    if (before && before != &environment_ && known.set_by != before &&
        known.set_by != &environment_) {
      store_.release(key, *holder);
    } else {
      known.stale_release = &environment_;
    }
  }

  memory_of_keys& keys_;
};

class with_memory_of_keys final : public deployment_over {
 public:
  explicit with_memory_of_keys(const sim::host& where)
      : deployment_over(nullptr), keys_(std::make_unique<memory_of_keys>()) {
    const auto make = [&keys = *keys_](environment& environment, memory_store& store,
                                       provider_options options) {
      return std::make_unique<counts_stale_releases>(environment, store, std::move(options), keys);
    };
    inner_ = memory_variant({}, {}, {}, make).deploy(where);
  }

  void reset(const sim::plan& value) override {
    keys_->clear();
    inner_->reset(value);
  }

 private:
  std::unique_ptr<memory_of_keys> keys_;
};

}  // namespace

mutant second_stale_release() {
  return of_memory_deployed(
      {"N14",
       "the second stale release deletes",
       "a stale release deletes the record if the previous command on that key was a stale release "
       "too, from a third process",
       {"release.owner_only", "expiry.on_time", "single_owner.grant", "lease.linearizable"}},
      [](const sim::host& where) { return std::make_unique<with_memory_of_keys>(where); });
}

}  // namespace leaselab::properties::mutations
