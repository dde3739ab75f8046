// Acquires that take several steps where one is needed.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/redis/replies.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::properties::mutations {
namespace {

std::string ms_text(milliseconds ttl) { return std::to_string(ttl.count()); }
acquire_answer granted() { return {true, std::nullopt, std::nullopt}; }
acquire_answer denied(std::optional<std::string> holder) {
  return {false, std::move(holder), std::nullopt};
}

}  // namespace

// ---- M03 (bugs B17)
// [1] A sets the key. A crashes, or its second request is lost: the lease never ends.

namespace {

const script& acquire_without_ttl() {
  static const script faulty =
      edited(redis_scripts::acquire(), "ARGV[1], 'PX', ARGV[2])", "ARGV[1])");
  return faulty;
}

class ttl_second final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    auto answer = redis_replies::acquire(
        co_await run(on_lease(acquire_without_ttl(), key, owner), deadline), false);
    if (!answer || !answer->acquired) co_return answer;
    const auto set =
        redis_replies::flag(co_await ask(deadline, "PEXPIRE", name_of(key), ms_text(ttl)));
    // The key is set already, so an error here is never definite.
    if (!set) co_return unknown(set.error().code, set.error().text);
    co_return answer;
  }
};

}  // namespace

mutant ttl_in_a_second_step() {
  return of_redis({"M03",
                   "ttl in a second step",
                   "acquire sets the key and its ttl in a second step: a crash in between leaves a "
                   "lease that never ends",
                   {"expiry.on_time", "acquire.idempotent", "progress.after_crash",
                    "progress.after_heal", "lease.linearizable"}},
                  make_over_redis<ttl_second>, {&acquire_without_ttl()}, 2);
}

// ---- M04 (bugs B01)
// [1] A reads that it is the owner. A's lease ends, B acquires. [2] A sets the ttl of B's record
// and answers acquired.

namespace {

class bare_reclaim final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    const auto holder = redis_replies::text_or_none(co_await ask(deadline, "GET", name_of(key)));
    if (!holder) co_return holder.error();
    if (*holder == owner) {
      const auto set =
          redis_replies::flag(co_await ask(deadline, "PEXPIRE", name_of(key), ms_text(ttl)));
      if (!set) co_return set.error();
      if (*set) co_return granted();
    }
    options.limit = deadline - environment_.now();
    co_return co_await redis_provider::acquire_lease(std::move(key), std::move(owner), ttl,
                                                     options);
  }
};

}  // namespace

mutant reclaim_by_bare_ttl() {
  return of_redis(
      {"M04",
       "re-claim by a bare ttl write",
       "an acquire by the holder reads the owner, then sets the ttl unchecked: when the "
       "lease ends and is taken over in between, it prolongs the new owner's and answers "
       "acquired",
       {"single_owner.grant", "lease.linearizable", "expiry.on_time", "acquire.idempotent",
        "progress.after_heal", "progress.after_crash"}},
      make_over_redis<bare_reclaim>, {}, 3);
}

// ---- M05
// [1] A reads "free". [1] B reads "free". [2] A sets itself, [2] B sets itself: both acquired.

namespace {

class read_then_set final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    auto holder = redis_replies::text_or_none(co_await ask(deadline, "GET", name_of(key)));
    if (!holder) co_return holder.error();
    if (*holder && *holder != owner) co_return denied(std::move(*holder));
    const auto set = redis_replies::was_set(
        co_await ask(deadline, "SET", name_of(key), owner, "PX", ms_text(ttl)));
    if (!set) co_return set.error();
    co_return granted();
  }
};

}  // namespace

mutant acquire_in_two_steps() {
  return of_redis(
      {"M05",
       "acquire reads, then writes",
       "acquire reads that the key is free and then writes unconditionally: of two that "
       "overlap, both win",
       {"single_owner.grant", "lease.linearizable"}},
      make_over_redis<read_then_set>, {}, 2);
}

// ---- M10 (bugs B02, B04)
// [1] B is refused. A's lease ends. [2] B reads the owner: nobody, or B's own other call.

namespace {

const script& acquire_without_name() {
  static const script faulty = edited(redis_scripts::acquire(), "return holder", "return 0");
  return faulty;
}

class name_second final : public redis_in_steps {
 public:
  using redis_in_steps::redis_in_steps;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_of(options);
    const auto set = redis_replies::flag(
        co_await run(on_lease(acquire_without_name(), key, owner, ms_text(ttl)), deadline));
    if (!set) co_return set.error();
    if (*set) co_return granted();
    auto holder = redis_replies::text_or_none(co_await ask(deadline, "GET", name_of(key)));
    if (!holder) co_return holder.error();
    co_return denied(std::move(*holder));
  }
};

}  // namespace

mutant denial_names_in_a_step() {
  return of_redis(
      {"M10",
       "a denial's name is read later",
       "a refused acquire reads the owner in a later round trip: when the lease ends in "
       "between, the denial names nobody or the caller itself",
       {"acquire.honest_denial", "lease.linearizable"}},
      make_over_redis<name_second>, {&acquire_without_name()}, 2);
}

}  // namespace leaselab::properties::mutations
