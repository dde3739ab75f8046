// The workloads of a strict client: contend, handoff, churn, and shared, which breaks one rule.
#include <string>

#include "properties/search/call_chain.hpp"

namespace leaselab::properties {
namespace {

using sim::one_in;
using sim::owner_id;
using sim::true_duration;
using sim::verb;

// A new name: no other call of the plan has used it.
owner_id fresh_token(drawing& now, sim::process_id process, std::uint32_t number) {
  auto& token = now.out.owners.emplace_back(now.out.processes[process].name);
  token += '.';
  if (number >= 10) token += char('0' + number / 10 % 10);
  token += char('0' + number % 10);
  return owner_id(now.out.owners.size() - 1);
}

// One process of a strict client: it asks with a new token each time, lives on the lease, and
// leaves or falls silent.
class strict_process {
 public:
  strict_process(drawing& now, sim::process_id process, owner_id shared = sim::nobody)
      : now_(now), chain_(now, process), left_(draw_length(now)), shared_(shared) {}

  void contend() {
    while (left_ > 0) {
      now_.random.chance(one_in(3)) ? lurk() : ask(draw_wait(now_));
      if (left_ > 0 && !now_.random.chance(one_in(3))) work();
      for (auto steps = now_.random.below(4); steps > 0 && left_ > 0; --steps) live();
      if (left_ > 0 && !now_.random.chance(one_in(3))) leave();
    }
  }

  // Is there whenever a lease ends.
  void lie_in_wait() {
    while (left_ > 0) {
      lurk();
      if (left_ > 0 && now_.random.chance(one_in(2))) work();
    }
  }

  void hand_over() {
    while (left_ > 0) {
      ask(draw_wait(now_));
      if (left_ > 0 && now_.random.chance(one_in(3))) live();
      for (auto hops = now_.random.uniform(1, 2); hops > 0 && left_ > 0; --hops) {
        if (left_ > 1 && now_.random.chance(one_in(4))) work();
        hop();
        if (left_ > 0 && now_.random.chance(one_in(2))) linger();
      }
      if (left_ > 0 && now_.random.chance(one_in(2))) leave();
    }
  }

  // Asks and looks all the time: what the others hand over must not come its way.
  void watch() {
    if (now_.random.chance(one_in(4))) lurk();
    while (left_ > 0) {
      const bool looks = now_.random.chance(one_in(3));
      const auto wait = draw_short_wait(now_);
      if (looks) {
        look(wait);
      } else {
        now_.random.chance(one_in(4)) ? lurk() : ask(wait);
        if (left_ > 0 && now_.random.chance(one_in(2))) leave();
      }
    }
  }

  void churn() {
    while (left_ > 0) {
      now_.random.chance(one_in(8)) ? lurk() : ask(draw_short_wait(now_));
      if (left_ > 0 && now_.random.chance(one_in(4))) live();
      if (left_ > 0 && !now_.random.chance(one_in(6))) leave();
    }
  }

 private:
  void ask(true_duration wait) {
    key_ = draw_key(now_);
    token_ = shared_ != sim::nobody ? shared_ : fresh_token(now_, chain_.process(), ++tokens_);
    chain_.add(verb::acquire, key_, token_, wait);
    --left_;
    // An answer that was lost is asked for again, under the same token.
    if (left_ == 0 || now_.crashes || !now_.random.chance(one_in(8))) return;
    chain_.add(verb::acquire, key_, token_, draw_short_wait(now_));
    --left_;
  }

  // Whoever is denied comes back when the lease should end, and asks until it has: what others
  // still believe or do by then shows.
  void lurk() {
    ask(draw_short_wait(now_));
    auto wait = draw_time_before_expiry(now_);
    for (auto times = now_.random.uniform(2, 6); times > 0 && left_ > 1; --times) {
      token_ = fresh_token(now_, chain_.process(), ++tokens_);  // the same one would refresh it
      chain_.add(verb::acquire, key_, token_, wait).at_expiry = true;
      --left_;
      wait = now_.random.log_uniform(now_.ttl / 200, now_.ttl / 16);
    }
  }

  // After a handoff there is work as often as anything else: what was written before may land late.
  void linger() { now_.random.chance(one_in(2)) ? work() : live(); }

  void work() {
    --left_;
    chain_.work(key_, token_);
  }

  void live() {
    --left_;
    switch (now_.random.below(8)) {
      case 0:
      case 1:
        return chain_.work(key_, token_);
      case 2:
        return look(draw_short_wait(now_), false);
      case 3: {
        const bool late = may_come_late();
        const auto wait = late ? draw_time_before_expiry(now_) : draw_renewal_wait(now_);
        auto& refresh = chain_.add(verb::acquire, key_, token_, wait);
        refresh.if_held = !late;
        refresh.at_expiry = late;
        return;
      }
      default:
        return renew();
    }
  }

  void renew() {
    const bool beside = now_.random.chance(one_in(4));
    const bool late = !beside && may_come_late();
    const auto wait = late ? draw_time_before_expiry(now_) : draw_renewal_wait(now_);
    auto& call = beside ? chain_.add_beside(verb::renew, key_, token_, wait)
                        : chain_.add(verb::renew, key_, token_, wait);
    call.if_held = !late;
    call.at_expiry = late;
  }

  // A late renewal of one's own token is lawful, as long as nothing may have ended the incarnation
  // and no later call of the chain can overtake it.
  bool may_come_late() { return !now_.crashes && now_.random.chance(one_in(3)); }

  void leave() {
    --left_;
    auto& call = chain_.add(verb::release, key_, token_, draw_wait(now_));
    call.if_held = now_.crashes || now_.random.chance(one_in(2));
  }

  void hop() {
    --left_;
    const auto wait = draw_short_wait(now_);
    const auto next = fresh_token(now_, chain_.process(), ++tokens_);
    auto& call = chain_.add(verb::transfer, key_, token_, wait);
    call.to = next;
    call.if_held = true;
    token_ = next;
  }

  void look(true_duration wait, bool counts = true) {
    if (counts) --left_;
    const auto key = draw_key(now_);
    chain_.add(verb::get, key, sim::nobody, wait);
  }

  drawing& now_;
  chain chain_;
  std::uint32_t left_;
  owner_id shared_;
  sim::key_id key_ = 0;
  owner_id token_ = sim::nobody;
  std::uint32_t tokens_ = 0;
};

}  // namespace

void draw_strict_calls(drawing& now) {
  const auto workload = now.options.workload;
  draw_keys(now, workload != sim::workload_kind::contend);
  owner_id shared = sim::nobody;
  if (workload == sim::workload_kind::shared) {
    now.out.owners.emplace_back("A");
    shared = owner_id(now.out.owners.size() - 1);
  }
  for (std::size_t p = 0; p < now.out.processes.size(); ++p) {
    strict_process process(now, sim::process_id(p), p < 2 ? shared : sim::nobody);
    switch (workload) {
      case sim::workload_kind::handoff:
        p == 0 || now.random.chance(one_in(3)) ? process.hand_over() : process.watch();
        break;
      case sim::workload_kind::churn:
        process.churn();
        break;
      default:
        p > 0 && now.random.chance(one_in(3)) ? process.lie_in_wait() : process.contend();
    }
  }
}

}  // namespace leaselab::properties
