// The signals runtime: what leases are for. In every process it brings the signals that arrive for
// a thread key to a run, one run a key at a time, wherever the lease of that key is.
//
// Idle: acquire, then run. Denied: offer the signal to the owner that the denial names. While a
// run works, signals for its key queue; when it ends the lease is transferred to the next one, or
// released. What it makes of errors and of its own mistakes is its client_policy.
//
// Everything here is an event of the world: an arrival, a timer on the process's monotonic clock,
// a message, the end of a call. Nothing waits inside a function.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"
#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

// What a runtime does on behalf of a signal, in the subjects of its labels. Calls come first, by
// their verbs; timers and messages follow.
enum class errand : std::uint8_t {
  work = 7,  // a work step is due
  renew,     // a renewal is due
  rest,      // tries again after a period
  poll,      // a waiter looks who owns the key
  repeat,    // an offer's next copy
  release,   // a release's next copy
  clean_up,  // of the origin of a suspended run
  offer,     // a message
  verdict,   // a message
};

using signal_index = std::uint32_t;  // into plan::signals

class signals_runtime {
 public:
  explicit signals_runtime(core& world) : world_(world) {}
  virtual ~signals_runtime() = default;
  virtual void begin();

  // The events of this part.
  void arrive(const pending& event);  // signal
  void wake(const pending& event);    // timer
  void ended(call_index call);        // one of its calls

  // A process's incarnation ends, with its queue and offers kept or lost; the next one begins.
  void crashed(process_slot& process, bool kept);
  void restarted(process_slot& process);
  // Nothing new is submitted; every run has at most one ttl of work left.
  void go_quiet();
  // No signal is queued, no run works, no offer is open.
  bool drained() const;
  // After each event: whoever shuts down and has nothing left to do closes its provider.
  void close_idle();

  // Whose token that is; nothing for an owner that no runtime ever used.
  struct holder {
    process_id process = no_process;
    std::uint8_t incarnation = 0;
  };
  std::optional<holder> holder_of(owner_id token) const;

  // The next label of its kind: errands are counted for each signal.
  label name(event_label what, process_id process, signal_index signal, unsigned kind);
  std::int64_t period() const;  // between tries, ns

  // What offers.hpp reports. `accept`: a signal comes in from elsewhere; false: nobody here takes
  // it. `returned`: an offer was refused. The signal is this process's to run again.
  bool accept(process_slot& process, signal_index signal, std::uint32_t offer);
  void returned(process_slot& process, signal_index signal);
  event& note(event_kind what, process_slot& process, signal_index signal, std::uint32_t offer = 0,
              owner_id token = nobody);

 protected:
  enum class phase : std::uint8_t { idle, asking, resting, waiting, running, handing, releasing };
  struct queued {
    signal_index signal = 0;
    bool resumed = false;     // its run has begun before, elsewhere perhaps
    true_duration left = 0;   // of a resumed run
    owner_id token = nobody;  // that travels with a resumed run
  };
  // One process's part in one key.
  struct seat {
    process_id process = 0;
    key_id key = 0;
    phase now = phase::idle;
    std::vector<queued> queue;
    std::optional<queued> plain;  // it is asked for instead of the queue's front
    owner_id token = nobody;      // that is asked for
    call_index awaited = no_call;
  };
  struct run {
    queued what;
    process_id process = 0;
    owner_id token = nobody;
    bool leased = true;    // it was answered acquired; otherwise it has no deadline to watch
    bool beside = false;   // a plain run in spite of a denial: no part in the lease
    bool leaving = false;  // the lease is given up, one work step is left
    true_duration length = 0, worked = 0, pace = 0;
    call_index renewal = no_call;
  };
  struct sent_release {
    process_id process = 0;
    signal_index signal = 0;
    owner_id token = nobody;
    call_index call = no_call;
  };
  struct suspended_run {
    queued what;
    process_id origin = 0;
    owner_id token = nobody;
    bool resumed = false;
  };

  static bool has_work(const seat& at);
  bool is_busy(process_id process) const;
  const signal_spec& spec(signal_index signal) const { return world_plan().signals[signal]; }
  const plan& world_plan() const;
  seat& seat_of(process_id process, key_id key);
  seat& seat_of(process_id process, signal_index signal);
  process_slot& process_of(const seat& at) const;
  run* find_run(process_id process, signal_index signal);

  // Asking.
  void submit(process_slot& process, signal_index signal);
  void submit_plain(seat& at, signal_index signal);
  void attend(seat& at);
  void ask(seat& at);
  const queued& wanted(const seat& at) const;
  owner_id fresh_token(seat& at, const queued& for_what);
  // What a new token is called.
  virtual std::string token_text(const seat& at, const queued& for_what);
  void asked(seat& at, const call_record& call);
  void denied(seat& at, owner_id named);
  void deny_plain(seat& at, queued denied_run);
  void offer(seat& at, owner_id named);
  void drop_front(seat& at);
  void rest(seat& at);
  void wait(seat& at);
  void polled(seat& at, const call_record& call);
  void hand_over(seat& at, owner_id from);
  void handed_over(seat& at, const call_record& call);
  void set_timer(process_id process, signal_index signal, errand what, std::int64_t due);
  void drop_timers(const seat& at);

  // Running.
  void begin_run(seat& at, bool leased);
  void start_beside(seat& at, const queued& what);
  void start(run starting);
  void work(run& working);
  void work_on(process_id process, signal_index signal);
  bool may_work(run& working);
  bool holds(process_slot& process, key_id key, owner_id token);
  void finish(process_id process, signal_index signal, bool suspended);
  void interrupt(process_id process, signal_index signal);
  void leave(seat& at, const run& over);
  void erase_run(process_id process, signal_index signal);
  void renew(run& working);
  virtual void renewal_due(process_id process, signal_index signal);
  virtual void renewed(run& working, const call_record& call);
  // The run is over: it renews no more.
  virtual void end_renewals(process_id process, signal_index signal);
  void set_renewal(run& working, std::int64_t due);
  void release(seat& at, signal_index signal, owner_id token);
  void released(sent_release& sent, const call_record& call);
  void suspend(run& over);
  void resume(signal_index signal);
  call_index call(process_id process, signal_index signal, verb what, owner_id owner,
                  owner_id to = nobody);

  core& world_;

 private:
  void drop_timers(process_id process, signal_index signal, errand what);

  std::vector<seat> seats_;  // by process and key
  std::vector<run> runs_;
  std::vector<sent_release> releases_;
  std::vector<suspended_run> suspended_;
  std::vector<bool> resume_due_;                         // by signal
  std::vector<std::array<std::uint16_t, 16>> counters_;  // by signal and errand
  std::vector<holder> holders_;                          // by owner
  std::vector<std::uint32_t> tokens_;                    // made, by process
};

}  // namespace leaselab::sim
