// Runtimes whose renewal loop ends too early, too late, or hears only what it likes.
#include <algorithm>

#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {

// ---- N05
// The reply to A's first renewal is lost. Nothing renews any more, A works on, and at 135 ms its
// record is gone. The unmutated client sends the next renewal at once.

namespace {

class renews_until_one_fails final : public sim::signals_runtime {
 public:
  using sim::signals_runtime::signals_runtime;

 protected:
  void renewed(run& working, const sim::call_record& call) override {
    if (call.ended == outcome::ok) return sim::signals_runtime::renewed(working, call);
    working.renewal = sim::no_call;
  }
};

}  // namespace

mutant renewals_end_with_a_failure() {
  return of_clients(
      {"N05",
       "the renewal loop ends with the first failure",
       "one renewal that is not answered ends the renewals of its run for good, while the run, "
       "which has no local deadline, works on",
       {"run.covered", "loss.noticed", "run.serialized"}},
      "redis", std::make_shared<with_runtime<renews_until_one_fails>>(),
      "strict,renew_false=run_on,local_deadline=none");
}

// ---- N06
// A's run ends at 34 ms and its lease is released. At 66 ms its loop asks for the lease again, and
// at 99 ms, and so on: nobody else gets the key any more.

namespace {

class renews_by_acquire final : public sim::signals_runtime {
 public:
  using sim::signals_runtime::signals_runtime;

  void begin() override {
    loops_.clear();
    sim::signals_runtime::begin();
  }

 protected:
  void renewal_due(sim::process_id process, sim::signal_index signal) override {
    run* const working = find_run(process, signal);
    const auto known = std::find_if(loops_.begin(), loops_.end(), [&](const loop& one) {
      return one.process == process && one.signal == signal;
    });
    if (working && known == loops_.end()) {
      loops_.push_back({process, signal, working->token});
    } else if (working) {
      known->token = working->token;
    } else if (known == loops_.end()) {
      return;
    }
    const auto token = working ? working->token : known->token;
    const auto made = call(process, signal, sim::verb::acquire, token);
    if (working) working->renewal = made;
    set_timer(
        process, signal, sim::errand::renew,
        world_.reading(*world_.processes[process]) + world_plan().ttl_ms * sim::ns_per_ms / 3);
  }
  void renewed(run& working, const sim::call_record& call) override {
    working.renewal = sim::no_call;
    if (call.ended == outcome::ok && !call.yes) interrupt(working.process, working.what.signal);
  }
  void end_renewals(sim::process_id, sim::signal_index) override {}

 private:
  struct loop {
    sim::process_id process = 0;
    sim::signal_index signal = 0;
    sim::owner_id token = sim::nobody;
  };
  std::vector<loop> loops_;
};

}  // namespace

mutant renews_by_acquiring() {
  return of_clients(
      {"N06",
       "the renewal loop acquires, and outlives the release",
       "leases are renewed by acquire, and the loop goes on when the run has ended and its lease "
       "was released: it takes the key again, for nobody",
       {"progress.after_heal", "signal.once"}},
      "redis", std::make_shared<with_runtime<renews_by_acquire>>());
}

// ---- N07
// A's renewals are lost, and B acquires. The next renewal is answered no, and A works on.

namespace {

class swallows_denials final : public sim::signals_runtime {
 public:
  using sim::signals_runtime::signals_runtime;

 protected:
  void renewed(run& working, const sim::call_record& call) override {
    auto heard = call;
    heard.yes = true;
    sim::signals_runtime::renewed(working, heard);
  }
};

}  // namespace

mutant renew_false_is_swallowed() {
  return of_clients({"N07",
                     "a renewal answered no is swallowed",
                     "a client without a local deadline takes every answer to a renewal for a yes: "
                     "it never notices that its lease is gone",
                     {"loss.noticed", "run.covered", "run.serialized"}},
                    "redis", std::make_shared<with_runtime<swallows_denials>>(),
                    "strict,local_deadline=none");
}

}  // namespace leaselab::properties::mutations
