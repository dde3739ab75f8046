#include "sim/backend_faults.hpp"

#include <algorithm>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

bool looks_back(fault_kind kind) {
  return kind == fault_kind::failover || kind == fault_kind::replica_read;
}

bool is_read(const command& request) {
  return request.lua == nullptr && !request.words.empty() && request.words[0] == "GET";
}

}  // namespace

void backend_faults::begin() {
  model_ = dynamic_cast<redis::model_engine*>(world_.engine.get());
  const auto& faults = world_.plan->faults;
  keeps_versions_ =
      model_ != nullptr &&
      std::any_of(faults.begin(), faults.end(), [](const auto& f) { return looks_back(f.kind); });
  down_ = 0;
  split_ = false;
  lag_ = reap_late_by_ = 0;
  versions_.clear();
  if (keeps_versions_) keep_version();
}

void backend_faults::keep_version() { versions_.push_back({world_.now, model_->save()}); }

void backend_faults::strike(const fault_spec& fault) {
  switch (fault.kind) {
    case fault_kind::flush_scripts:
      if (world_.engine) world_.engine->flush_scripts();
      return;
    case fault_kind::backend_down:
      return go_down(fault);
    case fault_kind::failover:
      return fail_over(fault.behind);
    case fault_kind::two_primaries:
      if (!model_) return;
      split_ = true;
      other_side_ = model_->save();
      return;
    case fault_kind::replica_read:
      lag_ = fault.by;
      return;
    case fault_kind::reap_late:
      reap_late_by_ = fault.by;
      return;
    case fault_kind::evict:
      world_.backend->erase(0, world_.plan->keys[fault.key]);
      return world_.watch.look_for_changes(no_call);
    case fault_kind::overwrite:
      world_.backend->overwrite(0, world_.plan->keys[fault.key], fault.value);
      return world_.watch.look_for_changes(no_call);
    default:
      return;
  }
}

// What a restart loses is lost when the backend goes down: nobody can tell the difference.
void backend_faults::go_down(const fault_spec& fault) {
  ++down_;
  world_.waiting.lose_all();
  if (world_.engine) world_.engine->flush_scripts();
  if (fault.data != data_kept::lost) return;
  if (model_) model_->restore({});
  world_.backend->lose_data();
  world_.watch.look_for_changes(no_call);
}

void backend_faults::fail_over(std::uint32_t behind) {
  if (!keeps_versions_ || versions_.empty()) return;
  const std::size_t lost = std::min<std::size_t>(behind, versions_.size() - 1);
  versions_.resize(versions_.size() - lost);
  world_.waiting.lose_all();
  model_->restore(versions_.back().state);
  world_.watch.look_for_changes(no_call);
}

void backend_faults::heal(const fault_spec& fault) {
  switch (fault.kind) {
    case fault_kind::backend_down:
      --down_;
      return;
    case fault_kind::two_primaries:
      split_ = false;  // the side of the even processes is kept
      return;
    case fault_kind::replica_read:
      lag_ = 0;
      return;
    case fault_kind::reap_late:
      reap_late_by_ = 0;
      return;
    default:
      return;
  }
}

void backend_faults::swap_sides() {
  redis::store_snapshot mine = model_->save();
  model_->restore(other_side_);
  other_side_ = std::move(mine);
  // What differs between the sides is nobody's step.
  world_.watch.look_for_changes(no_call);
}

void backend_faults::enter_side(process_id process) {
  if (on_other_side(process)) swap_sides();
}

void backend_faults::leave_side(process_id process) {
  if (on_other_side(process)) swap_sides();
}

reply backend_faults::execute(const command& request) {
  if (is_read(request) && (lag_ > 0 || reap_late_by_ > 0)) return read_from_replica(request);
  if (!keeps_versions_) return world_.engine->execute(request, world_.now_granules());
  const std::uint64_t before = model_->writes();
  reply answer = world_.engine->execute(request, world_.now_granules());
  if (model_->writes() != before) keep_version();
  return answer;
}

reply backend_faults::read_from_replica(const command& request) {
  const true_time then = world_.now - std::max(lag_, reap_late_by_);
  const std::int64_t late = world_.record.granule(std::max<true_time>(then, 0));
  if (lag_ <= 0 || !keeps_versions_) return world_.engine->execute(request, late);
  auto seen = std::find_if(versions_.rbegin(), versions_.rend(),
                           [&](const version& each) { return each.since <= then; });
  if (seen == versions_.rend()) --seen;
  const redis::store_snapshot present = model_->save();
  model_->restore(seen->state);
  reply answer = world_.engine->execute(request, world_.now_granules());
  model_->restore(present);
  return answer;
}

}  // namespace leaselab::sim
