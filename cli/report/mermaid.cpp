// Mermaid has no slanted arrows. A request is an arrow at the instant at which it takes effect, an
// answer one at which it is heard; where something happens between a call and its request, a note
// says when it was asked.
#include "cli/report/mermaid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/report/words.hpp"

namespace leaselab::cli {
namespace {

using sim::event;
using sim::event_kind;

// More is no picture, and Mermaid refuses texts that are much longer.
constexpr std::size_t most_lines = 200;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// What Mermaid reads as its own: ; and # end a statement, `end` a block.
std::string safe(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || !is_word(text[i - 1]);
    if (begins && text.compare(i, 3, "end") == 0 &&
        (i + 3 == text.size() || !is_word(text[i + 3]))) {
      out += "(end)";
      i += 2;
    } else if (c == ';') {
      out += "#59;";
    } else if (c == '#') {
      out += "#35;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

class diagram {
 public:
  diagram(const sim::run_record& run, const sim::plan& value, std::uint32_t last)
      : run_(run), plan_(value), last_(last), steps_(run.calls.size(), 0) {}

  std::string text(const std::string& ending) {
    for (std::uint32_t i = 0; i <= last_ && i < run_.events.size(); ++i) {
      if (lines_.size() >= most_lines) {
        note_all("cut here: the run goes on");
        break;
      }
      add(i, run_.events[i]);
    }
    open_calls();
    if (!ending.empty()) note_all(ending);
    std::string out = "sequenceDiagram\n";
    for (std::size_t i = 0; i < run_.processes.size(); ++i)
      if (used_.size() > i && used_[i])
        out += fmt::format("  participant p{} as {}\n", i, safe(run_.processes[i]));
    out += "  participant b as backend\n";
    for (const auto& line : lines_) out += "  " + line + "\n";
    return out;
  }

 private:
  static std::string ms(const event& one) { return ms_words(one.at) + " "; }

  std::string lane(sim::process_id process) {
    if (process >= run_.processes.size()) return "b";
    if (used_.size() <= process) used_.resize(process + 1u);
    used_[process] = true;
    return fmt::format("p{}", process);
  }

  void note(const std::string& over, const std::string& text) {
    lines_.push_back(fmt::format("Note over {}: {}", over, safe(text)));
  }
  void note_all(const std::string& text) {
    std::size_t first = 0;
    while (first < used_.size() && !used_[first]) ++first;
    note(first < used_.size() ? fmt::format("p{},b", first) : "b", text);
  }
  void arrow(const std::string& from, std::string_view how, const std::string& to,
             const std::string& text) {
    lines_.push_back(fmt::format("{}{}{}: {}", from, how, to, safe(text)));
  }

  // The request of this call is the next thing that happens.
  bool arrives_next(std::uint32_t index) const {
    for (std::uint32_t i = index + 1; i <= last_ && i < run_.events.size(); ++i) {
      const event& one = run_.events[i];
      if (one.kind == event_kind::believe || one.kind == event_kind::disbelieve) continue;
      return one.kind == event_kind::step && one.call == run_.events[index].call;
    }
    return false;
  }

  void add(std::uint32_t index, const event& one) {
    switch (one.kind) {
      case event_kind::invoke: {
        const std::string from = lane(one.process);
        if (!arrives_next(index)) note(from, ms(one) + call_words(run_, run_.calls[one.call]));
        return;
      }
      case event_kind::step:
        return add_step(one);
      case event_kind::complete:
        return add_complete(one);
      case event_kind::change:
        return note("b", ms(one) + record_words(run_, one.key, one.after) + ", from outside");
      case event_kind::believe:
      case event_kind::disbelieve:
      case event_kind::end:
      case event_kind::crash:
      case event_kind::pause:
        return;  // answers say the one, faults the other
      case event_kind::start:
        if (one.incarnation > 0) note(lane(one.process), ms(one) + "restarts");
        return;
      case event_kind::resume:
        return note(lane(one.process), ms(one) + "goes on");
      case event_kind::work:
      case event_kind::work_refused:
        return add_work(one);
      case event_kind::quiet:
        return note("b", ms(one) + "all faults are over");
      case event_kind::fault:
      case event_kind::heal:
        return add_fault(one);
      default:
        return add_signal(one);
    }
  }

  void add_step(const event& one) {
    if (one.call >= run_.calls.size()) return;
    const auto& call = run_.calls[one.call];
    const int trip = ++steps_[one.call];
    const std::string what =
        trip == 1 ? call_words(run_, call) : fmt::format("the same call, trip {}", trip);
    arrow(lane(call.process), "->>", "b", ms(one) + what);
    if (one.refused) return note("b", "an error takes its place");
    if (!(one.before == one.after)) note("b", record_words(run_, one.key, one.after));
  }

  void add_complete(const event& one) {
    const auto& call = run_.calls[one.call];
    const std::string to = lane(call.process), text = ms(one) + answer_words(run_, call);
    const bool sent = steps_[one.call] > 0;
    steps_[one.call] = -1;
    if (call.ended == outcome::info) {
      return sent ? arrow("b", "--x", to, text) : arrow(to, "-x", "b", text);
    }
    return sent ? arrow("b", "-->>", to, text) : note(to, text);
  }

  // Work in a row is one note.
  void add_work(const event& one) {
    const bool refused = one.kind == event_kind::work_refused;
    const std::string what =
        fmt::format("works on {} as {}{}", key_words(run_, one.key), owner_words(run_, one.owner),
                    refused ? ", the fence refuses it" : "");
    const std::string over = lane(one.process), ending = safe(what);
    const bool again = !lines_.empty() && lines_.back().ends_with(ending) &&
                       lines_.back().starts_with("Note over " + over + ":");
    if (!again) note(over, ms(one) + what);
  }

  void add_fault(const event& one) {
    const auto index = std::size_t(one.value);
    if (index >= plan_.faults.size()) return;
    const auto& fault = plan_.faults[index];
    const bool told = one.kind == event_kind::heal && (fault.kind == sim::fault_kind::pause ||
                                                       fault.kind == sim::fault_kind::crash);
    if (told) return;
    const std::string over = fault.process < run_.processes.size() ? lane(fault.process) : "b";
    const std::string text = fault_words(plan_, index);
    note(over, ms(one) + (one.kind == event_kind::heal ? "over: " + text : text));
  }

  void add_signal(const event& one) {
    const auto told = sim::signal_note::of(one.value);
    const std::string signal = signal_words(plan_, told.signal), at = lane(one.process);
    switch (one.kind) {
      case event_kind::signal_submitted:
        return note(at, ms(one) + fmt::format("gets {} for {}", signal, key_words(run_, one.key)));
      case event_kind::signal_offered:
        return arrow(at, "-)", lane(one.store), ms(one) + "offers " + signal);
      case event_kind::signal_accepted:
        return note(at, ms(one) + "accepts " + signal);
      case event_kind::signal_handed:
        return note(at, ms(one) + signal + " counts as delivered");
      case event_kind::signal_refused:
        return note(at, ms(one) + signal + " is refused");
      case event_kind::signal_unknown:
        return note(at, ms(one) + "gives " + signal + " up");
      case event_kind::signal_interrupted:
        return note(at, ms(one) + "breaks off the run of " + signal);
      case event_kind::run_started:
        return note(at, ms(one) + "begins the run of " + signal);
      case event_kind::run_ended:
        return note(at, ms(one) + "its run of " + signal + " is over");
      default:
        return;
    }
  }

  // Requests that arrived and were never answered within the picture.
  void open_calls() {
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i] > 0) arrow("b", "--x", lane(run_.calls[i].process), "no answer yet");
  }

  const sim::run_record& run_;
  const sim::plan& plan_;
  std::uint32_t last_;
  std::vector<int> steps_;  // of each call; below 0: it has ended
  std::vector<bool> used_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string mermaid_diagram(const sim::run_record& run, const sim::plan& value,
                            std::optional<std::uint32_t> until, const std::string& ending) {
  const auto end = static_cast<std::uint32_t>(run.events.size());
  return diagram(run, value, until.value_or(end)).text(ending);
}

}  // namespace leaselab::cli
