#include <algorithm>
#include <vector>

#include "properties/describe.hpp"
#include "properties/rule.hpp"
#include "properties/single_owner.hpp"

namespace leaselab::properties {
namespace {

using sim::nobody;
using sim::verb;

// The workload `calls` draws owners and ttls as it likes: no client stands behind them.
bool has_clients(const run_context& context) {
  return context.plan.workload != sim::workload_kind::calls;
}

class belief_rule final : public rule {
 public:
  belief_rule()
      : rule("single_owner.belief", level::client,
             "no two incarnations believe to hold one key at the same instant") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!has_clients(context)) return verdict::not_applicable;
    held_.clear();
    const auto& all = context.timeline.beliefs();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const belief& now = all[i];
      std::erase_if(held_, [&](std::size_t j) {
        const belief& other = all[j];
        if (!other.held_at(now.begin_event, now.begin)) return true;
        if (other.key == now.key && !other.same_holder(now)) found(context, report, other, now);
        return false;
      });
      held_.push_back(i);
    }
    return verdict::holds;
  }

  static void found(const run_context& context, reporter& report, const belief& first,
                    const belief& second) {
    const sim::run_record& run = context.run;
    const std::int64_t size = std::min({first.end, second.end, run.ended}) - second.begin;
    report(
        second.begin_event, sim::no_call,
        [&] {
          const auto who = [&](const belief& b) {
            return holder_name(run, b.process, b.incarnation) + " (as " + owner_name(run, b.owner) +
                   ")";
          };
          const std::int64_t ttl_ns = std::max<std::int64_t>(1, context.plan.ttl_ms) * 1'000'000;
          return at_instant(run.events[second.begin_event]) + " " + who(second) +
                 " begins to believe that it holds " + key_name(run, first.key) + " while " +
                 who(first) + " still does: both for " + milliseconds(size) + ", " +
                 std::to_string(size * 100 / ttl_ns) + " % of the ttl";
        },
        size);
  }

  std::vector<std::size_t> held_;  // into the beliefs
};

// Only a fence keeps late work away from a resource that is not at hand, so in drawn worlds without
// one nothing is asked. Whoever states such a world wants to see what comes of it.
bool effects_are_promised(const run_context& context) {
  return context.plan.resource != sim::resource_kind::remote || context.plan.profile.empty();
}

// From a holder's first to its last accepted work step under one token.
struct span {
  sim::process_id process = 0;
  std::uint8_t incarnation = 0;
  sim::key_id key = 0;
  sim::owner_id owner = nobody;
  std::uint32_t last = 0;  // event
  bool given_up = false;   // a release or transfer of the token was sent
  bool over = false;       // and then the token was asked for again: what follows is another span

  bool same_holder(const span& other) const {
    return process == other.process && incarnation == other.incarnation;
  }
};

