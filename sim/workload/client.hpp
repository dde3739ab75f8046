// The strict client's view of its tokens: it believes from an answer up to a local deadline of its
// own, read on its monotonic clock, and never again once that has passed.
#pragma once

#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

class client {
 public:
  explicit client(core& world) : world_(world) {}
  virtual ~client() = default;
  virtual void begin() {}  // a new world

  // A release or a transfer is sent: belief in the token given up ends before.
  virtual void sending(call_index call);
  virtual void answered(call_index call);
  // It believes to hold the token now.
  virtual bool holds(process_slot& process, key_id key, owner_id owner);

 protected:
  // The reading of the monotonic clock from which an answered call's ttl is counted.
  virtual std::int64_t counted_from(call_index call) const;
  // What is left of the ttl at the local deadline, for clocks that run slow.
  virtual std::int64_t margin_ppm() const;
  // Whether a token comes back after its lease was given up; it then stands for a new lease.
  virtual bool reuses_tokens() const;

  core& world_;

 private:
  held_token& token(process_slot& process, key_id key, owner_id owner);
  void forget(process_slot& process, key_id key, owner_id owner);
  void give_up(process_slot& process, key_id key, owner_id owner);
  void believe(process_slot& process, const call_record& call, owner_id owner, call_index index);
  std::int64_t local_deadline(const call_record& call, call_index index) const;
  bool lapsed(process_slot& process, held_token& token);
};

}  // namespace leaselab::sim
