// Releases that end somebody else's lease.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::properties::mutations {

// ---- M01 (bugs B31)
// A acquires and falls silent; its lease ends; B acquires; A releases, and deletes B's.

mutant release_ignores_owner() {
  static const script faulty =
      edited(redis_scripts::release(), "redis.call('GET', KEYS[1]) ~= ARGV[1]",
             "redis.call('EXISTS', KEYS[1]) == 0");
  return with_script(
      {"M01",
       "release ignores the owner",
       "release deletes without looking at the owner: a stranger's or a late owner's "
       "release ends the lease of whoever holds it",
       {"release.owner_only", "expiry.on_time", "single_owner.grant", "lease.linearizable"}},
      redis_scripts::release(), faulty);
}

// ---- M02
// [1] A finds that it is the owner. A's lease ends, B acquires. [2] A deletes B's.

namespace {

class release_in_two final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override {
    if (auto refusal = refuse_arguments(key, owner)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    const auto holder = redis_replies::text_or_none(co_await ask(deadline, "GET", name_of(key)));
    if (!holder) co_return holder.error();
    if (*holder != owner) co_return result<void>();
    const auto removed = redis_replies::flag(co_await ask(deadline, "DEL", name_of(key)));
    if (!removed) co_return removed.error();
    co_return result<void>();
  }
};

}  // namespace

mutant release_in_two_steps() {
  return of_redis(
      {"M02",
       "release in two steps",
       "release checks the owner, then deletes in a second step: when the lease ends and "
       "is taken over in between, it deletes the new owner's",
       {"release.owner_only", "expiry.on_time", "single_owner.grant", "lease.linearizable"}},
      make_over_redis<release_in_two>);
}

}  // namespace leaselab::properties::mutations
