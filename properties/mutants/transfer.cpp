// Wrong handoffs.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"
#include "providers/release_then_acquire/release_then_acquire.hpp"

namespace leaselab::properties::mutations {
namespace {

constexpr std::string_view check = "redis.call('GET', KEYS[1]) ~= ARGV[1]";

}  // namespace

// ---- M32 (bugs B05)
// [1] A is released. C acquires, or looks and sees nobody. [2] The acquire for B is refused.
// The built-in `release-then-acquire` does this and says so; this one claims to be atomic.

mutant transfer_leaves_a_gap() {
  const auto make = [](environment& environment, provider_options options) {
    auto base = std::make_unique<redis_provider>(environment, options);
    return std::make_unique<release_then_acquire>(environment, std::move(base), std::move(options));
  };
  return of_redis({"M32",
                   "transfer is release, then acquire",
                   "transfer releases, then acquires: in between the key is free, and anybody may "
                   "see that or take it",
                   {"handoff.no_gap", "handoff.no_steal", "handoff.honest", "lease.linearizable"}},
                  make);
}

// ---- M33

mutant transfer_ignores_giver() {
  static const script faulty =
      edited(redis_scripts::transfer(), check, "redis.call('EXISTS', KEYS[1]) == 0");
  return with_script(
      {"M33",
       "transfer ignores the giver",
       "transfer replaces the record of whoever holds the key",
       {"handoff.honest", "single_owner.grant", "expiry.on_time", "lease.linearizable"}},
      redis_scripts::transfer(), faulty);
}

// ---- M35
// A hands over to B, who never answers; nobody gets the key again.

mutant transfer_drops_ttl() {
  static const script faulty =
      edited(redis_scripts::transfer(), "ARGV[2], 'PX', ARGV[3])", "ARGV[2])");
  return with_script({"M35",
                      "transfer drops the ttl",
                      "transfer leaves the receiver a record that never ends",
                      {"handoff.full_ttl", "expiry.on_time", "lease.linearizable",
                       "acquire.honest_denial", "progress.after_crash", "progress.after_heal"}},
                     redis_scripts::transfer(), faulty);
}

// ---- M36
// [1] A is found to be the owner. A's lease ends, C acquires. [2] C's record becomes B's.

namespace {

class transfer_in_two final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override {
    if (auto refusal = refuse_arguments(key, from)) co_return std::move(*refusal);
    if (auto refusal = refuse_arguments(key, to, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    const auto holder = redis_replies::text_or_none(co_await ask(deadline, "GET", name_of(key)));
    if (!holder) co_return holder.error();
    if (*holder != from) co_return transfer_answer{false, std::nullopt};
    const auto set = redis_replies::was_set(
        co_await ask(deadline, "SET", name_of(key), to, "PX", std::to_string(ttl.count())));
    if (!set) co_return set.error();
    co_return transfer_answer{true, std::nullopt};
  }
};

}  // namespace

mutant transfer_in_two_steps() {
  return of_redis(
      {"M36",
       "transfer in two steps",
       "transfer checks the giver, then overwrites in a second step: when the lease ends "
       "and is taken over in between, it overwrites the new owner's",
       {"handoff.honest", "single_owner.grant", "expiry.on_time", "lease.linearizable"}},
      make_over_redis<transfer_in_two>);
}

// ---- M37

mutant transfer_from_nobody() {
  static const script faulty = edited(redis_scripts::transfer(), check,
                                      "(redis.call('GET', KEYS[1]) or ARGV[1]) ~= ARGV[1]");
  return with_script({"M37",
                      "transfer from nobody",
                      "transfer of a free or expired key creates the receiver's record",
                      {"handoff.honest", "lease.linearizable"}},
                     redis_scripts::transfer(), faulty);
}

}  // namespace leaselab::properties::mutations
