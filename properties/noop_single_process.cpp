// One process alone cannot tell the no-op provider from a map. Judged on the calls: whatever it
// certainly holds it can renew and hand over, and a key that it has given back it gets again. What
// a runtime makes of that, its signals and runs, is in lone_runs.
#include <algorithm>
#include <vector>

#include "properties/describe.hpp"
#include "properties/lone_runs.hpp"
#include "properties/noop.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::verb;

// Short stops, late timers, slow messages and clocks that only the client reads: nothing that ends
// a lease on the way.
bool undisturbed(const sim::plan& plan) {
  sim::true_duration stopped = 0;
  for (const sim::fault_spec& fault : plan.faults) {
    switch (fault.kind) {
      case sim::fault_kind::offset:
      case sim::fault_kind::step:
      case sim::fault_kind::strobe:
      case sim::fault_kind::rate:
      case sim::fault_kind::freeze:
        if (fault.process == sim::backend_process) return false;
        break;
      case sim::fault_kind::pause:
        if (fault.lasts >= plan.ttl_ms * sim::ns_per_ms) return false;
        stopped += fault.lasts;
        break;
      case sim::fault_kind::late_timer:
      case sim::fault_kind::connect:
      case sim::fault_kind::delay:
        break;
      default:
        return false;
    }
  }
  return stopped <= plan.ttl_ms * sim::ns_per_ms / 3 * 2;
}

struct key_state {
  sim::owner_id holder = nobody;
  std::int64_t certain_until = 0;  // ms of the backend's clock
  bool unclear = false;            // an unknown end or overlapping calls: nothing more to say
};

bool changes_lease(const call_record& call) {
  return call.what == verb::acquire || call.what == verb::release || call.what == verb::renew ||
         call.what == verb::transfer;
}

// Another call on its key begins before it has ended.
bool overlapped(const sim::run_record& run, call_index index) {
  const call_record& call = run.calls[index];
  for (call_index i = index + 1; i < run.calls.size(); ++i) {
    if (run.calls[i].invoke_event > call.complete_event) return false;
    if (run.calls[i].key == call.key && changes_lease(run.calls[i])) return true;
  }
  return false;
}

class single_process_rule final : public rule {
 public:
  single_process_rule()
      : rule("noop.single_process", level::noop,
             "a single process sees the same answers from the no-op provider as from a map") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    const bool alone = context.plan.processes.size() == 1;
    if (!alone || context.declared.scope == scope::cluster || !undisturbed(context.plan))
      return verdict::not_applicable;
    keys_.assign(std::max<std::size_t>(1, context.run.keys.size()), {});
    for (call_index i = 0; i < context.run.calls.size(); ++i) take(context, report, i);
    if (context.plan.client == sim::client_policy{}) judge_lone_runs(context, report);
    return verdict::holds;
  }

  void take(const run_context& context, reporter& report, call_index index) {
    const call_record& call = context.run.calls[index];
    if (!changes_lease(call) || !call.arguments_lawful || call.closed || call.contender) return;
    key_state& state = keys_[call.key];
    if (call.completed == sim::never || call.ended != outcome::ok || overlapped(context.run, index))
      state.unclear = true;
    if (state.unclear) return;
    if (must_succeed(context, state, call) && !call.yes)
      report(shown_at(call), index, [&] {
        return call_text(context.run, index) + " was refused, though its process was alone";
      });
    settle(context, state, call);
  }

  static bool must_succeed(const run_context& context, const key_state& state,
                           const call_record& call) {
    if (call.what == verb::release) return false;
    if (call.what == verb::acquire) return state.holder == nobody || state.holder == call.owner;
    return state.holder == call.owner &&
           context.timeline.alive(state.certain_until, call.completed_granule);
  }

  static void settle(const run_context& context, key_state& state, const call_record& call) {
    if (call.what == verb::release) {
      if (state.holder == call.owner) state.holder = nobody;
    } else if (call.yes) {
      state.holder = call.what == verb::transfer ? call.to : call.owner;
      state.certain_until = context.timeline.least_deadline(call.invoked_granule, call.ttl_ms);
    }
  }

  std::vector<key_state> keys_;
};

}  // namespace

std::unique_ptr<property> make_noop_single_process() {
  return std::make_unique<single_process_rule>();
}

}  // namespace leaselab::properties
