// N15: the second command at one true instant reads the backend's clock one granule early.
//
// A's lease ends at n. At the instant at which the clock turns to n, B looks and sees nobody; C
// looks at the same instant and sees A.
#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"

namespace leaselab::properties::mutations {
namespace {

// True time is known to nobody in a world, so the first process's monotonic clock stands for it:
// where it runs, one reading is one true instant.
class clock_early_in_ties final : public granule_clock {
 public:
  explicit clock_early_in_ties(const granule_clock& right) : right_(right) {}

  std::int64_t now_granules() const override {
    const auto now = right_.now_granules();
    return early_ && now > 0 ? now - 1 : now;
  }
  void reset() {
    ticks_ = nullptr;
    commands_ = 0;
    early_ = false;
  }
  void watch(const environment& first_process) {
    if (!ticks_) ticks_ = &first_process;
  }
  void begin_command() {
    const auto now = ticks_->now();
    commands_ = commands_ > 0 && now == last_ ? commands_ + 1 : 1;
    last_ = now;
    early_ = commands_ == 2;
  }

 private:
  const granule_clock& right_;
  const environment* ticks_ = nullptr;
  monotonic_time last_;
  int commands_ = 0;  // at `last_`
  bool early_ = false;
};

// In `memory` the step of a call is its command.
class counts_commands final : public environment_over {
 public:
  counts_commands(environment& real, clock_early_in_ties& clock)
      : environment_over(real), clock_(clock) {}

  awaitable<result<void>> step(monotonic_time deadline) override {
    auto stepped = co_await real_.step(deadline);
    if (stepped) clock_.begin_command();
    co_return stepped;
  }

 private:
  clock_early_in_ties& clock_;
};

class memory_on_it final : private environment_first<counts_commands>, public memory_provider {
  using own = environment_first<counts_commands>;

 public:
  memory_on_it(leaselab::environment& real, memory_store& store, provider_options options,
               clock_early_in_ties& clock)
      : own(real, clock), memory_provider(own::member, store, std::move(options)) {}
};

class on_that_clock final : public deployment_over {
 public:
  explicit on_that_clock(const sim::host& where)
      : deployment_over(nullptr),
        clock_(std::make_unique<clock_early_in_ties>(where.backend_clock)) {
    const auto make = [&clock = *clock_](environment& environment, memory_store& store,
                                         provider_options options) {
      return std::make_unique<memory_on_it>(environment, store, std::move(options), clock);
    };
    inner_ = memory_variant({}, {}, {}, make).deploy(sim::host{*clock_, where.engine});
  }

  void reset(const sim::plan& value) override {
    clock_->reset();
    inner_->reset(value);
  }
  sim::deployed start(sim::process_id process, environment& environment) override {
    clock_->watch(environment);
    return inner_->start(process, environment);
  }

 private:
  std::unique_ptr<clock_early_in_ties> clock_;
};

}  // namespace

mutant tie_reads_early() {
  return of_memory_deployed(
      {"N15",
       "a tie reads the clock early",
       "the second command at one true instant reads the backend's clock one granule early: at a "
       "deadline it still sees the record that the first one found dead",
       {"expiry.on_time", "single_owner.grant", "acquire.honest_denial", "acquire.idempotent",
        "renew.honest", "release.owner_only", "handoff.honest", "handoff.full_ttl",
        "lease.linearizable"}},
      [](const sim::host& where) { return std::make_unique<on_that_clock>(where); });
}

}  // namespace leaselab::properties::mutations
