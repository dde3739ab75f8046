// One run, indexed once for all properties: what each key held when, what each step did to the
// grants, and who believed what.
//
// "Instants" follow the order of events, not true time alone: with zero delays a whole handoff
// happens at one true instant, and an answer must come from a state between its own invocation and
// its own completion, not from one that merely bears the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/beliefs.hpp"
#include "providers/guarantees.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::properties {

// What lay raw (expired or not) under a key between two events.
struct segment {
  sim::owner_id owner = sim::nobody;
  std::int64_t deadline = 0;
  std::uint32_t from = 0;   // the event that put it there
  std::uint32_t until = 0;  // the event that replaced it; no_index: nothing did
};

// A `step` or `change` event and what it means. Steps answered by an error reply are not here.
struct step {
  std::uint32_t event = 0;
  sim::call_index call = sim::no_call;
  std::uint32_t next = no_index;  // the next step of the same call; changes stand in no chain
  bool change = false;            // a `change` event
  bool live_before = false;
  bool live_after = false;
  bool changed = false;       // raw: before != after
  bool changed_live = false;  // what operations can see changed: a dead record's removal did not
  // A grant that begins or is refreshed here, with the deadline `promised`: what was
  // really stored is other properties' business.
  sim::owner_id granted = sim::nobody;
  std::int64_t promised = 0;  // this step's granule + the ttl of its call, whatever the call is
  // Whose grant ends here, by its own release or transfer.
  sim::owner_id ended = sim::nobody;
};

struct call_view {
  std::uint32_t first_step = no_index;
  std::uint32_t last_step = no_index;
  bool granted_by_step = false;
};

class timeline {
 public:
  // Linear in the run; keeps its memory from run to run. `run` must outlive the queries.
  void build(const sim::run_record& run, const sim::plan& plan, const guarantees& declared);

  // In the declared reading.
  bool alive(std::int64_t deadline, std::int64_t granule) const {
    return reads_at_ ? granule < deadline : granule <= deadline;
  }
  bool alive(const sim::record_state& record, std::int64_t granule) const {
    return record.owner != sim::nobody && alive(record.deadline, granule);
  }
  // The deadline of a certain grant: no step since `granule` can have promised less. A record
  // counts in ms; a provider with a coarser clock may round down to its own granule first.
  std::int64_t least_deadline(std::int64_t granule, std::int64_t ttl_ms) const {
    return granule - granule % granule_ms_ + ttl_ms;
  }
  // The first true instant at which the backend's clock reads that many ms.
  sim::true_time instant_of(std::int64_t granule) const;
  // The first true instant at which a record or grant of that deadline is over.
  sim::true_time over_at(std::int64_t deadline, sim::true_time not_before) const;

  const std::vector<step>& steps() const { return steps_; }
  const sim::event& event_of(const step& value) const { return run_->events[value.event]; }
  // Calls `visit(const step&)` for each step of one call, in order.
  template <class Visit>
  void each_step(sim::call_index call, Visit&& visit) const {
    for (auto i = calls_[call].first_step; i != no_index; i = steps_[i].next) visit(steps_[i]);
  }
  // Is there a step of `call` for which `test` holds?
  template <class Test>
  bool any_step(sim::call_index call, Test&& test) const {
    for (auto i = calls_[call].first_step; i != no_index; i = steps_[i].next)
      if (test(steps_[i])) return true;
    return false;
  }
  const call_view& view(sim::call_index call) const { return calls_[call]; }
  // Some call was answered yes though no step of it left such a record.
  bool has_unbacked_answers() const { return unbacked_; }

  // At some instant of the call, in its store: a record of `owner` was live; none was; a record of
  // somebody else was; none of anybody was.
  bool live_within(sim::call_index call, sim::owner_id owner) const;
  bool absent_within(sim::call_index call, sim::owner_id owner) const;
  bool other_live_within(sim::call_index call, sim::owner_id owner) const;
  bool free_within(sim::call_index call) const;
  // The last record of `owner` put before the call's end had passed its deadline before it went,
  // or before the call began.
  bool died_before(sim::call_index call, sim::owner_id owner) const;

  const std::vector<belief>& beliefs() const { return beliefs_.all(); }
  const std::vector<std::uint32_t>& work() const { return work_; }  // accepted work events
  const std::vector<std::uint32_t>& crashes() const { return crashes_; }
  std::uint32_t quiet() const { return quiet_; }  // event, or no_index
  // The plan makes such calls (a runtime makes any).
  bool planned(sim::verb what) const { return (planned_ >> static_cast<int>(what)) & 1; }

 private:
  using slot = std::vector<segment>;

  void reset(const sim::plan& plan, const guarantees& declared);
  void add_step(std::uint32_t index, const sim::event& event);
  void add_segments(std::uint32_t index, const sim::event& event);
  void mark_grants(step& value, const sim::event& event) const;
  void find_unbacked();
  slot& slot_at(std::uint8_t store, sim::key_id key);
  template <class Test>
  bool any_piece(sim::call_index call, Test&& test) const;
  template <class Test>
  bool any_piece_in(const slot& segments, const sim::call_record& call, Test&& test) const;
  bool live_somewhere(const segment& value, std::uint32_t from, std::uint32_t to) const;
  bool dead_somewhere(const segment& value, std::uint32_t from, std::uint32_t to) const;
  std::int64_t lowest_granule(std::uint32_t from, std::uint32_t to) const;
  std::int64_t highest_granule(std::uint32_t from, std::uint32_t to) const;
  std::uint32_t end_event(const sim::call_record& call) const;

  const sim::run_record* run_ = nullptr;
  bool reads_at_ = false;
  bool only_ahead_ = true;
  bool unbacked_ = false;
  std::int64_t granule_ms_ = 1;
  std::uint32_t planned_ = 0;
  std::uint32_t quiet_ = no_index;
  std::size_t key_count_ = 0;
  std::vector<step> steps_;
  std::vector<call_view> calls_;
  std::vector<slot> slots_;              // by store and key
  std::vector<std::uint16_t> store_of_;  // by process; no_store: it made no step
  std::vector<std::uint32_t> work_, crashes_;
  belief_list beliefs_;
};

}  // namespace leaselab::properties
