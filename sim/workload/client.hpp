// The strict client's view of its tokens: it believes from an answer up to a local deadline of its
// own, read on its monotonic clock, and never again once that has passed.
#pragma once

#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

class client {
 public:
  explicit client(core& world) : world_(world) {}

  // A release or a transfer is sent: belief in the token given up ends before.
  void sending(call_index call);
  void answered(call_index call);
  // It believes to hold the token now.
  bool holds(process_slot& process, key_id key, owner_id owner);

 private:
  held_token& token(process_slot& process, key_id key, owner_id owner);
  void forget(process_slot& process, key_id key, owner_id owner);
  void give_up(process_slot& process, key_id key, owner_id owner);
  void believe(process_slot& process, const call_record& call, owner_id owner,
               std::int64_t asked_at);
  bool lapsed(process_slot& process, held_token& token);

  core& world_;
};

}  // namespace leaselab::sim
