#include <algorithm>

#include "properties/describe.hpp"
#include "properties/linearizability.hpp"
#include "properties/rule.hpp"
#include "properties/step_witness.hpp"

namespace leaselab::properties {
namespace {

using sim::verb;

bool to_operation(const sim::call_record& call, const guarantees& declared,
                  const linearizability_options& options, history_operation& operation) {
  switch (call.what) {
    case verb::acquire:
      operation.call.op = lease_op::acquire;
      break;
    case verb::renew:
      operation.call.op = lease_op::renew;
      break;
    case verb::release:
      operation.call.op = lease_op::release;
      break;
    case verb::transfer:
      operation.call.op = lease_op::transfer;
      break;
    case verb::get:
      operation.call.op = lease_op::get;
      break;
    default:
      return false;
  }
  // Refused before anything was sent.
  if (!call.arguments_lawful || call.closed) return false;
  const std::int64_t granule_ms = std::max<std::int64_t>(1, declared.granule_ms);
  operation.process = call.process;
  operation.call.owner = call.owner;
  operation.call.to = call.to;
  operation.call.ttl = std::max<std::int64_t>(1, call.ttl_ms / granule_ms);
  operation.called = call.invoke_event;
  operation.called_granule = call.invoked_granule / granule_ms;
  if (call.completed == sim::never) return true;
  operation.ended = call.ended;
  if (call.ended != outcome::ok) return true;
  operation.returned = call.complete_event;
  operation.returned_granule = call.completed_granule / granule_ms;
  if (call.what == verb::release) return true;
  if (call.what == verb::get) {
    operation.claims_holder = true;
    operation.holder = call.named;
    return true;
  }
  operation.answer = call.yes ? claim_of::yes : claim_of::no;
  if (call.what == verb::acquire && !call.yes) {
    operation.claims_holder = options.denials_name_owners || call.named != sim::nobody;
    operation.holder = call.named;
  }
  operation.claims_token = declared.fencing && call.token.has_value();
  operation.token = call.token.value_or(0);
  return true;
}

// Off the good path: where the record of steps is missing or does not explain the answers.
bool clock_ever_falls(const sim::run_record& run) {
  return !std::is_sorted(
      run.events.begin(), run.events.end(),
      [](const sim::event& a, const sim::event& b) { return a.granule < b.granule; });
}

class linearizable final : public rule {
 public:
  explicit linearizable(const linearizability_options& options)
      : rule("lease.linearizable", level::provider,
             "the history is explained by one sequential lease with deadlines"),
        given_(options) {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    options_ = given_;
    if (context.declared.as_lock) options_.denials_name_owners = false;
    if (context.run.instrumented && witness_.explains(context, options_)) return verdict::holds;
    // A clock that falls makes no zone of its granules. Then deadlines are left out: what is
    // still violated is so in earnest, and what is not stays unknown.
    const bool deadlines = !clock_ever_falls(context.run);
    verdict result = deadlines ? verdict::holds : verdict::unknown;
    for (std::size_t key = 0; key < context.run.keys.size(); ++key) {
      if (check_key(context, static_cast<sim::key_id>(key), deadlines, report) ==
          verdict::unknown) {
        result = verdict::unknown;
      }
    }
    return result;
  }

  verdict check_key(const run_context& context, sim::key_id key, bool deadlines, reporter& report) {
    const auto& run = context.run;
    history_of(run, key, context.declared, options_, history_, indices_);
    const auto found = checker_.check(
        history_,
        {context.declared.reading == expiry_reading::at ? reading_of::at : reading_of::after,
         deadlines, options_.step_limit});
    if (found.value != verdict::violated) return found.value;
    const sim::call_index last = indices_[*found.last];
    report(run.calls[last].complete_event, last, [&] {
      return "no order of the first " + std::to_string(found.prefix) + " answers on " +
             key_name(run, key) + " is one of a lease; the last of them is " + call_text(run, last);
    });
    return verdict::violated;
  }

  const linearizability_options given_;
  linearizability_options options_;  // of the present run
  step_witness witness_;
  history_checker checker_;
  std::vector<history_operation> history_;
  std::vector<sim::call_index> indices_;
};

}  // namespace

void history_of(const sim::run_record& run, sim::key_id key, const guarantees& declared,
                const linearizability_options& options, std::vector<history_operation>& history,
                std::vector<sim::call_index>& indices) {
  history.clear();
  indices.clear();
  for (sim::call_index i = 0; i < run.calls.size(); ++i) {
    if (run.calls[i].key != key) continue;
    history_operation operation;
    operation.id = i;
    if (!to_operation(run.calls[i], declared, options, operation)) continue;
    history.push_back(operation);
    indices.push_back(i);
  }
}

std::unique_ptr<property> make_linearizable(const linearizability_options& options) {
  return std::make_unique<linearizable>(options);
}

}  // namespace leaselab::properties
