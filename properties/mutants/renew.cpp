// Wrong renewals.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/call_rules.hpp"
#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::properties::mutations {
namespace {

constexpr std::string_view check = "redis.call('GET', KEYS[1]) ~= ARGV[1]";
constexpr std::string_view check_if_there = "(redis.call('GET', KEYS[1]) or ARGV[1]) ~= ARGV[1]";
constexpr std::string_view write = "return redis.call('PEXPIRE', KEYS[1], ARGV[2])";

}  // namespace

// ---- M15 (bugs B43)
// A's lease ended, B holds the key; A renews, and B's record lives on under A's renewals.

mutant renew_ignores_owner() {
  static const script faulty =
      edited(redis_scripts::renew(), check, "redis.call('EXISTS', KEYS[1]) == 0");
  return with_script({"M15",
                      "renew ignores the owner",
                      "renew sets the ttl of whatever record is there and answers true",
                      {"renew.honest", "single_owner.grant", "lease.linearizable", "expiry.on_time",
                       "progress.after_crash", "progress.after_heal"}},
                     redis_scripts::renew(), faulty);
}

// ---- M16

mutant renew_creates() {
  static const script faulty =
      edited(edited(redis_scripts::renew(), check, check_if_there), write,
             "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn 1");
  return with_script({"M16",
                      "renew creates",
                      "renew of a free or expired key creates the record and answers true",
                      {"renew.honest", "single_owner.grant", "lease.linearizable",
                       "progress.after_crash", "progress.after_heal"}},
                     redis_scripts::renew(), faulty);
}

// ---- M18

mutant renew_of_nothing_is_yes() {
  static const script faulty = edited(edited(redis_scripts::renew(), check, check_if_there), write,
                                      "redis.call('PEXPIRE', KEYS[1], ARGV[2])\nreturn 1");
  return with_script({"M18",
                      "renew of nothing is true",
                      "renew of a free or expired key answers true and creates nothing",
                      {"renew.honest", "single_owner.grant", "lease.linearizable"}},
                     redis_scripts::renew(), faulty);
}

// ---- M19

mutant renew_in_name() {
  static const script faulty = edited(redis_scripts::renew(), write, "return 1");
  return with_script({"M19",
                      "renew changes nothing",
                      "renew answers true and leaves the old deadline",
                      {"expiry.on_time", "single_owner.grant", "lease.linearizable"}},
                     redis_scripts::renew(), faulty);
}

// ---- M26 (bugs B46)
// The script is the correct one: PEXPIRE with 0 or less deletes the key and answers 1.

namespace {

class takes_any_ttl final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override {
    if (auto refusal = refuse_arguments(key, owner)) co_return std::move(*refusal);
    if (ttl.count() > max_ttl_ms) co_return refuse_arguments(key, owner, ttl).value();
    if (closed_) co_return definite(errc::closed);
    const auto own =
        ttl.count() > 0 ? renewal_limit_of(options, options_, ttl) : limit_of(options, options_);
    co_return redis_replies::flag(
        co_await run(on_lease(redis_scripts::renew(), key, owner, std::to_string(ttl.count())),
                     deadline_after(environment_.now(), own)));
  }
};

}  // namespace

mutant renew_takes_any_ttl() {
  return of_redis({"M26",
                   "renew takes any ttl",
                   "renew with a ttl of 0 or less deletes the record and answers true",
                   {"argument.refused", "renew.honest", "expiry.on_time", "single_owner.grant",
                    "lease.linearizable"}},
                  make_over_redis<takes_any_ttl>);
}

}  // namespace leaselab::properties::mutations
