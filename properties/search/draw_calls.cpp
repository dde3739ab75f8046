// The workloads: what the processes call. Each process has a chain of calls; some chains fork, so
// that a holder renews while it works.
#include <algorithm>
#include <string>

#include "properties/search/drawing.hpp"

namespace leaselab::properties {
namespace {

using sim::call_spec;
using sim::one_in;
using sim::owner_id;
using sim::percent;
using sim::true_duration;
using sim::verb;

// Appends calls to the chain of one process.
class chain {
 public:
  chain(drawing& now, sim::process_id process) : now_(now), process_(process) {
    start_ = now.random.chance(one_in(2)) ? 0 : now.random.log_uniform(now.ttl / 1000, now.ttl);
  }

  call_spec& add(verb what, sim::key_id key, owner_id owner, true_duration wait) {
    auto& call = now_.out.calls.emplace_back();
    call.id = std::uint32_t(now_.out.calls.size() - 1);
    call.what = what;
    call.process = process_;
    call.key = key;
    call.owner = owner;
    const bool sets = what == verb::acquire || what == verb::renew || what == verb::transfer;
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
  call_spec& add_beside(verb what, sim::key_id key, owner_id owner, true_duration wait) {
    const auto trunk = last_;
    auto& call = add(what, key, owner, wait);
    if (trunk != sim::no_spec) last_ = trunk;
    return call;
  }
  // A span of work steps under `token`; half of them would outlive the lease.
  void work(sim::key_id key, owner_id token) {
    const auto brief = now_.random.log_uniform(now_.ttl / 50, now_.ttl);
    const auto lasting = now_.random.uniform(now_.ttl / 2, now_.ttl * 2);
    const auto lasts = now_.random.chance(one_in(2)) ? brief : lasting;
    const auto steps = now_.random.uniform(2, 5);
    const bool beside = now_.random.chance(one_in(2));
    const auto wait = now_.random.chance(one_in(2)) ? 0 : now_.ttl / 20;
    auto& span =
        beside ? add_beside(verb::write, key, token, wait) : add(verb::write, key, token, wait);
    span.lasts = lasts;
    span.pace = std::max<true_duration>(lasts / steps, 1);
    span.if_held = true;
    length_ += beside ? 0 : lasts;
  }

  std::uint32_t last() const { return last_; }
  sim::process_id process() const { return process_; }

 private:
  drawing& now_;
  sim::process_id process_;
  true_duration start_ = 0;
  true_duration length_ = 0;
  std::uint32_t last_ = sim::no_spec;
};

// To just before the end of a lease set just before: a message then meets the deadline on its way.
true_duration draw_wait_to_deadline(drawing& now) {
  return now.ttl - now.random.uniform(0, now.ttl / 8);
}

// Most waits are short against the ttl, at every magnitude; some end around a deadline.
true_duration draw_wait(drawing& now) {
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

true_duration draw_renewal_wait(drawing& now) {
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

true_duration draw_short_wait(drawing& now) {
  return now.random.chance(one_in(2)) ? 0 : now.random.log_uniform(now.ttl / 1000, now.ttl / 5);
}

// A new name: no other call of the plan has used it.
owner_id fresh_token(drawing& now, sim::process_id process, std::uint32_t number) {
  auto& token = now.out.owners.emplace_back(now.out.processes[process].name);
  token += '.';
  if (number >= 10) token += char('0' + number / 10 % 10);
  token += char('0' + number % 10);
  return owner_id(now.out.owners.size() - 1);
}

sim::key_id draw_key(drawing& now) { return sim::key_id(now.random.below(now.out.keys.size())); }

void draw_keys(drawing& now, bool mostly_one) {
  now.out.keys.emplace_back("K");
  if (const auto wanted = now.options.keys) {
    while (now.out.keys.size() < *wanted)
      now.out.keys.emplace_back(1, char('K' + now.out.keys.size()));
    return;
  }
  if (now.random.chance(one_in(mostly_one ? 6 : 3))) now.out.keys.emplace_back("L");
}

std::uint32_t draw_length(drawing& now) {
  const auto drawn = now.random.uniform(4, 10);
  return now.options.calls.value_or(std::uint32_t(drawn));
}

// One process of a strict client: it asks with a new token each time, lives on the lease, and
// leaves or falls silent.
class strict_process {
 public:
  strict_process(drawing& now, sim::process_id process, owner_id shared = sim::nobody)
      : now_(now), chain_(now, process), left_(draw_length(now)), shared_(shared) {}

  void contend() {
    while (left_ > 0) {
      ask(draw_wait(now_));
      if (left_ > 0 && now_.random.chance(one_in(2))) work();
      for (auto steps = now_.random.below(4); steps > 0 && left_ > 0; --steps) live();
      if (left_ > 0 && !now_.random.chance(one_in(3))) leave();
    }
  }

  void hand_over() {
    while (left_ > 0) {
      ask(draw_wait(now_));
      if (left_ > 0 && now_.random.chance(one_in(3))) live();
      for (auto hops = now_.random.uniform(1, 2); hops > 0 && left_ > 0; --hops) {
        hop();
        if (left_ > 0 && now_.random.chance(one_in(2))) live();
      }
      if (left_ > 0 && now_.random.chance(one_in(2))) leave();
    }
  }

  // Asks and looks all the time: what the others hand over must not come its way.
  void watch() {
    while (left_ > 0) {
      const bool looks = now_.random.chance(one_in(3));
      const auto wait = draw_short_wait(now_);
      if (looks) {
        look(wait);
      } else {
        ask(wait);
        if (left_ > 0 && now_.random.chance(one_in(2))) leave();
      }
    }
  }

  void churn() {
    while (left_ > 0) {
      ask(draw_short_wait(now_));
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
        auto& refresh = chain_.add(verb::acquire, key_, token_, draw_renewal_wait(now_));
        refresh.if_held = true;
        return;
      }
      default:
        return renew();
    }
  }

  void renew() {
    const bool beside = now_.random.chance(one_in(4));
    // A late renewal of one's own token is lawful, as long as nothing may have ended the
    // incarnation and no later call of the chain can overtake it.
    const bool late = !beside && !now_.crashes && now_.random.chance(one_in(3));
    const auto wait = late ? draw_wait_to_deadline(now_) : draw_renewal_wait(now_);
    auto& call = beside ? chain_.add_beside(verb::renew, key_, token_, wait)
                        : chain_.add(verb::renew, key_, token_, wait);
    call.if_held = !late;
  }

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

// Owners that differ by a letter more, one that everybody uses, and none at all.
constexpr const char* odd_owners[] = {"A", "B", "AB", "C", "D"};
constexpr std::int64_t most_ttl_ms = (std::int64_t{1} << 53) - 1;

std::int64_t draw_any_ttl_ms(drawing& now, bool mixed) {
  const auto usual = now.out.ttl_ms;
  if (now.random.chance(one_in(24))) {
    constexpr std::int64_t odd[] = {0, -1, most_ttl_ms + 1, most_ttl_ms, 0, -1};
    return odd[now.random.below(6)];
  }
  if (!mixed) return usual;
  const std::int64_t choice[] = {usual, usual / 2, usual * 2, usual * 3, 1, usual + 1};
  return choice[now.random.below(6)];
}

verb draw_verb(drawing& now) {
  constexpr verb weighted[] = {verb::acquire,  verb::acquire,  verb::acquire,  verb::acquire,
                               verb::get,      verb::get,      verb::release,  verb::release,
                               verb::release,  verb::renew,    verb::renew,    verb::renew,
                               verb::transfer, verb::transfer, verb::transfer, verb::transfer};
  if (now.random.chance(one_in(64))) return verb::close;
  return weighted[now.random.below(std::size(weighted))];
}

// A favourite owner each, and now and then another's or none.
owner_id draw_any_owner(drawing& now, sim::process_id process) {
  if (now.random.chance(percent(3))) return sim::nobody;
  const auto count = now.out.owners.size() - 1;
  if (now.random.chance(percent(60))) return owner_id(1 + process % count);
  return owner_id(1 + now.random.below(count));
}

void draw_any_calls(drawing& now) {
  draw_keys(now, false);
  const bool empty_key = now.random.chance(one_in(16));
  if (empty_key) now.out.keys.emplace_back();
  const auto owners = now.random.uniform(2, 5);
  for (std::int64_t i = 0; i < owners; ++i) now.out.owners.emplace_back(odd_owners[i]);
  const bool mixed = now.random.chance(one_in(2));
  const bool quick = now.random.chance(one_in(2));
  for (std::size_t p = 0; p < now.out.processes.size(); ++p) {
    chain own(now, sim::process_id(p));
    for (auto left = draw_length(now); left > 0; --left) {
      const auto what = draw_verb(now);
      const auto key = draw_key(now);
      const auto owner = what == verb::get ? sim::nobody : draw_any_owner(now, own.process());
      const auto wait = quick ? draw_short_wait(now) : draw_wait(now);
      const bool beside = now.random.chance(one_in(4));
      auto& call =
          beside ? own.add_beside(what, key, owner, wait) : own.add(what, key, owner, wait);
      if (what == verb::transfer) call.to = draw_any_owner(now, own.process());
      if (call.ttl_ms != 0) call.ttl_ms = draw_any_ttl_ms(now, mixed);
    }
  }
}

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
        process.contend();
    }
  }
}

// One call at a time: every call waits for the one before it, whoever makes it.
void chain_up(drawing& now) {
  auto& calls = now.out.calls;
  // A merge of the processes' chains in a random order: each call gets a place, and the places of
  // one process are sorted.
  std::vector<std::uint32_t> order(calls.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[now.random.below(i)]);
  std::vector<std::uint32_t> next(now.out.processes.size());
  for (auto i = std::uint32_t(calls.size()); i > 0; --i) next[calls[i - 1].process] = i - 1;
  std::vector<call_spec> merged;
  for (const auto pick : order) {
    auto& call = calls[next[calls[pick].process]++];
    if (call.after == sim::no_spec) call.wait = call.at;
    call.at = 0;
    call.id = std::uint32_t(merged.size());
    call.after = merged.empty() ? sim::no_spec : call.id - 1;
    merged.push_back(std::move(call));
  }
  calls = std::move(merged);
  now.horizon *= std::int64_t(now.out.processes.size());
}

}  // namespace

void draw_calls(drawing& now) {
  if (now.options.workload == sim::workload_kind::calls) {
    draw_any_calls(now);
  } else {
    draw_strict_calls(now);
  }
  if (now.options.faults->one_at_a_time) chain_up(now);
}

}  // namespace leaselab::properties
