// The network: trips of calls to the backend and back, local steps, providers' sleeps.
//
// A call uses a connection of its own and sends one command at a time, so inside a connection
// order is kept; reordering happens between connections. A call that gives up abandons its
// connection: what was sent goes on and may land.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "providers/command.hpp"
#include "sim/agenda.hpp"
#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

using reply_handler = suspended<result<reply>>::value_type;
using step_handler = suspended<result<void>>::value_type;
using wake_handler = suspended<>::value_type;

struct trip {
  call_index call = no_call;
  process_id process = 0;
  std::uint8_t incarnation = 0;
  label name;                 // what, process, trip number, subject: the request's
  std::int64_t deadline = 0;  // reading of the process's monotonic clock
  command request;
  reply answer;
  suspended<result<reply>> on_reply;
  suspended<result<void>> on_step;
  suspended<> on_wake;
  std::shared_ptr<const bool> line;  // its connection; true: the client has closed it
  bool lost = false;                 // the backend has closed it: no answer comes

  bool waiting() const { return on_reply || on_step || on_wake; }
};

class trips {
 public:
  explicit trips(core& world) : world_(world) {}
  void begin() { used_ = 0; }

  // Called from inside a provider; the handlers run as events of their own.
  void send(process_id from, command request, std::int64_t deadline, reply_handler handler);
  void step(process_id from, std::int64_t deadline, step_handler handler);
  void sleep(process_id from, std::int64_t due, wake_handler handler);

  // The events that this part puts on the agenda.
  void land(const pending& event);    // request, copy
  void answer(const pending& event);  // reply
  void make_step(const pending& event);
  void wake(const pending& event);
  void give_up(const pending& event);  // limit

  // Nobody in `process` waits any more. Its lane is cut.
  void abandon(process_id process);
  trip& at(std::uint32_t index) { return *trips_[index]; }
  // What was executed, or closed, sends its answer on its way.
  void send_reply(std::uint32_t index) { post_message(index, event_label::reply); }
  bool reply_awaited(std::uint32_t index) const { return trips_[index]->waiting(); }

 private:
  std::uint32_t open(process_id process, event_label what, std::int64_t deadline);
  void number(trip& opened, event_label what);
  void post_message(std::uint32_t index, event_label what);
  void drop_limit(std::uint32_t index);

  core& world_;
  std::vector<std::unique_ptr<trip>> trips_;  // reused from run to run
  std::size_t used_ = 0;
};

}  // namespace leaselab::sim
