#include "properties/search/cut_time.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leaselab::properties {
namespace {

using sim::event_label;
using sim::true_duration;
using sim::true_time;

// What a runtime does for one signal, of one kind: its decisions' subjects without the number.
std::uint32_t errand_of(std::uint32_t subject) { return subject & ~std::uint32_t{255}; }

constexpr unsigned work_kind = 7;  // sim::errand::work

class cutting {
 public:
  cutting(const sim::plan& value, const stretch& out) : plan_(value), out_(out) {
    find_forgotten();
    cut_decisions();
    cut_signals();
    cut_faults();
    auto& safety = plan_.bounds.safety;
    if (safety > 0) safety = std::max<true_time>(earlier(safety), 1);
  }
  sim::plan take() { return std::move(plan_); }

 private:
  bool inside(true_time at) const { return at >= out_.from && at < out_.from + out_.length; }
  true_time earlier(true_time at) const {
    if (at <= out_.from) return at;
    return std::max(at - out_.length, out_.from);
  }

  // Errands whose first decision lies in the stretch.
  void find_forgotten() {
    std::set<std::pair<std::uint32_t, std::uint16_t>> seen;
    for (const auto& one : plan_.decisions) {
      if (!counts(one.event)) continue;
      const auto errand = errand_of(one.event.subject);
      if (!seen.insert({errand, one.event.repetition}).second || !inside(one.at)) continue;
      forgotten_[errand].insert(one.event.repetition);
      if (sim::kind_of_subject(errand) == work_kind) worked_.insert(sim::signal_of_subject(errand));
    }
  }
  static bool counts(const sim::label& event) {
    return sim::is_runtime_subject(event.subject) && event.what != event_label::signal;
  }

  bool is_forgotten(const sim::label& event) const {
    const auto found = forgotten_.find(errand_of(event.subject));
    return counts(event) && found != forgotten_.end() && found->second.contains(event.repetition);
  }

  std::uint32_t counted_down(std::uint32_t subject, std::uint32_t nth) const {
    const auto found = forgotten_.find(errand_of(subject));
    if (found == forgotten_.end()) return nth;
    const auto before = found->second.lower_bound(std::uint16_t(nth));
    return nth - std::uint32_t(std::distance(found->second.begin(), before));
  }

  void cut_decisions() {
    std::erase_if(plan_.decisions, [&](const auto& one) { return is_forgotten(one.event); });
    for (auto& one : plan_.decisions) {
      one.at = earlier(one.at);
      if (!counts(one.event)) continue;
      const auto nth = counted_down(one.event.subject, one.event.repetition);
      one.event.repetition = std::uint16_t(nth);
      one.event.subject = errand_of(one.event.subject) | std::min(nth, 255U);
    }
  }

  void cut_signals() {
    for (auto& signal : plan_.signals) {
      signal.at = earlier(signal.at);
      signal.resume_at = earlier(signal.resume_at);
      if (!worked_.contains(signal.id)) continue;
      signal.run = std::max<true_duration>(signal.run - out_.length, 0);
      if (signal.suspend_at && *signal.suspend_at > signal.run) signal.suspend_at = signal.run;
    }
  }

  void cut_faults() {
    for (auto& fault : plan_.faults) {
      fault.at = earlier(fault.at);
      fault.at_latest = earlier(fault.at_latest);
      fault.until = earlier(fault.until);
      count_down(fault.call);
      if (fault.point) count_down(fault.point->call);
    }
  }
  void count_down(std::uint32_t& subject) const {
    if (sim::is_runtime_subject(subject))
      subject = errand_of(subject) | counted_down(subject, subject & 255);
  }

  sim::plan plan_;
  stretch out_;
  std::map<std::uint32_t, std::set<std::uint16_t>> forgotten_;  // by errand: repetitions
  std::set<std::uint32_t> worked_;                              // signals
};

}  // namespace

std::vector<stretch> stretches_of(const sim::plan& value) {
  std::vector<stretch> all;
  if (value.signals.empty() || value.decisions.empty()) return all;
  std::set<true_time> instants;
  for (const auto& one : value.decisions) instants.insert(one.at);
  const auto ttl = value.ttl_ms * sim::ns_per_ms;
  // Renewals come every third of a ttl and work steps every fourth: after a twelfth's multiples
  // what is periodic looks the same.
  for (const int twelfths : {96, 48, 24, 12, 6, 4, 3, 1}) {
    for (const auto from : instants)
      if (from + ttl * twelfths / 12 <= *instants.rbegin())
        all.push_back({from, ttl * twelfths / 12});
  }
  // And what lies between two instants next to each other.
  for (auto next = instants.begin(); next != instants.end(); ++next) {
    const auto from = next == instants.begin() ? 0 : *std::prev(next);
    if (*next > from) all.push_back({from, *next - from});
  }
  return all;
}

sim::plan cut_time(const sim::plan& value, const stretch& out) {
  return cutting(value, out).take();
}

}  // namespace leaselab::properties
