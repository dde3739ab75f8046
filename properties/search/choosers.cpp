#include "properties/search/choosers.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "properties/search/strategy.hpp"

namespace leaselab::properties {
namespace {

using sim::candidate;
using sim::choice;
using sim::moment;
using sim::true_time;

// Stateless priorities: a hash of what has one.
std::uint64_t hash(std::uint64_t salt, std::uint64_t value) {
  auto x = (salt ^ value) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  return x ^ (x >> 32);
}

template <class Key>
std::size_t best(const moment& now, Key key) {
  const auto found =
      std::max_element(now.candidates.begin(), now.candidates.end(),
                       [&](const candidate& a, const candidate& b) { return key(a) < key(b); });
  return std::size_t(found - now.candidates.begin());
}

}  // namespace

void drawing_chooser::begin(const sim::plan& value) {
  random_.reseed(split(value.seed ^ seed_, sim::purpose::choices));
}

true_time drawing_chooser::draw_instant(const moment& now, true_time earliest, instant_bias bias) {
  const auto limit = now.limit;
  if (bias == instant_bias::early || earliest >= limit) return earliest;
  if (bias == instant_bias::late) return limit;
  const auto coin = random_.draw();
  if (coin & 1) return random_.uniform(earliest, limit);
  // The n-th of the preferred ones: both ends, then the deadlines inside.
  std::uint64_t inside = 0;
  for (const auto at : now.deadlines) inside += at > earliest && at < limit;
  if (inside == 0) return coin & 2 ? earliest : limit;
  auto nth = random_.below(inside + 2);
  if (nth < 2) return nth == 0 ? earliest : limit;
  for (const auto at : now.deadlines) {
    if (at > earliest && at < limit && nth-- == 2) return at;
  }
  return limit;
}

choice random_chooser::choose(const moment& now) {
  const auto index = random_.below(now.candidates.size());
  const auto at = draw_instant(now, now.candidates[index].earliest, bias_);
  return {index, at};
}

std::uint64_t thread_of(const sim::label& event) {
  return std::uint64_t(event.process) << 32 | event.subject;
}

// How many events a run has is not known before it: about six a call is near enough for the
// moments of change to fall inside.
std::uint32_t pct_length(const sim::plan& value) {
  return std::uint32_t(6 * value.calls.size() + 60 * value.signals.size() + 1);
}

void pct_chooser::begin(const sim::plan& value) {
  drawing_chooser::begin(value);
  salt_ = random_.draw();
  constexpr instant_bias biases[] = {instant_bias::mixed, instant_bias::mixed, instant_bias::early,
                                     instant_bias::late};
  bias_ = biases[random_.below(4)];
  steps_ = 0;
  fallen_.clear();
  changes_.clear();
  const auto length = pct_length(value);
  for (unsigned i = 1; i < depth_; ++i) changes_.push_back(std::uint32_t(random_.below(length)));
}

std::uint64_t pct_chooser::priority_of(const sim::label& event) const {
  const auto thread = thread_of(event);
  for (std::size_t i = fallen_.size(); i > 0; --i) {
    if (fallen_[i - 1].thread == thread) return fallen_[i - 1].priority;
  }
  return hash(salt_, thread) | 64;  // above every fallen one
}

choice pct_chooser::choose(const moment& now) {
  const auto priority = [this](const candidate& one) { return priority_of(one.event); };
  auto index = best(now, priority);
  const auto change = std::find(changes_.begin(), changes_.end(), steps_++);
  if (change != changes_.end()) {
    const auto to = std::uint64_t(change - changes_.begin());
    fallen_.push_back({thread_of(now.candidates[index].event), to});
    index = best(now, priority);
  }
  const auto at = draw_instant(now, now.candidates[index].earliest, bias_);
  return {index, at};
}

void pos_chooser::begin(const sim::plan& value) {
  drawing_chooser::begin(value);
  salt_ = random_.draw();
  races_ = 0;
}

choice pos_chooser::choose(const moment& now) {
  const auto races = [](const candidate& one) {
    return one.event.what == sim::event_label::request || one.event.what == sim::event_label::step;
  };
  const auto index = best(now, [&](const candidate& one) {
    return hash(races(one) ? salt_ + races_ : salt_, one.born);
  });
  races_ += races(now.candidates[index]);
  const auto at = draw_instant(now, now.candidates[index].earliest, instant_bias::mixed);
  return {index, at};
}

void urw_chooser::begin(const sim::plan& value) {
  drawing_chooser::begin(value);
  constexpr std::uint64_t events_a_call = 4;
  left_.assign(value.processes.size() + 1, 1);
  for (const auto& call : value.calls) left_[call.process] += events_a_call;
  for (const auto& signal : value.signals) left_[signal.process] += 12 * events_a_call;
}

std::uint64_t urw_chooser::weight_of(const candidate& one) const {
  return one.event.process < left_.size() ? left_[one.event.process] : 1;
}

choice urw_chooser::choose(const moment& now) {
  std::uint64_t total = 0;
  for (const auto& one : now.candidates) total += weight_of(one);
  auto place = random_.below(total);
  std::size_t index = 0;
  while (place >= weight_of(now.candidates[index])) place -= weight_of(now.candidates[index++]);
  const auto& taken = now.candidates[index];
  if (weight_of(taken) > 1) --left_[taken.event.process];
  const auto at = draw_instant(now, taken.earliest, instant_bias::mixed);
  return {index, at};
}

void starve_chooser::begin(const sim::plan& value) {
  drawing_chooser::begin(value);
  const auto count = std::max<std::size_t>(value.processes.size(), 1);
  starved_ = sim::process_id(random_.below(count));
}

choice starve_chooser::choose(const moment& now) {
  std::uint64_t others = 0;
  const auto is_other = [this](const candidate& one) { return one.event.process != starved_; };
  for (const auto& one : now.candidates) others += is_other(one);
  if (others == 0) {
    const auto index = random_.below(now.candidates.size());
    return {index, now.limit};
  }
  auto nth = random_.below(others);
  std::size_t index = 0;
  while (!is_other(now.candidates[index]) || nth-- > 0) ++index;
  const auto at = draw_instant(now, now.candidates[index].earliest, instant_bias::mixed);
  return {index, at};
}

choice in_order_chooser::choose(const moment& now) {
  const auto key = [](const candidate& one) {
    return std::tuple(one.earliest, one.rank, one.born);
  };
  const auto first =
      std::min_element(now.candidates.begin(), now.candidates.end(),
                       [&](const candidate& a, const candidate& b) { return key(a) < key(b); });
  return {std::size_t(first - now.candidates.begin()), first->earliest};
}

// `random` is the reference and keeps a share; no other one finds everything.
portfolio_chooser::portfolio_chooser(std::uint64_t seed) {
  for (const char* name : {"random", "pct:2", "random", "pct:3", "pos", "random", "starve", "eager",
                           "random", "lazy", "pct:4", "pos"}) {
    members_.push_back(make_strategy(name, seed));
  }
  current_ = members_.front().get();
}

// The seed is as good as a schedule's index, and goes with the plan.
void portfolio_chooser::begin(const sim::plan& value) {
  const auto pick = split(value.seed, sim::purpose::choices, 1);
  current_ = members_[pick % members_.size()].get();
  current_->begin(value);
}

void replay_chooser::begin(const sim::plan& value) {
  entries_.clear();
  for (std::uint32_t i = 0; i < value.decisions.size(); ++i) {
    entries_.push_back({value.decisions[i].event, i, value.decisions[i].at});
  }
  std::sort(entries_.begin(), entries_.end(), [](const entry& a, const entry& b) {
    return std::tie(a.event, a.place) < std::tie(b.event, b.place);
  });
}

const replay_chooser::entry* replay_chooser::find(const sim::label& event) const {
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), event,
      [](const entry& one, const sim::label& wanted) { return one.event < wanted; });
  return found == entries_.end() || found->event != event ? nullptr : &*found;
}

// Ties in time go by the recorded order; events without a decision come after those with one.
choice replay_chooser::choose(const moment& now) {
  using key = std::tuple<true_time, std::uint32_t, std::uint32_t, std::uint64_t>;
  key least{sim::never, 0, 0, 0};
  std::size_t index = 0;
  for (std::size_t i = 0; i < now.candidates.size(); ++i) {
    const auto& one = now.candidates[i];
    const auto* recorded = find(one.event);
    const auto latest = std::max(one.earliest, one.latest);
    const key own = recorded ? key{std::clamp(recorded->at, one.earliest, latest), recorded->place,
                                   one.rank, one.born}
                             : key{latest, sim::no_spec, one.rank, one.born};
    if (i > 0 && own >= least) continue;
    least = own;
    index = i;
  }
  return {index, std::min(std::get<0>(least), std::max(now.limit, now.candidates[index].earliest))};
}

}  // namespace leaselab::properties
