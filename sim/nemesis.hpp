// Carries out the plan's faults: those that begin at an instant or a code point, and those that
// befall one message.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/backend_faults.hpp"
#include "sim/fault.hpp"
#include "sim/process.hpp"
#include "sim/trips.hpp"

namespace leaselab::sim {

struct core;

// Befalls one message of the plan rather than a stretch of time.
bool is_message_fault(fault_kind kind);

class nemesis {
 public:
  explicit nemesis(core& world) : world_(world), backend_(world) {}
  void begin();

  // The events that this part puts on the agenda.
  void strike(const pending& event);   // begin
  void heal(const pending& event);     // heal
  void restart(const pending& event);  // of a crashed process
  // The quiet phase: everything heals, what was held up is free.
  void heal_all();

  // A message is about to be posted; posts it unless it is lost.
  void on_message(const trip& sent, pending message);
  // Likewise one that belongs to no trip: a leg between runtimes, or work for a remote resource.
  void on_single(pending leg);
  // The error reply that takes the place of this request's execution, if any.
  std::optional<reply> error_instead(const trip& sent);
  backend_faults& backend() { return backend_; }
  // A trip is about to be made, or has taken effect: strikes what waits for that point.
  // True: something does.
  bool reached(const trip& sent, bool after);

 private:
  void befall(const fault_spec& fault, pending& message);
  void hold(const fault_spec& fault, pending& message);
  void post_copy(const fault_spec& fault, pending copy);
  void spend(std::size_t fault);
  bool matches(const fault_spec& fault, const trip& sent) const;
  bool is_trip(const trip& sent, std::uint16_t wanted) const;
  bool cut(process_id process, event_label what) const;
  void post_begin(std::uint32_t fault, true_time earliest, true_time latest, unsigned repetition);
  void post_heal(const fault_spec& fault, std::uint32_t index);
  void strike_clock(const fault_spec& fault, const pending& event);
  void strike_process(const fault_spec& fault, const pending& event);
  void move_clock(const fault_spec& fault, std::int64_t by);
  void end(const fault_spec& fault);
  void set_backend_rate(std::int64_t ppb);
  void set_standing(process_slot& process, int change);
  void set_rates(process_slot& process);
  bool stands_in(const fault_spec& pause) const;
  void pause(process_slot& process, const fault_spec& fault);
  void resume(process_slot& process, const fault_spec& fault);

  core& world_;
  backend_faults backend_;
  std::vector<bool> active_;  // by index into plan::faults
  std::vector<bool> spent_;
  bool any_points_ = false;
  bool any_messages_ = false;
};

}  // namespace leaselab::sim
