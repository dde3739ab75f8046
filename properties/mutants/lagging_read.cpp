// M30: reads that are served by a copy which is one write behind.
//
// A acquires; get says that nobody holds the key. A releases; get still names A.
#include <map>

#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/call_rules.hpp"

namespace leaselab::properties::mutations {
namespace {

using record = std::optional<memory_store::record>;

// The last write has not arrived here yet.
class lagging_copy {
 public:
  // `key` was looked at after an operation; if that changed it, it was a write.
  void note(const std::string& key, const record& now) {
    if (now == newest(key)) return;
    if (in_flight_) records_[in_flight_->first] = std::move(in_flight_->second);
    in_flight_.emplace(key, now);
  }
  record read(const std::string& key) const {
    const auto found = records_.find(key);
    return found == records_.end() ? std::nullopt : found->second;
  }
  void clear() {
    records_.clear();
    in_flight_.reset();
  }

 private:
  record newest(const std::string& key) const {
    return in_flight_ && in_flight_->first == key ? in_flight_->second : read(key);
  }

  std::map<std::string, record> records_;
  std::optional<std::pair<std::string, record>> in_flight_;
};

// Every operation is the correct one; only that the copy learns of it.
class reads_the_copy final : public memory_provider {
 public:
  reads_the_copy(leaselab::environment& environment, memory_store& store, provider_options options,
                 lagging_copy& copy, const granule_clock& clock)
      : memory_provider(environment, store, std::move(options)), copy_(copy), clock_(clock) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    auto answer = co_await memory_provider::acquire_lease(key, std::move(owner), ttl, options);
    copy_.note(key, store_.peek(key));
    co_return answer;
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    auto answer = co_await memory_provider::release_lease(key, std::move(owner), options);
    copy_.note(key, store_.peek(key));
    co_return answer;
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    auto answer = co_await memory_provider::renew_lease(key, std::move(owner), ttl, options);
    copy_.note(key, store_.peek(key));
    co_return answer;
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    auto answer =
        co_await memory_provider::transfer_lease(key, std::move(from), std::move(to), ttl, options);
    copy_.note(key, store_.peek(key));
    co_return answer;
  }

  // A copy counts deadlines too: what it names is live, as far as it knows.
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    if (auto refusal = refuse_key(key)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
    auto stepped = co_await environment_.step(deadline);
    if (!stepped) co_return stepped.error();
    auto seen = copy_.read(key);
    if (!seen || clock_.now_granules() >= seen->deadline_granules)
      co_return std::optional<std::string>();
    co_return std::optional<std::string>(std::move(seen->owner));
  }

 private:
  lagging_copy& copy_;
  const granule_clock& clock_;
};

class with_a_copy final : public deployment_over {
 public:
  explicit with_a_copy(const sim::host& where)
      : deployment_over(nullptr), copy_(std::make_unique<lagging_copy>()) {
    const auto make = [&copy = *copy_, &clock = where.backend_clock](
                          environment& environment, memory_store& store, provider_options options) {
      return std::make_unique<reads_the_copy>(environment, store, std::move(options), copy, clock);
    };
    inner_ = memory_variant({}, {}, {}, make).deploy(where);
  }

  void reset(const sim::plan& value) override {
    copy_->clear();
    inner_->reset(value);
  }

 private:
  std::unique_ptr<lagging_copy> copy_;
};

}  // namespace

mutant read_one_write_behind() {
  return of_memory_deployed(
      {"M30",
       "get is one write behind",
       "get answers from a copy that lacks the last write: it names an owner that has left, or "
       "nobody where somebody holds the key",
       {"expiry.on_time", "lease.linearizable"}},
      [](const sim::host& where) { return std::make_unique<with_a_copy>(where); });
}

}  // namespace leaselab::properties::mutations
