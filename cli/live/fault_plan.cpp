#include "cli/live/fault_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/random.hpp"

namespace leaselab::cli::live {
namespace {

// A restart stalls everybody, so it is the rare one.
int weight_of(fault_kind kind) { return kind == fault_kind::restart ? 1 : 4; }

class planner {
 public:
  explicit planner(const setup& of)
      : of_(of), random_(sim::split(of.seed, sim::purpose::faults)), ttl_(of.ttl()) {}

  std::vector<planned_fault> make() {
    for (const auto kind : of_.kinds) {
      if (kind == fault_kind::freeze) add_freezes();
      if (kind != fault_kind::freeze) drawn_.insert(drawn_.end(), weight_of(kind), kind);
    }
    if (!drawn_.empty()) add_drawn();
    std::ranges::stable_sort(plan_, {}, &planned_fault::at);
    return std::move(plan_);
  }

 private:
  // One after the other, each long enough for the lease to run out and for another to take it.
  void add_freezes() {
    for (auto at = ttl_; at < of_.duration;) {
      planned_fault fault{.at = at, .what = fault_kind::freeze};
      fault.key = draw_key();
      fault.length = random_.uniform(3 * ttl_, 4 * ttl_);
      plan_.push_back(fault);
      at += fault.length + random_.uniform(ttl_, 2 * ttl_);
    }
  }

  void add_drawn() {
    for (auto at = random_.uniform(ttl_ / 5, ttl_); at < of_.duration;) {
      planned_fault fault{.at = at, .what = drawn_[random_.below(drawn_.size())]};
      fault.worker = static_cast<int>(random_.below(static_cast<std::uint64_t>(of_.processes)));
      // Half of them aim where it hurts.
      if (aims(fault.what) && random_.chance(sim::one_in(2))) fault.key = draw_key();
      draw_size(fault);
      const bool still_down = fault.what == fault_kind::restart && at < next_restart_;
      if (!still_down) plan_.push_back(fault);
      if (fault.what == fault_kind::restart) next_restart_ = at + fault.length + 2 * ttl_;
      at += random_.uniform(ttl_ / 5, ttl_ * 6 / 5);
    }
  }

  static bool aims(fault_kind kind) {
    return kind == fault_kind::kill || kind == fault_kind::stop || kind == fault_kind::cut;
  }
  int draw_key() { return static_cast<int>(random_.below(static_cast<std::uint64_t>(of_.keys))); }

  void draw_size(planned_fault& fault) {
    switch (fault.what) {
      case fault_kind::kill:
      case fault_kind::restart:
        fault.length = random_.log_uniform(ttl_ / 100, ttl_);
        break;
      case fault_kind::stop:
        fault.length = random_.log_uniform(ttl_ / 100, 4 * ttl_);
        break;
      case fault_kind::clock:
        // The strict client is safe down to 1 - margin; half of it keeps clear of the edge.
        fault.rate_ppm = 1'000'000 + random_.uniform(-of_.margin_ppm / 2, of_.margin_ppm / 2);
        break;
      case fault_kind::cut:
        fault.length = random_.log_uniform(ttl_ / 500, ttl_ / 5);
        break;
      case fault_kind::freeze:
        break;
    }
  }

  const setup& of_;
  sim::random_source random_;
  const sim::true_duration ttl_;
  std::vector<fault_kind> drawn_;
  sim::true_duration next_restart_ = 0;
  std::vector<planned_fault> plan_;
};

std::string to_json(const planned_fault& fault) {
  std::string line = fmt::format(R"({{"at_ns":{},"fault":"{}")", fault.at, to_string(fault.what));
  if (fault.key >= 0) line += fmt::format(R"(,"holder_of":"k{}")", fault.key);
  const bool one_worker = fault.what != fault_kind::freeze && fault.what != fault_kind::restart;
  if (one_worker) line += fmt::format(R"(,"worker":"w{}")", fault.worker);
  if (fault.length > 0) line += fmt::format(R"(,"length_ns":{})", fault.length);
  if (fault.rate_ppm > 0) line += fmt::format(R"(,"rate_ppm":{})", fault.rate_ppm);
  return line + "}\n";
}

}  // namespace

std::vector<planned_fault> make_plan(const setup& of) { return planner(of).make(); }

std::string to_json_lines(const std::vector<planned_fault>& plan) {
  std::string text;
  for (const auto& fault : plan) text += to_json(fault);
  return text;
}

std::string summary(const std::vector<planned_fault>& plan) {
  std::map<fault_kind, int> counts;
  for (const auto& fault : plan) ++counts[fault.what];
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(kind));
  }
  return text.empty() ? "no faults" : text;
}

}  // namespace leaselab::cli::live
