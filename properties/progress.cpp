#include "properties/progress.hpp"

#include <algorithm>

#include "properties/describe.hpp"
#include "properties/rule.hpp"

namespace leaselab::properties {
namespace {

using sim::call_index;
using sim::call_record;
using sim::nobody;
using sim::true_duration;
using sim::true_time;
using sim::verb;

constexpr true_duration too_long = sim::never / 4;

// Scripts may have to be sent once more where the cache may be empty.
bool scripts_may_be_cold(const run_context& context) {
  if (!context.declared.runs_scripts) return false;
  for (const std::string_view profile : {"scripts", "chaos", "backend-restart", "failover"})
    if (context.plan.profile == profile) return true;
  return std::any_of(context.plan.faults.begin(), context.plan.faults.end(), [](const auto& f) {
    return f.kind == sim::fault_kind::flush_scripts || f.kind == sim::fault_kind::backend_down ||
           f.kind == sim::fault_kind::failover;
  });
}

// The most that one acquire may take. The contender asks for every key at once: in one line its
// acquires wait for each other.
true_duration acquire_time(const run_context& context) {
  const int trips = context.declared.acquire_trips + (scripts_may_be_cold(context) ? 1 : 0);
  const auto before = context.declared.one_line ? std::ssize(context.plan.keys) : 1;
  return 2 * trips * before * context.plan.bounds.delay_max;
}

// From the instant at which the key is free for good to the contender's answer: a request that
// came just too early, a period, and the next one.
true_duration asking_time(const run_context& context) {
  const sim::bounds& bounds = context.plan.bounds;
  return bounds.asking_period + bounds.lateness + 2 * acquire_time(context);
}

true_duration longest_ttl(const run_context& context) {
  std::int64_t longest_ms = context.plan.ttl_ms;
  for (const sim::call_spec& call : context.plan.calls)
    if (call.ttl_ms <= max_ttl_ms) longest_ms = std::max(longest_ms, call.ttl_ms);
  return std::min(longest_ms, too_long / sim::ns_per_ms) * sim::ns_per_ms;
}

// Where calls may reach their limit before all their trips are made (three trips, a limit of
// ttl/4), no bound holds.
bool has_contender(const run_context& context) {
  const sim::bounds& bounds = context.plan.bounds;
  return context.timeline.quiet() != no_index && bounds.quiet > 0 && bounds.asking_period > 0 &&
         bounds.call_limit > acquire_time(context);
}

// The contender's first answer "acquired" for that key, and when it first asked: as the quiet phase
// begins, or when the last runtime has come to its end.
struct answer {
  true_time asked = sim::never;
  true_time at = sim::never;
  std::uint32_t event = no_index;
};

answer first_answer(const run_context& context, std::size_t key) {
  answer first;
  for (const call_record& call : context.run.calls) {
    if (!call.contender || call.key != key || call.what != verb::acquire) continue;
    first.asked = std::min(first.asked, call.invoked);
    if (call.ended != outcome::ok || !call.yes || call.completed >= first.at) continue;
    first.at = call.completed;
    first.event = call.complete_event;
  }
  return first;
}

// Within that time of the quiet phase's begin, or where there are runtimes of the end of the last
// one, and of `free`. Answers unknown where the run was cut short before, and says nothing where
// the quiet phase ends before.
verdict expect_answer(const run_context& context, reporter& report, std::size_t key, true_time free,
                      true_duration within, const char* what) {
  const answer first = first_answer(context, key);
  if (first.asked == sim::never) return verdict::holds;
  const true_time heal = context.run.events[context.timeline.quiet()].at;
  const true_time asked = context.plan.signals.empty() ? heal : first.asked;
  const true_time bound = std::max(asked, free) + within;
  const true_time over = heal + context.plan.bounds.quiet;
  if (first.at <= bound || bound > over) return verdict::holds;
  if (context.run.step_limit_reached && context.run.ended < bound) return verdict::unknown;
  const auto last = static_cast<std::uint32_t>(context.run.events.size()) - 1;
  report(first.event == no_index ? last : first.event, sim::no_call, [&] {
    return "the contender should have been answered acquired for " +
           key_name(context.run, static_cast<sim::key_id>(key)) + " by " + milliseconds(bound) +
           what + ", and " +
           (first.at == sim::never ? "never was" : "was at " + milliseconds(first.at));
  });
  return verdict::holds;
}

// ---- after a heal

true_duration limit_of(const run_context& context, const call_record& call) {
  if (call.contender || call.spec >= context.plan.calls.size())
    return context.plan.bounds.call_limit;
  return context.plan.calls[call.spec].limit.value_or(context.plan.bounds.call_limit);
}

// Crashed incarnations owe nothing, nor do those of an earlier life.
bool lives_on(const run_context& context, const call_record& call) {
  for (const std::uint32_t i : context.timeline.crashes()) {
    const sim::event& crash = context.run.events[i];
    if (crash.process == call.process && crash.incarnation == call.incarnation) return false;
  }
  return true;
}

void expect_ends(const run_context& context, reporter& report, true_time heal) {
  const sim::bounds& bounds = context.plan.bounds;
  for (call_index i = 0; i < context.run.calls.size(); ++i) {
    const call_record& call = context.run.calls[i];
    if (call.what == verb::write || call.what == verb::close || call.contender) continue;
    if (call.invoked > heal || call.completed <= heal) continue;
    const true_duration within =
        std::min(limit_of(context, call), too_long) + bounds.lateness + bounds.delay_max;
    if (within > bounds.quiet || heal + within > context.run.ended) continue;
    if (call.completed <= heal + within || !lives_on(context, call)) continue;
    report(shown_at(call), i, [&] {
      return call_text(context.run, i) + " was pending when all faults ended at " +
             milliseconds(heal) + " and had not ended by " + milliseconds(heal + within);
    });
  }
}

verdict after_heal(const run_context& context, reporter& report) {
  if (!has_contender(context)) return verdict::not_applicable;
  const sim::bounds& bounds = context.plan.bounds;
  const true_duration within = bounds.delay_max + longest_ttl(context) +
                               context.declared.granule_ms * sim::ns_per_ms + asking_time(context);
  if (within > bounds.quiet) return verdict::not_applicable;
  const true_time heal = context.run.events[context.timeline.quiet()].at;
  verdict worst = verdict::holds;
  for (std::size_t key = 0; key < context.run.keys.size(); ++key)
    if (expect_answer(context, report, key, heal, within, " after all faults ended") ==
        verdict::unknown)
      worst = verdict::unknown;
  expect_ends(context, report, heal);
  return worst;
}

// ---- after a crash

// The last step of anybody but the contender that granted the key.
const step* last_grant(const run_context& context, std::size_t key) {
  const step* last = nullptr;
  for (const step& value : context.timeline.steps())
    if (value.granted != nobody && context.timeline.event_of(value).key == key &&
        !context.run.calls[value.call].contender)
      last = &value;
  return last;
}

bool asks(const call_record& call) {
  return call.what == verb::acquire || call.what == verb::renew || call.what == verb::transfer;
}

// Another live client's request from then on, or one that may still be under way, makes it another
// story: it may have taken the key.
bool left_alone(const run_context& context, const step& last) {
  const call_record& holder = context.run.calls[last.call];
  return std::none_of(
      context.run.calls.begin(), context.run.calls.end(), [&](const call_record& call) {
        if (call.contender || !asks(call) || call.key != holder.key) return false;
        if (call.process == holder.process && call.incarnation == holder.incarnation) return false;
        return call.completed == sim::never || call.ended == outcome::info ||
               call.complete_event > last.event;
      });
}

verdict after_crash_of(const run_context& context, reporter& report, std::size_t key) {
  const step* last = last_grant(context, key);
  if (!last || lives_on(context, context.run.calls[last->call]) || !left_alone(context, *last))
    return verdict::holds;
  const std::int64_t dead = context.timeline.event_of(*last).granule +
                            context.run.calls[last->call].ttl_ms + context.declared.granule_ms;
  if (dead >= too_long / sim::ns_per_ms) return verdict::holds;
  const true_time free = context.timeline.instant_of(dead);
  if (free >= too_long) return verdict::holds;
  return expect_answer(context, report, key, free, asking_time(context),
                       " after its holder's crash");
}

verdict after_crash(const run_context& context, reporter& report) {
  const bool crashes = std::any_of(
      context.plan.faults.begin(), context.plan.faults.end(),
      [](const sim::fault_spec& fault) { return fault.kind == sim::fault_kind::crash; });
  if (!crashes || !has_contender(context) || !context.run.instrumented)
    return verdict::not_applicable;
  verdict worst = verdict::holds;
  for (std::size_t key = 0; key < context.run.keys.size(); ++key)
    if (after_crash_of(context, report, key) == verdict::unknown) worst = verdict::unknown;
  return worst;
}

}  // namespace

std::unique_ptr<property> make_progress_after_crash() {
  return std::make_unique<plain_rule>(
      "progress.after_crash", level::provider,
      "a crashed holder's key is granted to whoever asks soon after its ttl", after_crash);
}

std::unique_ptr<property> make_progress_after_heal() {
  return std::make_unique<plain_rule>(
      "progress.after_heal", level::provider,
      "once all faults have ended a contender is granted every key, and every call ends, in "
      "bounded time",
      after_heal);
}

}  // namespace leaselab::properties
