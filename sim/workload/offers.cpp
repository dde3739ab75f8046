#include "sim/workload/offers.hpp"

#include <algorithm>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

// No verdict within two ttl, in periods of 0.3 ttl: unknown.
constexpr int offer_limit_periods = 7;
// A verdict takes four legs of at most D = 0.1 ttl.
constexpr int verdict_periods = 2;

}  // namespace

void offers::begin() {
  open_.clear();
  verdicts_.clear();
  messages_.clear();
  numbers_.assign(world_.plan->signals.size(), 0);
}

offers::open_offer* offers::find(process_id from, signal_index signal) {
  for (open_offer& offered : open_)
    if (offered.from == from && offered.signal == signal) return &offered;
  return nullptr;
}

void offers::close(process_id from, signal_index signal) {
  std::erase_if(open_, [&](const open_offer& offered) {
    return offered.from == from && offered.signal == signal;
  });
  world_.events.remove_if([&](const pending& event) {
    return event.event.what == event_label::timer && event.event.process == from &&
           event.index == signal &&
           kind_of_subject(event.event.subject) == unsigned(errand::repeat);
  });
}

void offers::send(process_slot& from, signal_index signal, owner_id token,
                  const signals_runtime::holder& to) {
  open_offer offered;
  offered.from = from.id;
  offered.to = to.process;
  offered.to_incarnation = to.incarnation;
  offered.signal = signal;
  offered.number = ++numbers_[signal];
  event& noted = world_.runtimes.note(event_kind::signal_offered, from, signal, offered.number);
  noted.owner = token;
  noted.store = to.process;
  noted.value =
      signal_note{world_.plan->signals[signal].id, offered.number, to.incarnation}.packed();
  if (world_.plan->client.offer == offer_policy::acked) {
    close(from.id, signal);  // one that it made to itself, and has just accepted
    open_.push_back(offered);
    return send_copy(open_.back());
  }
  // Published once and forgotten: for the sender it is delivered.
  world_.runtimes.note(event_kind::signal_handed, from, signal, offered.number);
  post({saying::offer, offered.from, offered.to, offered.to_incarnation, signal, offered.number});
}

void offers::send_copy(open_offer& offered) {
  process_slot& process = *world_.processes[offered.from];
  ++offered.copies;
  offered.due = world_.reading(process) + world_.runtimes.period();
  label timer = world_.runtimes.name(event_label::timer, offered.from, offered.signal,
                                     unsigned(errand::repeat));
  world_.post_timer(process, timer, offered.signal, offered.due);
  post({saying::offer, offered.from, offered.to, offered.to_incarnation, offered.signal,
        offered.number});
}

// Time enough for one more copy and its verdict.
void offers::grant_another(open_offer& offered) {
  offered.periods = std::min(offered.periods, offer_limit_periods - verdict_periods);
}

// The limit counts periods that the sender has lived through: one that was paused for ten ttl has
// a verdict waiting at its door, and a timer that would run before it.
void offers::repeat(process_id from, signal_index signal) {
  open_offer* offered = find(from, signal);
  if (!offered) return;
  process_slot& process = *world_.processes[from];
  const std::int64_t period = world_.runtimes.period();
  ++offered->periods;
  if (world_.reading(process) > offered->due + period / 2) grant_another(*offered);
  if (offered->periods < offer_limit_periods) return send_copy(*offered);
  give_up(process, *offered);
}

// The signal may have begun, or may yet: nobody may begin it here.
void offers::give_up(process_slot& process, const open_offer& offered) {
  const open_offer given_up = offered;
  close(given_up.from, given_up.signal);
  world_.runtimes.note(event_kind::signal_unknown, process, given_up.signal, given_up.number);
}

void offers::post(const message& sent) {
  const auto index = static_cast<std::uint32_t>(messages_.size());
  messages_.push_back(sent);
  const errand what = sent.what == saying::offer ? errand::offer : errand::verdict;
  post_leg(index, event_label::publish,
           world_.runtimes.name(event_label::publish, sent.from, sent.signal, unsigned(what)));
}

