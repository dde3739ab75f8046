// Wrong readings of a record that is over.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/call_rules.hpp"

namespace leaselab::properties::mutations {

// ---- M12 (bugs B55)
// A acquires and falls silent; long after its deadline B is refused with A's name.

namespace {

class sees_the_dead final : public memory_provider {
 public:
  using memory_provider::memory_provider;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
    auto stepped = co_await environment_.step(deadline);
    if (!stepped) co_return stepped.error();
    auto held = store_.peek(key);  // dead or alive
    if (held && !held->owner.empty() && held->owner != owner)
      co_return acquire_answer{false, std::move(held->owner), std::nullopt};
    co_return store_.acquire(std::move(key), std::move(owner), ttl);
  }
};

}  // namespace

mutant acquire_sees_the_dead() {
  return of_memory(
      {"M12",
       "acquire ignores expiry",
       "acquire does not look whether the stored record is over: a silent holder keeps "
       "the key for ever",
       {"acquire.honest_denial", "expiry.on_time", "lease.linearizable", "progress.after_crash",
        "progress.after_heal"}},
      make_over_memory<sees_the_dead>);
}

// ---- M28 (bugs B56)
// With the clock exactly on A's deadline, get names A and B acquires: one of the two is wrong.

namespace {

class reads_after final : public memory_provider {
 public:
  reads_after(leaselab::environment& environment, memory_store& store, provider_options options,
              const granule_clock& clock)
      : memory_provider(environment, store, std::move(options)), clock_(clock) {}

  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override {
    if (auto refusal = refuse_key(key)) co_return std::move(*refusal);
    if (closed_) co_return definite(errc::closed);
    const auto deadline = deadline_after(environment_.now(), limit_of(options, options_));
    auto stepped = co_await environment_.step(deadline);
    if (!stepped) co_return stepped.error();
    auto held = store_.peek(key);
    if (!held || clock_.now_granules() > held->deadline_granules)
      co_return std::optional<std::string>();
    co_return std::optional<std::string>(std::move(held->owner));
  }

 private:
  const granule_clock& clock_;
};

std::unique_ptr<sim::deployment> deploy_reads_after(const sim::host& where) {
  const auto& clock = where.backend_clock;
  const auto make = [&clock](environment& environment, memory_store& store,
                             provider_options options) {
    return std::make_unique<reads_after>(environment, store, std::move(options), clock);
  };
  return memory_variant({}, {}, {}, make).deploy(where);
}

}  // namespace

mutant two_readings_of_expiry() {
  return of_memory_deployed(
      {"M28",
       "two readings of expiry",
       "get still sees a record at its deadline, when acquire already takes it for dead",
       {"expiry.on_time", "lease.linearizable"}},
      deploy_reads_after);
}

}  // namespace leaselab::properties::mutations
