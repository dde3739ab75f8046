// Events that belong together become one line: a call whose request and answer nothing comes
// between, work steps in a row. What no event tells is put in: a lease or a belief that ends by
// its deadline.
#include "cli/report/story_beats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cli/report/words.hpp"
#include "properties/timeline.hpp"

namespace leaselab::cli {
namespace {

using sim::event;
using sim::event_kind;

// How much a line weighs; what is about another key weighs less by `elsewhere`.
namespace weight {
constexpr int needed = 100, fault = 9, change = 8, ending = 8, signal = 7, call = 6, work = 5,
              belief = 4, phase = 2, more_work = 1, elsewhere = 5;
}

constexpr std::uint32_t no_event = 0xffffffff;

// One event, or an end that no event tells.
struct item {
  sim::true_time at = 0;
  std::uint32_t event = no_event;
  enum { happened, lease_over, belief_over } what = happened;
  std::uint32_t subject = 0;  // lease_over: the step's event; belief_over: the belief
};

class teller {
 public:
  teller(const sim::run_record& run, const sim::plan& value, const guarantees& declared,
         const std::optional<story_point>& point)
      : run_(run), plan_(value), point_(point) {
    timeline_.build(run, value, declared);
    last_event_ = point ? point->event : std::uint32_t(run.events.size()) - 1;
    find_key();
  }

  std::vector<beat> beats() {
    for (const item& one : items()) add(one);
    return std::move(beats_);
  }

 private:
  void find_key() {
    if (!point_ || run_.events.empty()) return;
    key_ = run_.events[std::min<std::size_t>(point_->event, run_.events.size() - 1)].key;
    if (point_->call < run_.calls.size()) key_ = run_.calls[point_->call].key;
  }

  std::vector<item> items() const {
    std::vector<item> out;
    for (std::uint32_t i = 0; i <= last_event_ && i < run_.events.size(); ++i)
      out.push_back({run_.events[i].at, i, item::happened, 0});
    const sim::true_time end = out.empty() ? 0 : out.back().at;
    add_lease_ends(out, end);
    add_belief_ends(out, end);
    std::stable_sort(out.begin(), out.end(), [](const item& a, const item& b) {
      return std::tuple(a.at, a.what == item::happened) <
             std::tuple(b.at, b.what == item::happened);
    });
    return out;
  }

  // A record that outlives its deadline: dead, and nothing says so.
  void add_lease_ends(std::vector<item>& out, sim::true_time end) const {
    const auto& events = run_.events;
    for (std::uint32_t i = 0; i <= last_event_ && i < events.size(); ++i) {
      const event& one = events[i];
      if (!is_record(one) || one.after.owner == sim::nobody) continue;
      const auto over = timeline_.over_at(one.after.deadline, one.at);
      if (over > end || over <= one.at) continue;
      bool replaced = false;
      for (std::uint32_t j = i + 1; j <= last_event_ && events[j].at < over && !replaced; ++j)
        replaced = is_record(events[j]) && events[j].key == one.key &&
                   events[j].store == one.store && !(events[j].after == one.after);
      const bool told = std::any_of(out.begin(), out.end(), [&](const item& other) {
        return other.what == item::lease_over && other.at == over &&
               events[other.subject].key == one.key && events[other.subject].store == one.store;
      });
      if (!replaced && !told) out.push_back({over, no_event, item::lease_over, i});
    }
  }

  static bool is_record(const event& one) {
    return (one.kind == event_kind::step && !one.refused) || one.kind == event_kind::change;
  }

  void add_belief_ends(std::vector<item>& out, sim::true_time end) const {
    const auto& beliefs = timeline_.beliefs();
    for (std::uint32_t i = 0; i < beliefs.size(); ++i) {
      const bool silent = beliefs[i].end_event == properties::no_index;
      if (silent && beliefs[i].end <= end && beliefs[i].begin_event <= last_event_)
        out.push_back({beliefs[i].end, no_event, item::belief_over, i});
    }
  }

  int weigh(int plain, sim::key_id key) const {
    return point_ && key_ != key ? std::max(0, plain - weight::elsewhere) : plain;
  }

  void put(const item& from, std::optional<sim::process_id> who, std::string text, int weight,
           int incarnation = 0) {
    beat made;
    made.line = {from.at, who ? process_words(run_, *who, incarnation) : "backend",
                 local_words(run_, who, from.at), std::move(text)};
    made.weight = point_ && from.event == point_->event ? weight::needed : weight;
    made.last = from.at;
    if (who) made.process = *who;
    if (from.event != no_event) {
      const event& one = run_.events[from.event];
      made.call = one.call;
      made.kind = one.kind;
      made.owner = one.owner;
    }
    beats_.push_back(std::move(made));
  }

