// A ttl in ms that is taken for something else.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/call_rules.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::properties::mutations {

// ---- M24
// acquire(100 ms) lasts 100 s.

mutant ttl_in_seconds() {
  static const script faulty = edited(redis_scripts::acquire(), "'PX'", "'EX'");
  return with_script(
      {"M24",
       "ttl in seconds",
       "acquire takes its ttl for seconds: the lease outlives its promise 1000 times",
       {"expiry.on_time", "acquire.idempotent", "lease.linearizable", "progress.after_crash",
        "progress.after_heal"}},
      redis_scripts::acquire(), faulty);
}

// ---- M25
// acquire(1500 ms) lasts 1000 ms; acquire(100 ms) is over at once.

namespace {

milliseconds whole_seconds(milliseconds ttl) {
  return std::chrono::floor<std::chrono::seconds>(ttl);
}

class drops_the_rest final : public memory_provider {
 public:
  using memory_provider::memory_provider;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
    auto stepped = co_await environment_.step(deadline);
    if (!stepped) co_return stepped.error();
    co_return store_.acquire(std::move(key), std::move(owner), whole_seconds(ttl));
  }
};

}  // namespace

mutant ttl_whole_seconds() {
  return of_memory(
      {"M25",
       "ttl in whole seconds",
       "acquire drops what its ttl has beyond whole seconds: a shorter lease is over at "
       "once, and the next contender is granted as well",
       {"expiry.on_time", "single_owner.grant", "acquire.idempotent", "lease.linearizable"}},
      make_over_memory<drops_the_rest>);
}

}  // namespace leaselab::properties::mutations
