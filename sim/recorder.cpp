#include "sim/recorder.hpp"

#include <algorithm>

namespace leaselab::sim {
namespace {

// Few names are found soonest by looking; a runtime that asks again and again has thousands.
constexpr std::size_t few = 32;

// Mixing as in wyhash's final step: a 64 x 64 multiplication folded to 64 bits.
class mixer {
 public:
  void add(std::uint64_t word) {
    __extension__ using wide = unsigned __int128;
    const wide product = wide(state_ ^ word) * 0x9e3779b97f4a7c15u;
    state_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    state_ += 0xd1b54a32d192ed03u;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

std::uint64_t word(std::int64_t value) { return static_cast<std::uint64_t>(value); }

void mix(mixer& into, const call_record& call) {
  into.add((std::uint64_t(call.spec) << 32) | (std::uint64_t(call.repetition) << 16) |
           (std::uint64_t(call.process) << 8) | call.incarnation);
  into.add(word(call.invoked));
  into.add(word(call.completed));
  if (call.completed == never) return;
  into.add((std::uint64_t(call.ended) << 40) | (std::uint64_t(call.code) << 32) |
           (std::uint64_t(call.yes) << 24) | call.named);
  into.add(call.token.value_or(0));
}

void mix(mixer& into, const event& value) {
  into.add((std::uint64_t(value.kind) << 56) | (std::uint64_t(value.process) << 48) |
           (std::uint64_t(value.incarnation) << 40) | (std::uint64_t(value.key) << 32) |
           (std::uint64_t(value.store) << 24) | (std::uint64_t(value.refused) << 16) | value.owner);
  into.add(word(value.at) ^ (std::uint64_t(value.call) << 40));
  into.add(word(value.value));
}

void mix(mixer& into, const record_state& state) {
  into.add(word(state.deadline) ^ (std::uint64_t(state.owner) << 48) ^ (state.token << 32));
}

bool seen_by_clients(event_kind kind) {
  return kind != event_kind::step && kind != event_kind::change;
}

}  // namespace

void recorder::begin(const plan& value) {
  run.owners = value.owners;
  found_ = nobody;
  later_owners_.clear();
  run.keys = value.keys;
  run.processes.resize(value.processes.size());
  for (std::size_t i = 0; i < value.processes.size(); ++i)
    run.processes[i] = value.processes[i].name;
  run.calls.clear();
  run.events.clear();
  run.step_limit_reached = false;
  run.backend.reset(value.backend_phase, rate_one);
}

owner_id recorder::owner(std::string_view name, owner_id hint) {
  if (run.owners[hint] == name) return hint;
  if (run.owners[found_] != name) found_ = find_owner(name);
  return found_;
}

owner_id recorder::find_owner(std::string_view name) {
  const auto begin = run.owners.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(run.owners.size(), few));
  const auto found = std::find(begin, end, name);
  if (found != end) return static_cast<owner_id>(found - begin);
  if (later_owners_.empty()) {
    for (std::size_t i = few; i < run.owners.size(); ++i)
      later_owners_.emplace(run.owners[i], static_cast<owner_id>(i));
  }
  if (const auto later = later_owners_.find(name); later != later_owners_.end())
    return later->second;
  const auto added = static_cast<owner_id>(run.owners.size());
  run.owners.emplace_back(name);
  if (added >= few) later_owners_.emplace(name, added);
  return added;
}

std::int64_t recorder::granule(true_time at) const {
  return std::max<std::int64_t>(0, run.backend.read(at)) / ns_per_ms;
}

event& recorder::add(event_kind kind, true_time at) {
  event& added = run.events.emplace_back();
  added.kind = kind;
  added.at = at;
  added.granule = granule(at);
  return added;
}

void recorder::finish(true_time at, std::uint64_t last_draw) {
  add(event_kind::end, at);
  run.ended = at;
  mixer history;
  mixer records;
  for (const call_record& call : run.calls) mix(history, call);
  for (const event& value : run.events) {
    if (seen_by_clients(value.kind)) {
      mix(history, value);
    } else {
      mix(records, value);
      mix(records, value.before);
      mix(records, value.after);
    }
  }
  history.add(last_draw);
  run.history_digest = history.value();
  records.add(history.value());
  run.digest = records.value();
}

}  // namespace leaselab::sim
