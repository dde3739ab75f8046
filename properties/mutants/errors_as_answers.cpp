// Errors of the backend that are turned into answers.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/noop/noop_provider.hpp"

namespace leaselab::properties::mutations {
namespace {

// The caller's own mistakes are no errors of the backend.
bool is_backend_error(const lease_error& error) {
  return error.code != errc::invalid_argument && error.code != errc::closed;
}

}  // namespace

// ---- M13 (bugs B11)
// A holds the key; B's acquire is answered with an error, and B is told that it has acquired.

namespace {

class fails_open final : public redis_provider {
 public:
  using redis_provider::redis_provider;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    auto answer =
        co_await redis_provider::acquire_lease(std::move(key), std::move(owner), ttl, options);
    if (!answer && is_backend_error(answer.error()))
      co_return acquire_answer{true, std::nullopt, std::nullopt};
    co_return answer;
  }
};

}  // namespace

mutant error_as_acquired() {
  return of_redis({"M13",
                   "an error counts as acquired",
                   "an acquire that ends in an error of the backend is answered acquired",
                   {"single_owner.grant", "lease.linearizable", "acquire.idempotent"}},
                  make_over_redis<fails_open>);
}

// ---- N12
// The backend is down or loading when a process starts. Its first call ends in an error, which is
// taken for "there is no lease backend": from then on it runs on the no-op provider. The backend
// heals, others acquire there, and this process acquires beside them.

namespace {

class gives_up_on_errors final : public redis_provider {
 public:
  gives_up_on_errors(leaselab::environment& environment, provider_options options, bool& told)
      : redis_provider(environment, options),
        fallback_(environment, std::move(options)),
        told_(told) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (!fell_back_) {
      auto answer = co_await redis_provider::acquire_lease(key, owner, ttl, options);
      if (!falls_back_on(answer)) co_return answer;
    }
    co_return co_await fallback_.acquire_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    if (!fell_back_) {
      auto answer = co_await redis_provider::get_lease_owner(key, options);
      if (!falls_back_on(answer)) co_return answer;
    }
    co_return co_await fallback_.get_lease_owner(std::move(key), options);
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    if (!fell_back_) {
      auto answer = co_await redis_provider::release_lease(key, owner, options);
      if (!falls_back_on(answer)) co_return answer;
    }
    co_return co_await fallback_.release_lease(std::move(key), std::move(owner), options);
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    if (!fell_back_) {
      auto answer = co_await redis_provider::renew_lease(key, owner, ttl, options);
      if (!falls_back_on(answer)) co_return answer;
    }
    co_return co_await fallback_.renew_lease(std::move(key), std::move(owner), ttl, options);
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    if (!fell_back_) {
      auto answer = co_await redis_provider::transfer_lease(key, from, to, ttl, options);
      if (!falls_back_on(answer)) co_return answer;
    }
    co_return co_await fallback_.transfer_lease(std::move(key), std::move(from), std::move(to), ttl,
                                                options);
  }
  void close() override {
    redis_provider::close();
    fallback_.close();
  }

 private:
  // Only the first call decides.
  template <class Answer>
  bool falls_back_on(const Answer& answer) {
    if (!answer && !is_backend_error(answer.error())) return false;
    fell_back_ = fell_back_ || (!started_ && !answer);
    told_ = told_ || fell_back_;
    started_ = true;
    return fell_back_;
  }

  noop_provider fallback_;
  bool& told_;  // the fallback is always visible
  bool started_ = false;
  bool fell_back_ = false;
};

class shows_fallbacks final : public deployment_over {
 public:
  explicit shows_fallbacks(const sim::host& where)
      : deployment_over(nullptr), any_(std::make_unique<bool>(false)) {
    const auto make = [&any = *any_](environment& environment, provider_options options) {
      return std::make_unique<gives_up_on_errors>(environment, std::move(options), any);
    };
    inner_ = redis_variant({}, {}, redis_provider::declare(), redis_provider::scripts(), make)
                 .deploy(where);
  }
  void reset(const sim::plan& value) override {
    *any_ = false;
    inner_->reset(value);
  }
  bool fell_back() const override { return *any_; }

 private:
  std::unique_ptr<bool> any_;
};

}  // namespace

mutant error_as_no_backend() {
  auto value =
      of_redis({"N12",
                "an error at start selects the no-op",
                "a process whose first call ends in an error of the backend runs on the no-op "
                "provider from then on: when the backend heals, both it and the others are granted",
                {"noop.selected", "single_owner.grant", "lease.linearizable", "renew.honest",
                 "handoff.honest", "handoff.full_ttl", "expiry.on_time", "acquire.idempotent"}},
               {});
  value.variant.deploy = [](const sim::host& where) {
    return std::make_unique<shows_fallbacks>(where);
  };
  return value;
}

}  // namespace leaselab::properties::mutations