class effect_rule final : public rule {
 public:
  effect_rule()
      : rule("single_owner.effect", level::client,
             "work spans of different incarnations on one key never overlap") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!has_clients(context) || !context.timeline.planned(verb::write) ||
        !effects_are_promised(context))
      return verdict::not_applicable;
    spans_.clear();
    const auto& calls = context.run.calls;
    sim::call_index next = 0;
    for (const std::uint32_t i : context.timeline.work()) {
      for (; next < calls.size() && calls[next].invoke_event < i; ++next) take_call(calls[next]);
      take_work(context, report, i);
    }
    return verdict::holds;
  }

  // Under a reused owner a lawful later grant begins a span of its own: A works and releases, B
  // works and releases, A acquires again and works. Work that merely goes on after the release was
  // sent belongs to the old span.
  void take_call(const sim::call_record& call) {
    const bool leaves =
        call.what == verb::release || (call.what == verb::transfer && call.owner != call.to);
    const sim::owner_id asks = call.what == verb::acquire    ? call.owner
                               : call.what == verb::transfer ? call.to
                                                             : nobody;
    for (span& known : spans_) {
      if (known.process != call.process || known.incarnation != call.incarnation ||
          known.key != call.key)
        continue;
      if (leaves && known.owner == call.owner) known.given_up = true;
      if (known.given_up && asks != nobody && known.owner == asks) known.over = true;
    }
  }

  void take_work(const run_context& context, reporter& report, std::uint32_t index) {
    const sim::event& event = context.run.events[index];
    const span now{event.process, event.incarnation, event.key, event.owner, index};
    const auto mine = std::find_if(spans_.begin(), spans_.end(), [&](const span& known) {
      return !known.over && known.same_holder(now) && known.key == now.key &&
             known.owner == now.owner;
    });
    if (mine == spans_.end()) return spans_.push_back(now);
    // Somebody else's step since my last one lies inside my span.
    const span* between = nullptr;
    for (const span& other : spans_)
      if (other.key == now.key && !other.same_holder(now) && other.last > mine->last)
        between = &other;
    if (between) found(context, report, *mine, *between, index);
    mine->last = index;
  }

  static void found(const run_context& context, reporter& report, const span& mine,
                    const span& other, std::uint32_t index) {
    const sim::run_record& run = context.run;
    const auto who = [&](const span& s) {
      return holder_name(run, s.process, s.incarnation) + " (as " + owner_name(run, s.owner) + ")";
    };
    report(
        index, sim::no_call,
        [&] {
          return at_instant(run.events[index]) + " " + who(mine) + " works on " +
                 key_name(run, mine.key) + " as it did " + at_instant(run.events[mine.last]) +
                 ", but " + who(other) + " worked on it in between, " +
                 at_instant(run.events[other.last]);
        },
        run.events[index].at - run.events[other.last].at);
  }

  std::vector<span> spans_;
};

struct last_token {
  sim::owner_id owner = nobody;
  std::uint64_t granted = 0;
  std::uint64_t accepted = 0;
};

class fenced_rule final : public rule {
 public:
  fenced_rule()
      : rule("single_owner.fenced", level::client,
             "tokens grow with every change of owner, and no write under a lower token follows "
             "one under a higher") {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    if (!context.declared.fencing) return verdict::not_applicable;
    keys_.assign(std::max<std::size_t>(1, context.run.keys.size()), {});
    for (const step& value : context.timeline.steps()) take_step(context, report, value);
    // Only a resource that fences promises anything about the order of writes.
    if (context.plan.resource == sim::resource_kind::fenced)
      for (const std::uint32_t i : context.timeline.work()) take_work(context, report, i);
    return verdict::holds;
  }

  void take_step(const run_context& context, reporter& report, const step& value) {
    if (value.granted == nobody) return;
    const sim::event& event = context.timeline.event_of(value);
    last_token& last = keys_[event.key];
    if (last.owner != nobody && last.owner != value.granted && event.after.token <= last.granted)
      report(value.event, value.call, [&] {
        return at_instant(event) + " " + call_text(context.run, value.call) + " is granted token " +
               std::to_string(event.after.token) + " after " + owner_name(context.run, last.owner) +
               " had " + std::to_string(last.granted);
      });
    last.owner = value.granted;
    last.granted = event.after.token;
  }

  void take_work(const run_context& context, reporter& report, std::uint32_t index) {
    const sim::event& event = context.run.events[index];
    last_token& last = keys_[event.key];
    if (event.after.token < last.accepted)
      report(index, sim::no_call, [&] {
        return at_instant(event) + " the resource accepts a write of " +
               holder_name(context.run, event.process, event.incarnation) + " under token " +
               std::to_string(event.after.token) + " after one under " +
               std::to_string(last.accepted);
      });
    last.accepted = std::max(last.accepted, event.after.token);
  }

  std::vector<last_token> keys_;
};

}  // namespace

std::unique_ptr<property> make_single_owner_belief() { return std::make_unique<belief_rule>(); }
std::unique_ptr<property> make_single_owner_effect() { return std::make_unique<effect_rule>(); }
std::unique_ptr<property> make_single_owner_fenced() { return std::make_unique<fenced_rule>(); }

}  // namespace leaselab::properties
