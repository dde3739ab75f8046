// The chain of calls of one process, and how long it waits between them. Some chains fork, so that
// a holder renews while it works.
#pragma once

#include <algorithm>

#include "properties/search/drawing.hpp"

namespace leaselab::properties {

// Appends calls to the chain of one process.
class chain {
 public:
  chain(drawing& now, sim::process_id process) : now_(now), process_(process) {
    start_ =
        now.random.chance(sim::one_in(2)) ? 0 : now.random.log_uniform(now.ttl / 1000, now.ttl);
  }

  sim::call_spec& add(sim::verb what, sim::key_id key, sim::owner_id owner,
                      sim::true_duration wait) {
    auto& call = now_.out.calls.emplace_back();
    call.id = std::uint32_t(now_.out.calls.size() - 1);
    call.what = what;
    call.process = process_;
    call.key = key;
    call.owner = owner;
    const bool sets =
        what == sim::verb::acquire || what == sim::verb::renew || what == sim::verb::transfer;
    if (sets) call.ttl_ms = now_.out.ttl_ms;
    if (last_ == sim::no_spec) {
      call.at = start_ + wait;
    } else {
      call.after = last_;
      call.wait = wait;
    }
    last_ = call.id;
    length_ += wait;
    now_.horizon = std::max(now_.horizon, start_ + length_);
    return call;
  }
  // A call that the next one does not wait for.
  sim::call_spec& add_beside(sim::verb what, sim::key_id key, sim::owner_id owner,
                             sim::true_duration wait) {
    const auto trunk = last_;
    auto& call = add(what, key, owner, wait);
    if (trunk != sim::no_spec) last_ = trunk;
    return call;
  }
  // A span of work steps under `token`; half of them would outlive the lease.
  void work(sim::key_id key, sim::owner_id token) {
    const auto brief = now_.random.log_uniform(now_.ttl / 50, now_.ttl);
    const auto lasting = now_.random.uniform(now_.ttl / 2, now_.ttl * 2);
    const auto lasts = now_.random.chance(sim::one_in(2)) ? brief : lasting;
    const auto steps = now_.random.uniform(2, 8);
    const bool beside = now_.random.chance(sim::one_in(2));
    const auto wait = now_.random.chance(sim::one_in(2)) ? 0 : now_.ttl / 20;
    auto& span = beside ? add_beside(sim::verb::write, key, token, wait)
                        : add(sim::verb::write, key, token, wait);
    span.lasts = lasts;
    span.pace = std::max<sim::true_duration>(lasts / steps, 1);
    span.if_held = true;
    length_ += beside ? 0 : lasts;
  }

  std::uint32_t last() const { return last_; }
  sim::process_id process() const { return process_; }

 private:
  drawing& now_;
  sim::process_id process_;
  sim::true_duration start_ = 0;
  sim::true_duration length_ = 0;
  std::uint32_t last_ = sim::no_spec;
};

// The least time at which a call of the plan begins: the waits of its chain.
inline sim::true_time about_when(const drawing& now, std::uint32_t call) {
  sim::true_time at = 0;
  for (; call != sim::no_spec; call = now.out.calls[call].after) {
    const auto& one = now.out.calls[call];
    at += one.after == sim::no_spec ? one.at : one.wait;
  }
  return at;
}

// To just before the end of a lease set just before: a message then meets the deadline on its way.
inline sim::true_duration draw_wait_to_deadline(drawing& now) {
  return now.ttl - now.random.uniform(0, now.ttl / 8);
}

// Goes with `at_expiry`: a message then meets the end of the lease on its way.
inline sim::true_duration draw_time_before_expiry(drawing& now) {
  const auto some = now.random.log_uniform(now.ttl / 1000, now.ttl / 10);
  return now.random.chance(sim::one_in(4)) ? 0 : some;
}

// Most waits are short against the ttl, at every magnitude; some end around a deadline.
inline sim::true_duration draw_wait(drawing& now) {
  switch (now.random.below(8)) {
    case 0:
    case 1:
      return 0;
    case 2:
    case 3:
    case 4:
      return now.random.log_uniform(now.ttl / 1000, now.ttl);
    case 5:
      return now.ttl / 3;
    case 6:
      return draw_wait_to_deadline(now);
    default:
      return now.ttl + now.random.uniform(0, now.ttl / 4);
  }
}

inline sim::true_duration draw_renewal_wait(drawing& now) {
  switch (now.random.below(4)) {
    case 0:
    case 1:
      return now.ttl / 3;
    case 2:
      return now.random.log_uniform(now.ttl / 1000, now.ttl / 2);
    // The last moment at which a client that watches its local deadline still sends one.
    default:
      return now.ttl * 9 / 10 - now.random.uniform(0, now.ttl / 8);
  }
}

inline sim::true_duration draw_short_wait(drawing& now) {
  return now.random.chance(sim::one_in(2)) ? 0
                                           : now.random.log_uniform(now.ttl / 1000, now.ttl / 5);
}

inline sim::key_id draw_key(drawing& now) {
  return sim::key_id(now.random.below(now.out.keys.size()));
}

inline void draw_keys(drawing& now, bool mostly_one) {
  now.out.keys.emplace_back("K");
  if (const auto wanted = now.options.keys) {
    while (now.out.keys.size() < *wanted)
      now.out.keys.emplace_back(1, char('K' + now.out.keys.size()));
    return;
  }
  if (now.random.chance(sim::one_in(mostly_one ? 6 : 3))) now.out.keys.emplace_back("L");
}

inline std::uint32_t draw_length(drawing& now) {
  const auto drawn = now.random.uniform(5, 15);
  return now.options.calls.value_or(std::uint32_t(drawn));
}

}  // namespace leaselab::properties
