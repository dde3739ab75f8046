// Offers of signals between runtimes, over a broker that stands where the backend stands: a
// message takes a leg up and a leg down, may be lost or held on either, and waits where its
// process is cut off or the backend is down. Messages overtake each other. The broker keeps what
// was announced, and replays it to a process that subscribes late: when it is back after a crash.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/history.hpp"
#include "sim/process.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::sim {

class offers {
 public:
  explicit offers(core& world) : world_(world) {}
  virtual ~offers() = default;
  void begin();

  // Offers the signal to the holder of `token`, by the client's policy.
  void send(process_slot& from, signal_index signal, owner_id token,
            const signals_runtime::holder& to);
  // The events of this part.
  void forward(const pending& event);                 // publish
  void deliver(const pending& event);                 // deliver
  void repeat(process_id from, signal_index signal);  // timer

  void crashed(process_id process, bool kept);
  void restarted(process_slot& process);
  // An offer waits for its verdict, or one that was given up may yet be heard.
  bool any_open() const { return !open_.empty() || any_under_way(); }
  bool any_open(process_id from) const;

 protected:
  // As the sender keeps it until it hears a verdict.
  struct open_offer {
    process_id from = 0, to = 0;
    std::uint8_t to_incarnation = 0;
    signal_index signal = 0;
    std::uint32_t number = 0;
    std::uint32_t copies = 0;
    int periods = 0;       // that it has waited for a verdict
    std::int64_t due = 0;  // of the next copy, reading of the sender's monotonic clock
  };
  // No verdict came within the offer's limit.
  virtual void give_up(process_slot& process, const open_offer& offered);
  void close(process_id from, signal_index signal);

  core& world_;

 private:
  // nobody_there: the incarnation that was meant is gone, or this one has forgotten all.
  enum class saying : std::uint8_t { offer, accepted, refused, nobody_there };
  struct message {
    saying what = saying::offer;
    process_id from = 0, to = 0;
    std::uint8_t to_incarnation = 0;
    signal_index signal = 0;
    std::uint32_t number = 0;
    bool announced = false;  // the broker has it
    bool replayed = false;   // by the broker, and marked so
  };
  struct given_verdict {
    process_id by = 0;
    signal_index signal = 0;
    std::uint32_t number = 0;
    saying what = saying::accepted;
  };

  bool any_under_way() const;
  static void grant_another(open_offer& offered);
  void send_copy(open_offer& offered);
  void post(const message& sent);
  void post_leg(std::uint32_t index, event_label what, const label& name);
  void replay(process_id to);
  void take_offer(process_slot& process, const message& heard);
  std::optional<saying> verdict_on(process_slot& process, const message& heard);
  void take_verdict(process_slot& process, const message& heard);
  open_offer* find(process_id from, signal_index signal);

  std::vector<open_offer> open_;
  std::vector<given_verdict> verdicts_;  // what receivers remember
  std::vector<message> messages_;
  std::vector<std::uint32_t> numbers_;  // offers made, by signal
};

}  // namespace leaselab::sim
