#include "properties/search/exhaustive/fixed_calls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "properties/search/exhaustive/exhaustive.hpp"

namespace leaselab::properties {
namespace {

using sim::call_spec;
using sim::plan;
using sim::true_time;
using sim::verb;

// A thousand of them still make an instant.
constexpr std::int64_t longest_ttl_ms = 1'000'000'000;

const call_spec* find_call(const plan& of, std::uint32_t id) {
  const auto found = std::find_if(of.calls.begin(), of.calls.end(),
                                  [&](const call_spec& one) { return one.id == id; });
  return found == of.calls.end() ? nullptr : &*found;
}

std::string why_not(const plan& of, const call_spec& call) {
  if (call.what == verb::write) return "it works on a resource";
  if (call.what == verb::close) return "it closes a provider";
  if (call.every > 0) return "a call repeats";
  if (call.ttl_ms > longest_ttl_ms) return "a ttl is too long";
  if (call.after == sim::no_spec) return "";
  const auto* const before = find_call(of, call.after);
  return before && before->process == call.process ? "" : "a call waits for another process";
}

bool clocks_differ(const plan& of) {
  return std::any_of(of.processes.begin(), of.processes.end(), [](const auto& one) {
    return one.rate_ppb != sim::rate_one || one.wall_offset != 0;
  });
}

// Where in its process's order a call stands. A chain is no longer than the plan.
true_time begins_at(const plan& of, const call_spec& call) {
  true_time out = call.at;
  const auto* at = &call;
  for (std::size_t i = 0; i < of.calls.size() && at->after != sim::no_spec; ++i) {
    out += at->wait;
    at = find_call(of, at->after);
    out += at->at;
  }
  return out;
}

void chain(plan& out, const plan& stated, sim::process_id process) {
  std::vector<std::pair<true_time, std::uint32_t>> order;  // place in the plan
  for (std::uint32_t i = 0; i < stated.calls.size(); ++i)
    if (stated.calls[i].process == process)
      order.emplace_back(begins_at(stated, stated.calls[i]), i);
  std::sort(order.begin(), order.end());
  auto before = sim::no_spec;
  for (const auto& [at, place] : order) {
    auto& call = out.calls[place];
    call.at = call.wait = 0;
    call.limit.reset();
    call.after = before;
    before = call.id;
  }
}

}  // namespace

std::string why_not_walked(const plan& stated) {
  if (!stated.signals.empty()) return "its calls are made by runtimes";
  if (!stated.faults.empty()) return "it has faults";
  if (stated.calls.empty()) return "it states no calls";
  if (clocks_differ(stated)) return "its clocks differ";
  if (stated.processes.size() > most_exhaustive_processes)
    return fmt::format("it has more than {} processes", most_exhaustive_processes);
  for (const auto& call : stated.calls)
    if (auto reason = why_not(stated, call); !reason.empty()) return reason;
  for (std::size_t process = 0; process < stated.processes.size(); ++process) {
    const auto calls = std::count_if(stated.calls.begin(), stated.calls.end(),
                                     [&](const auto& one) { return one.process == process; });
    if (calls > std::ptrdiff_t(most_exhaustive_calls))
      return fmt::format("a process makes more than {} calls", most_exhaustive_calls);
  }
  return "";
}

plan in_any_order(const plan& stated) {
  plan out = stated;
  out.one_at_a_time = false;
  out.decisions.clear();
  for (std::size_t process = 0; process < stated.processes.size(); ++process)
    chain(out, stated, sim::process_id(process));
  auto longest_ms = std::clamp<std::int64_t>(stated.ttl_ms, 1, longest_ttl_ms);
  for (const auto& call : stated.calls) longest_ms = std::max(longest_ms, call.ttl_ms);
  // Nothing has to happen before a time that no deadline comes near.
  const auto unbounded = 1000 * longest_ms * sim::ns_per_ms;
  out.bounds = {};
  out.bounds.delay_max = out.bounds.lateness = unbounded;
  out.bounds.call_limit = 4 * unbounded;
  return out;
}

}  // namespace leaselab::properties