  // Into the last line, with the instant where it is another one.
  void merge(const item& from, const std::string& text, int weight) {
    beat& into = beats_.back();
    into.line.text += "; ";
    if (from.at != into.last) into.line.text += fmt::format("at {} ", ms_words(from.at));
    into.line.text += text;
    into.last = from.at;
    into.weight = std::max(into.weight, weight);
    if (point_ && from.event == point_->event) into.weight = weight::needed;
  }

  bool goes_on(sim::call_index call) const {
    return !beats_.empty() && call != sim::no_call && beats_.back().call == call;
  }

  void add(const item& from) {
    if (from.what == item::lease_over) return add_lease_over(from);
    if (from.what == item::belief_over) return add_belief_over(from);
    const event& one = run_.events[from.event];
    switch (one.kind) {
      case event_kind::invoke:
        return add_invoke(from, one);
      case event_kind::step:
        return add_step(from, one);
      case event_kind::complete:
        return add_complete(from, one);
      case event_kind::change:
        return put(from, std::nullopt,
                   record_words(run_, one.key, one.after, "becomes") + ", from outside",
                   weigh(weight::change, one.key));
      case event_kind::believe:
      case event_kind::disbelieve:
        return add_belief(from, one);
      case event_kind::work:
      case event_kind::work_refused:
        return add_work(from, one);
      case event_kind::work_sent:
        return put(from, one.process,
                   fmt::format("sends work on {} as {}", key_words(run_, one.key),
                               owner_words(run_, one.owner)),
                   weigh(weight::more_work, one.key), one.incarnation);
      case event_kind::end:
        return;
      case event_kind::quiet:
        return put(from, std::nullopt, "all faults end", weight::phase);
      case event_kind::start:
        if (one.incarnation > 0) put(from, one.process, "restarts", weight::fault, one.incarnation);
        return;
      case event_kind::crash:
      case event_kind::pause:
        return;  // the fault says so
      case event_kind::resume:
        return put(from, one.process, "goes on", weight::fault, one.incarnation);
      case event_kind::fault:
        return put(from, struck_by(one), fault_words(plan_, std::size_t(one.value)), weight::fault);
      case event_kind::heal:
        return add_heal(from, one);
      default:
        return add_signal(from, one);
    }
  }

  void add_lease_over(const item& from) {
    const event& set = run_.events[from.subject];
    put(from, std::nullopt,
        fmt::format("{}'s lease of {} is over: its deadline was {}",
                    owner_words(run_, set.after.owner), key_words(run_, set.key),
                    set.after.deadline),
        weigh(weight::ending, set.key));
  }

  void add_belief_over(const item& from) {
    const auto& held = timeline_.beliefs()[from.subject];
    put(from, held.process,
        fmt::format("no longer believes to hold {} as {}: its own deadline",
                    key_words(run_, held.key), owner_words(run_, held.owner)),
        weigh(weight::belief, held.key), held.incarnation);
  }

  void add_invoke(const item& from, const event& one) {
    const auto& call = run_.calls[one.call];
    const int plain = call.contender ? weight::phase : weight::call;
    put(from, one.process, call_words(run_, call), weigh(plain, call.key), one.incarnation);
  }

  void add_step(const item& from, const event& one) {
    const bool changed = !(one.before == one.after);
    const int plain = changed ? weight::change : weight::phase;
    std::string text = step_words(one);
    if (goes_on(one.call)) return merge(from, text, weigh(plain, one.key));
    if (one.call < run_.calls.size()) {
      const auto& call = run_.calls[one.call];
      text = fmt::format("{}'s {} arrives: {}", process_words(run_, call.process, call.incarnation),
                         call.what == sim::verb::get ? "question" : to_noun(call), text);
    }
    put(from, std::nullopt, text, weigh(plain, one.key));
  }

  static std::string to_noun(const sim::call_record& call) {
    switch (call.what) {
      case sim::verb::renew:
        return "renewal";
      case sim::verb::release:
        return "release";
      case sim::verb::transfer:
        return "transfer";
      default:
        return "request";
    }
  }

  std::string step_words(const event& one) const {
    if (one.refused) return "an error takes its place";
    if (!(one.before == one.after)) return record_words(run_, one.key, one.after, "becomes");
    const bool over = one.after.owner != sim::nobody && !timeline_.alive(one.after, one.granule);
    return record_words(run_, one.key, one.after, "stays") + (over ? ", which is over" : "");
  }

  void add_complete(const item& from, const event& one) {
    const auto& call = run_.calls[one.call];
    const std::string text = answer_words(run_, call);
    const int plain = call.contender ? weight::phase : weight::call;
    if (goes_on(one.call)) {
      const std::string who = process_words(run_, one.process, one.incarnation);
      const bool its_own = beats_.back().line.who == who;
      merge(from, its_own ? text : who + " hears: " + text, weigh(plain, call.key));
    } else {
      put(from, one.process,
          fmt::format("hears of its {} of {}: {}", to_noun(call), key_words(run_, call.key), text),
          weigh(plain, call.key), one.incarnation);
    }
    beats_.back().answered = true;
  }