void offers::post_leg(std::uint32_t index, event_label what, const label& name) {
  const message& sent = messages_[index];
  pending leg;
  leg.event = name;
  leg.event.what = what;
  leg.event.process = what == event_label::publish ? sent.from : sent.to;
  leg.index = index;
  leg.earliest = world_.now + world_.plan->bounds.delay_min;
  leg.latest = world_.now + world_.plan->bounds.delay_max;
  leg.rank = 1000 + world_.plan->signals[sent.signal].id;
  if (what == event_label::deliver) leg.addressee = sent.to;
  world_.faults.on_single(leg);
}

void offers::forward(const pending& event) {
  messages_[event.index].announced = true;
  post_leg(event.index, event_label::deliver, event.event);
}

void offers::deliver(const pending& event) {
  const message heard = messages_[event.index];
  process_slot& process = *world_.processes[heard.to];
  if (!process.up) return;
  heard.what == saying::offer ? take_offer(process, heard) : take_verdict(process, heard);
}

// Whatever was announced for that process, once more.
void offers::replay(process_id to) {
  const std::size_t before = messages_.size();
  for (std::size_t i = 0; i < before; ++i) {
    message again = messages_[i];
    if (again.what != saying::offer || again.to != to || !again.announced || again.replayed)
      continue;
    again.replayed = true;
    messages_.push_back(again);
    post_leg(static_cast<std::uint32_t>(messages_.size() - 1), event_label::deliver,
             world_.runtimes.name(event_label::deliver, to, again.signal, unsigned(errand::offer)));
  }
}

void offers::take_offer(process_slot& process, const message& heard) {
  // What is published once says neither whom it is for nor whether it was heard before.
  if (world_.plan->client.offer == offer_policy::once) {
    world_.runtimes.accept(process, heard.signal, heard.number);
    return;
  }
  const auto what = verdict_on(process, heard);
  if (what) post({*what, process.id, heard.from, heard.to_incarnation, heard.signal, heard.number});
}

// The verdict is remembered by offer, not by signal: a signal may come back to where it has been,
// and a copy that arrives late must not queue it twice. A replay that means nothing to this
// incarnation is no copy that the sender waits for, so it gets no answer.
std::optional<offers::saying> offers::verdict_on(process_slot& process, const message& heard) {
  for (const given_verdict& given : verdicts_)
    if (given.by == process.id && given.signal == heard.signal && given.number == heard.number)
      return given.what;
  if (process.incarnation != heard.to_incarnation) {
    if (heard.replayed) return std::nullopt;
    return saying::nobody_there;
  }
  const bool takes = world_.runtimes.accept(process, heard.signal, heard.number);
  const saying what = takes ? saying::accepted : saying::refused;
  verdicts_.push_back({process.id, heard.signal, heard.number, what});
  return what;
}

void offers::take_verdict(process_slot& process, const message& heard) {
  const open_offer* offered = find(process.id, heard.signal);
  if (!offered || offered->number != heard.number) return;
  if (heard.what == saying::accepted) {
    close(process.id, heard.signal);
    world_.runtimes.note(event_kind::signal_handed, process, heard.signal, heard.number);
    return;
  }
  // A refusal is remembered and answers for all copies. But copies overtake each other: a second
  // one may have been accepted, then the receiver crashed and came back, and only then the first
  // arrived and found nobody. So that answers for the only copy or for none.
  if (heard.what == saying::nobody_there && offered->copies > 1) return give_up(process, *offered);
  close(process.id, heard.signal);
  world_.runtimes.note(event_kind::signal_refused, process, heard.signal, heard.number);
  world_.runtimes.returned(process, heard.signal);
}

void offers::crashed(process_id process, bool kept) {
  if (kept) return;
  std::erase_if(open_, [&](const open_offer& offered) { return offered.from == process; });
  std::erase_if(verdicts_, [&](const given_verdict& one) { return one.by == process; });
}

bool offers::any_under_way() const {
  const auto& events = world_.events.events();
  return std::any_of(events.begin(), events.end(), [this](const pending& event) {
    const event_label what = event.event.what;
    return (what == event_label::publish || what == event_label::deliver) &&
           messages_[event.index].what == saying::offer;
  });
}

bool offers::any_open(process_id from) const {
  return std::any_of(open_.begin(), open_.end(),
                     [from](const open_offer& offered) { return offered.from == from; });
}

void offers::restarted(process_slot& process) {
  replay(process.id);
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (open_[i].from == process.id) {
      grant_another(open_[i]);
      send_copy(open_[i]);
    }
}

}  // namespace leaselab::sim
