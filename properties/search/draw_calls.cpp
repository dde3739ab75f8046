// The workload `calls`: anything, odd arguments included; and what all workloads have in common.
#include <utility>
#include <vector>

#include "properties/search/call_chain.hpp"

namespace leaselab::properties {
namespace {

using sim::call_spec;
using sim::one_in;
using sim::owner_id;
using sim::percent;
using sim::verb;

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
      if (now.random.chance(one_in(8))) {
        call.wait = draw_time_before_expiry(now);
        call.at_expiry = true;
      }
      if (what == verb::transfer) call.to = draw_any_owner(now, own.process());
      if (call.ttl_ms != 0) call.ttl_ms = draw_any_ttl_ms(now, mixed);
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
