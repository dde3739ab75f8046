#include "sim/instruments.hpp"

#include "sim/core.hpp"

namespace leaselab::sim {

void instruments::begin() {
  stores_ = world_.backend->store_count();
  keys_ = world_.record.run.keys.size();
  looking_ = world_.backend->instrumented();
  world_.record.run.instrumented = looking_;
  last_.assign(static_cast<std::size_t>(stores_) * keys_, {});
  deadlines_known_ = false;
}

record_state& instruments::last(std::uint8_t store, key_id key) {
  return last_[store * keys_ + key];
}

record_state instruments::observe(std::uint8_t store, key_id key) {
  const auto seen = world_.backend->peek(store, world_.record.run.keys[key]);
  if (!seen) return {};
  const owner_id hint = last(store, key).owner;
  return {world_.record.owner(seen->owner, hint), seen->deadline, seen->token};
}

std::size_t instruments::open_step(call_index call) {
  const call_record& record = world_.record.run.calls[call];
  event& step = world_.note(event_kind::step, world_.processes[record.process].get());
  step.call = call;
  step.key = record.key;
  step.owner = record.owner;
  step.store = world_.backend->store_of(record.process);
  if (looking_) step.before = last(step.store, step.key);
  return world_.record.run.events.size() - 1;
}

void instruments::close_step(std::size_t step) {
  if (!looking_) return;
  event& closed = world_.record.run.events[step];
  const record_state after = observe(closed.store, closed.key);
  record_state& known = last(closed.store, closed.key);
  if (!(known == after)) deadlines_known_ = false;
  world_.record.run.events[step].after = known = after;
  if (last_.size() > 1) record_changes(closed.call, closed.store, closed.key);
}

void instruments::refused_step(call_index call) {
  const std::size_t step = open_step(call);
  event& refused = world_.record.run.events[step];
  refused.refused = true;
  refused.after = refused.before;
}

void instruments::record_changes(call_index call, std::uint8_t but_store, int but_key) {
  for (int store = 0; store < stores_; ++store) {
    for (std::size_t key = 0; key < keys_; ++key) {
      if (store == but_store && static_cast<int>(key) == but_key) continue;
      const auto in_store = static_cast<std::uint8_t>(store);
      const auto of_key = static_cast<key_id>(key);
      const record_state after = observe(in_store, of_key);
      record_state& known = last(in_store, of_key);
      if (known == after) continue;
      event& change = world_.note(event_kind::change);
      change.call = call;
      change.store = in_store;
      change.key = of_key;
      change.before = known;
      change.after = known = after;
      deadlines_known_ = false;
    }
  }
}

void instruments::look_for_changes(call_index call) {
  if (!looking_) return;
  if (call == no_call) return record_changes(no_call, 0, -1);
  const call_record& record = world_.record.run.calls[call];
  const std::uint8_t store = world_.backend->store_of(record.process);
  if (!(observe(store, record.key) == last(store, record.key))) close_step(open_step(call));
}

const std::vector<true_time>& instruments::deadlines() {
  if (deadlines_known_) return deadlines_;
  deadlines_.clear();
  deadlines_known_ = true;
  for (const record_state& record : last_) {
    if (record.owner == nobody || record.deadline >= never / (2 * ns_per_ms)) continue;
    for (const std::int64_t granule : {record.deadline - 1, record.deadline, record.deadline + 1}) {
      const true_time at = begin_of(granule);
      if (at > world_.now && at != never) deadlines_.push_back(at);
    }
  }
  return deadlines_;
}

true_time instruments::expiry(process_id process, key_id key) {
  if (!looking_) return never;
  // Not the last one seen: it may be a step's that is still open.
  const auto seen =
      world_.backend->peek(world_.backend->store_of(process), world_.record.run.keys[key]);
  if (!seen || seen->deadline >= never / (2 * ns_per_ms)) return never;
  return begin_of(seen->deadline);
}

true_time instruments::begin_of(std::int64_t granule) const {
  return world_.record.run.backend.first_at(granule * ns_per_ms, world_.now);
}

}  // namespace leaselab::sim
