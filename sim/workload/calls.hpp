// The plan's calls: starts each when it is due, runs it on a worker of its process, and starts what
// waits for its end. The quiet phase's contender asks here too.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/plan.hpp"
#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

// What a call answered, in the words of the history.
struct call_end {
  outcome ended = outcome::ok;
  errc code = errc::backend_error;
  bool yes = false;
  std::string_view named;
  std::optional<std::uint64_t> token;
};

// A call that a runtime makes, on behalf of a signal.
struct runtime_call {
  std::uint32_t subject = 0;  // runtime_subject()
  std::uint16_t repetition = 0;
  verb what = verb::get;
  process_id process = 0;
  key_id key = 0;
  owner_id owner = nobody, to = nobody;
  std::int64_t ttl_ms = 0;
  true_duration limit = 0;
};

class calls {
 public:
  explicit calls(core& world) : world_(world) {}
  void begin();

  void start(const pending& event);
  // Makes a call of a runtime, at once; the runtime hears of its end.
  call_index make(const runtime_call& wanted);
  void run_made();  // when the present event is over
  void close(process_slot& process);
  // A call or a write has ended with this.
  void finish(call_index call, const call_end& end);
  // The process has crashed or is back: its chain stops, and goes on.
  void interrupt(process_slot& process);
  void go_on(process_slot& process);
  bool survives_crash(const pending& event) const;
  // The quiet phase: nothing new of the plan starts, a contender asks for every key. Where there
  // are runtimes, only when they have brought everything to an end.
  void go_quiet();
  void contend();
  bool quiet_is_over() const;

  label name_of(call_index call, event_label what) const;
  std::uint32_t rank_of(call_index call) const;
  std::uint16_t last_trip_of(call_index call) const;
  bool has_ended(std::uint32_t spec_id) const;
  std::size_t open() const { return open_; }
  // The process's monotonic reading when the call was invoked.
  std::int64_t invoked_reading(call_index call) const { return readings_[call]; }
  true_duration limit_of(call_index call) const { return limits_[call]; }

 private:
  void link_chains();
  void post_start(std::uint32_t spec, true_time at, unsigned repetition);
  void arm(std::uint32_t spec);
  true_time expiry_for(const call_spec& spec);
  void end_spec(std::uint32_t spec);
  bool uncalled(verb what) const;
  bool may_start(const call_spec& spec, process_slot& process) const;
  call_index invoke(std::uint32_t spec, std::uint32_t repetition);
  call_index record(call_record call, true_duration limit);
  void run(call_index call);
  worker& idle_worker(process_slot& process);
  void ask(key_id key, unsigned repetition);
  void asked(const call_record& call);

  core& world_;
  std::vector<bool> ended_;                                  // by index into plan::calls
  std::vector<std::uint32_t> index_of_id_;                   // call_spec::id to index
  std::vector<std::uint32_t> first_waiting_, next_waiting_;  // by index; no_spec ends a list
  std::vector<std::int64_t> readings_;                       // by call_index
  std::vector<true_duration> limits_;                        // likewise
  std::vector<bool> won_;                                    // keys that the contender has
  std::vector<call_index> made_;                             // and not yet run
  bool contends_ = false;
  std::size_t open_ = 0;
};

}  // namespace leaselab::sim