  void add_belief(const item& from, const event& one) {
    if (one.kind == event_kind::disbelieve) return;  // a release, a denial or a crash says why
    const std::string until =
        one.value == sim::no_deadline
            ? "without a deadline of its own"
            : fmt::format("until its clock reads {:.3f}", static_cast<double>(one.value) / 1e6);
    const bool last_is_its = !beats_.empty() && beats_.back().process == one.process &&
                             beats_.back().answered && beats_.back().last == from.at;
    if (last_is_its) return merge(from, "believes it " + until, weigh(weight::belief, one.key));
    put(from, one.process,
        fmt::format("believes to hold {} as {} {}", key_words(run_, one.key),
                    owner_words(run_, one.owner), until),
        weigh(weight::belief, one.key), one.incarnation);
  }

  void add_work(const item& from, const event& one) {
    const bool again = !beats_.empty() && beats_.back().kind == one.kind &&
                       beats_.back().process == one.process && beats_.back().owner == one.owner;
    const bool seen = std::any_of(beats_.begin(), beats_.end(), [&](const beat& other) {
      return other.kind == event_kind::work && other.process == one.process &&
             other.owner == one.owner;
    });
    const std::string what =
        fmt::format("works on {} as {}", key_words(run_, one.key), owner_words(run_, one.owner));
    if (one.kind == event_kind::work_refused) {
      put(from, one.process, what + ", and the fence refuses it", weigh(weight::work, one.key),
          one.incarnation);
    } else if (again) {
      beat& into = beats_.back();
      into.last = from.at;
      into.line.text = fmt::format("{}, {} steps up to {}", what, ++into.count, ms_words(from.at));
      if (point_ && from.event == point_->event) into.weight = weight::needed;
    } else {
      put(from, one.process, what, weigh(seen ? weight::more_work : weight::work, one.key),
          one.incarnation);
    }
  }

  // The process that a fault strikes; nothing: the backend or a message.
  std::optional<sim::process_id> struck_by(const event& one) const {
    const auto index = std::size_t(one.value);
    if (index >= plan_.faults.size()) return std::nullopt;
    const auto process = plan_.faults[index].process;
    return process < run_.processes.size() ? std::optional(process) : std::nullopt;
  }

  void add_heal(const item& from, const event& one) {
    const auto index = std::size_t(one.value);
    if (index >= plan_.faults.size()) return;
    const auto kind = plan_.faults[index].kind;
    if (kind == sim::fault_kind::pause || kind == sim::fault_kind::crash) return;
    put(from, struck_by(one), "over: " + fault_words(plan_, index), weight::phase);
  }

  void add_signal(const item& from, const event& one) {
    const auto note = sim::signal_note::of(one.value);
    const std::string signal = signal_words(plan_, note.signal);
    const bool goes_on = !beats_.empty() && beats_.back().process == one.process &&
                         beats_.back().last == from.at &&
                         (beats_.back().answered || beats_.back().kind == event_kind::signal_begun);
    const std::string text = signal_text(one, note, signal);
    if (one.kind == event_kind::run_started && goes_on) return;  // its beginning has been told
    const int plain = one.kind == event_kind::run_ended ? weight::belief : weight::signal;
    if (goes_on) {
      merge(from, text, weigh(plain, one.key));
      beats_.back().kind = one.kind;
    } else {
      put(from, one.process, text, weigh(plain, one.key), one.incarnation);
    }
  }

  std::string signal_text(const event& one, const sim::signal_note& note,
                          const std::string& signal) const {
    switch (one.kind) {
      case event_kind::signal_submitted:
        return fmt::format("gets {} for {}", signal, key_words(run_, one.key));
      case event_kind::signal_offered:
        return fmt::format("offers {} to {}", signal,
                           process_words(run_, one.store, note.to_incarnation));
      case event_kind::signal_accepted:
        return "accepts " + signal;
      case event_kind::signal_handed:
        return fmt::format("takes {} as delivered elsewhere", signal);
      case event_kind::signal_refused:
        return note.offer ? signal + " comes back refused" : "refuses " + signal;
      case event_kind::signal_unknown:
        return fmt::format("gives {} up: nobody knows what became of it", signal);
      case event_kind::signal_begun:
      case event_kind::run_started:
        return "begins the run of " + signal;
      case event_kind::signal_interrupted:
        return fmt::format("breaks off the run of {}", signal);
      case event_kind::run_ended:
        return "ends the run of " + signal;
      default:
        return "something happens to " + signal;
    }
  }

  const sim::run_record& run_;
  const sim::plan& plan_;
  const std::optional<story_point>& point_;
  properties::timeline timeline_;
  std::uint32_t last_event_ = 0;
  sim::key_id key_ = 0;
  std::vector<beat> beats_;
};

}  // namespace

std::vector<beat> story_beats(const sim::run_record& run, const sim::plan& value,
                              const guarantees& declared, const std::optional<story_point>& point) {
  return teller(run, value, declared, point).beats();
}

}  // namespace leaselab::cli
