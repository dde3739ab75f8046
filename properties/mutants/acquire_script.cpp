// Acquires in one step, with a wrong script.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::properties::mutations {

// ---- M07 (bugs B26)

mutant reacquire_is_refused() {
  static const script faulty =
      edited(redis_scripts::acquire(), "if holder and holder ~= ARGV[1] then", "if holder then");
  return with_script({"M07",
                      "re-acquire is refused",
                      "an acquire by the holder is refused",
                      {"acquire.idempotent", "acquire.honest_denial", "lease.linearizable"}},
                     redis_scripts::acquire(), faulty);
}

// ---- M09 (bugs B44)
// A acquires for 100 at 0 and again at 20: the record ends at 200 instead of 120. Without '%.0f'
// Lua would write a long ttl as 9.007e+15.

mutant reacquire_adds_ttl() {
  static const script faulty =
      edited(redis_scripts::acquire(), "ARGV[1], 'PX', ARGV[2])",
             "ARGV[1], 'PX',\n  string.format('%.0f', ARGV[2] + (holder and redis.call('PTTL', "
             "KEYS[1]) or 0)))");
  return with_script(
      {"M09",
       "re-acquire adds the ttl",
       "an acquire by the holder adds the ttl to what is left of the old one",
       {"acquire.idempotent", "lease.linearizable", "progress.after_crash", "progress.after_heal"}},
      redis_scripts::acquire(), faulty);
}

// ---- M11 (bugs B04)

mutant denial_names_caller() {
  static const script faulty = edited(redis_scripts::acquire(), "return holder", "return ARGV[1]");
  return with_script({"M11",
                      "a denial names the caller",
                      "a refused acquire is told that it is itself the owner",
                      {"acquire.honest_denial", "lease.linearizable"}},
                     redis_scripts::acquire(), faulty);
}

}  // namespace leaselab::properties::mutations
