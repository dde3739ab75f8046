#include "cli/report/perfetto.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <vector>

#include "cli/report/story.hpp"
#include "cli/report/words.hpp"
#include "properties/timeline.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using sim::event;
using sim::event_kind;

// Rows of a process; its calls take as many from `calls` on as overlap.
enum row : int { troubles = 1, beliefs = 2, work = 3, calls = 10 };

double us(sim::true_time ns) { return static_cast<double>(ns) / 1e3; }

class writer {
 public:
  writer(const sim::run_record& run, const sim::plan& value, const guarantees& declared)
      : run_(run), plan_(value) {
    timeline_.build(run, value, declared);
  }

  std::string text() {
    name_processes();
    for (sim::call_index i = 0; i < run_.calls.size(); ++i) add_call(i);
    add_beliefs();
    add_work();
    add_events();
    add_clocks();
    return json::serialize(
        json::object{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}});
  }

 private:
  int backend() const { return static_cast<int>(run_.processes.size()) + 1; }
  static int pid(sim::process_id process) { return process + 1; }

  json::object& add(const char* phase, const std::string& name, int process, int thread,
                    sim::true_time at) {
    events_.push_back(json::object{{"ph", phase},
                                   {"name", sim::is_utf8(name) ? json::value(name) : "?"},
                                   {"pid", process},
                                   {"tid", thread},
                                   {"ts", us(at)}});
    return events_.back().as_object();
  }

  json::object& slice(const std::string& name, int process, int thread, sim::true_time from,
                      sim::true_time to) {
    json::object& out = add("X", name, process, thread, from);
    out.emplace("dur", us(std::max(to, from) - from));
    return out;
  }

  void meta(const char* what, const std::string& name, int process, int thread) {
    events_.push_back(json::object{
        {"ph", "M"},
        {"name", what},
        {"pid", process},
        {"tid", thread},
        {"args", json::object{{"name", sim::is_utf8(name) ? json::value(name) : "?"}}}});
  }

  void name_processes() {
    for (std::size_t i = 0; i < run_.processes.size(); ++i) {
      const int process = static_cast<int>(i) + 1;
      meta("process_name", run_.processes[i], process, 0);
      meta("thread_name", "troubles", process, troubles);
      meta("thread_name", "beliefs", process, beliefs);
      meta("thread_name", "work", process, work);
    }
    meta("process_name", "backend", backend(), 0);
    meta("thread_name", "troubles", backend(), troubles);
  }

  void instant(const std::string& name, int process, int thread, const event& one) {
    json::object& out = add("i", name, process, thread, one.at);
    out.emplace("s", "t");
    out.emplace("args", clocks_at(one.at));
  }

  json::object clocks_at(sim::true_time at) const {
    json::object out{{"true_ms", static_cast<double>(at) / 1e6}};
    out.emplace("backend", local_words(run_, std::nullopt, at));
    for (std::size_t i = 0; i < run_.processes.size(); ++i) {
      const auto process = static_cast<sim::process_id>(i);
      out.emplace(process_words(run_, process, 0) + "_ms", local_words(run_, process, at));
    }
    return out;
  }

  // The first row of its process that is free by then.
  void add_call(sim::call_index index) {
    const auto& call = run_.calls[index];
    const sim::true_time end = std::min(call.completed, run_.ended);
    auto& ends = rows_[call.process];
    std::size_t place = 0;
    while (place < ends.size() && ends[place] > call.invoked) ++place;
    if (place == ends.size()) {
      ends.push_back(0);
      meta("thread_name", "calls", pid(call.process), calls + static_cast<int>(place));
    }
    ends[place] = end;
    json::object& out = slice(call_words(run_, call), pid(call.process),
                              calls + static_cast<int>(place), call.invoked, end);
    const bool open = call.completed == sim::never;
    out.emplace("args", json::object{{"answer", open ? "none" : answer_words(run_, call)},
                                     {"trips", call.trips}});
  }

  void add_beliefs() {
    for (const auto& held : timeline_.beliefs()) {
      slice(
          "believes to hold " + key_words(run_, held.key) + " as " + owner_words(run_, held.owner),
          pid(held.process), beliefs, held.begin, std::min(held.end, run_.ended));
    }
  }

  // A span runs from its first to its last step.
  void add_work() {
    std::map<std::pair<int, int>, std::pair<const event*, const event*>> spans;
    for (const event& one : run_.events) {
      if (one.kind != event_kind::work) continue;
      auto& span = spans[{one.process, one.owner}];
      if (!span.first) span.first = &one;
      span.second = &one;
    }
    for (const auto& [who, span] : spans) {
      slice("works on " + key_words(run_, span.first->key) + " as " +
                owner_words(run_, span.first->owner),
            pid(span.first->process), work, span.first->at, span.second->at);
    }
  }

  void add_events() {
    std::map<std::pair<int, int>, const event*> held;  // by store and key
    for (const event& one : run_.events) {
      switch (one.kind) {
        case event_kind::step:
        case event_kind::change:
          add_record(held, one);
          break;
        case event_kind::fault:
        case event_kind::heal:
          add_fault(one);
          break;
        case event_kind::crash:
          instant("crashes", pid(one.process), troubles, one);
          break;
        case event_kind::start:
          if (one.incarnation > 0) instant("restarts", pid(one.process), troubles, one);
          break;
        case event_kind::work_refused:
          instant("the fence refuses a work step", pid(one.process), work, one);
          break;
        default:
          if (one.kind > event_kind::end) add_signal(one);
      }
    }
    for (const auto& [place, since] : held) close_record(since, run_.ended);
  }

  int record_row(const event& one) {
    const int row = calls + one.store * 64 + one.key;
    if (named_rows_.emplace(row, true).second)
      meta("thread_name", "key " + key_words(run_, one.key), backend(), row);
    return row;
  }

  void add_record(std::map<std::pair<int, int>, const event*>& held, const event& one) {
    if (one.refused) return instant("an error reply", backend(), record_row(one), one);
    if (one.before == one.after) return instant("read", backend(), record_row(one), one);
    auto& since = held[{one.store, one.key}];
    close_record(since, one.at);
    since = &one;
  }

  void close_record(const event* since, sim::true_time at) {
    if (!since || since->after.owner == sim::nobody) return;
    json::object& out = slice(record_words(run_, since->key, since->after), backend(),
                              record_row(*since), since->at, at);
    out.emplace("args", clocks_at(since->at));
  }

  void add_fault(const event& one) {
    const auto index = std::size_t(one.value);
    if (index >= plan_.faults.size()) return;
    const auto who = plan_.faults[index].process;
    const int process = who < run_.processes.size() ? pid(who) : backend();
    const std::string text = fault_words(plan_, index);
    instant(one.kind == event_kind::heal ? "over: " + text : text, process, troubles, one);
  }

  void add_signal(const event& one) {
    const auto note = sim::signal_note::of(one.value);
    const char* what = one.kind == event_kind::signal_submitted     ? "arrives"
                       : one.kind == event_kind::signal_offered     ? "is offered"
                       : one.kind == event_kind::signal_accepted    ? "is accepted"
                       : one.kind == event_kind::signal_handed      ? "counts as delivered"
                       : one.kind == event_kind::signal_refused     ? "is refused"
                       : one.kind == event_kind::signal_unknown     ? "is given up"
                       : one.kind == event_kind::signal_begun       ? "begins"
                       : one.kind == event_kind::signal_interrupted ? "is broken off"
                       : one.kind == event_kind::run_started        ? "runs"
                                                                    : "has run";
    instant(signal_words(plan_, note.signal) + " " + what, pid(one.process), work, one);
  }

  // How far each clock is from true time, where it changes its course.
  void add_clocks() {
    const auto counter = [&](const sim::clock_line& clock, int process) {
      const auto& segments = clock.segments();
      const sim::true_time start = segments.front().reading;
      const auto mark = [&](sim::true_time at) {
        const double ahead = static_cast<double>(clock.read(at) - start - at) / 1e6;
        add("C", "clock ahead, ms", process, 0, at).emplace("args", json::object{{"ms", ahead}});
      };
      for (const auto& one : segments) mark(one.from);
      mark(run_.ended);
    };
    for (std::size_t i = 0; i < run_.monotonic.size(); ++i)
      counter(run_.monotonic[i], static_cast<int>(i) + 1);
    counter(run_.backend, backend());
  }

  const sim::run_record& run_;
  const sim::plan& plan_;
  properties::timeline timeline_;
  json::array events_;
  std::map<int, std::vector<sim::true_time>> rows_;  // ends, by process
  std::map<int, bool> named_rows_;
};

}  // namespace

std::string perfetto_trace(const sim::run_record& run, const sim::plan& value,
                           const guarantees& declared) {
  return writer(run, value, declared).text();
}

}  // namespace leaselab::cli
