#include "properties/search/exhaustive/programs.hpp"

#include <fmt/format.h>

namespace leaselab::properties {
namespace {

using sim::verb;

void extend(const program& begun, bool holds, std::uint32_t left, std::vector<program>& out) {
  if (left == 0) return out.push_back(begun);
  const auto go_on = [&](verb next, bool then_holds) {
    auto longer = begun;
    longer.push_back(next);
    extend(longer, then_holds, left - 1, out);
  };
  if (!holds) return go_on(verb::acquire, true);
  go_on(verb::renew, true);
  go_on(verb::transfer, true);
  go_on(verb::release, false);
}

class writer {
 public:
  writer(sim::plan& out, std::int64_t ttl_ms) : out_(out), ttl_ms_(ttl_ms) {}

  void write(const program& steps, sim::process_id process) {
    process_ = process;
    tokens_ = 0;
    auto before = sim::no_spec;
    for (const auto step : steps) {
      auto& call = add(step);
      call.after = before;
      before = call.id;
    }
  }

 private:
  sim::call_spec& add(verb what) {
    if (what == verb::acquire) token_ = fresh_token();
    auto& call = out_.calls.emplace_back();
    call.id = std::uint32_t(out_.calls.size());
    call.what = what;
    call.process = process_;
    call.owner = token_;
    call.ttl_ms = ttl_ms_;
    call.if_held = what == verb::transfer;
    if (what == verb::transfer) call.to = token_ = fresh_token();
    return call;
  }

  sim::owner_id fresh_token() {
    out_.owners.push_back(fmt::format("{}.{}", out_.processes[process_].name, ++tokens_));
    return sim::owner_id(out_.owners.size() - 1);
  }

  sim::plan& out_;
  std::int64_t ttl_ms_;
  sim::process_id process_ = 0;
  sim::owner_id token_ = sim::nobody;
  int tokens_ = 0;
};

void line_up(lineup& begun, std::size_t programs, std::uint32_t left, bool symmetric,
             std::vector<lineup>& out) {
  if (left == 0) return out.push_back(begun);
  const std::uint32_t least = symmetric && !begun.empty() ? begun.back() : 0;
  for (auto next = least; next < programs; ++next) {
    begun.push_back(next);
    line_up(begun, programs, left - 1, symmetric, out);
    begun.pop_back();
  }
}

}  // namespace

std::vector<program> programs_of(std::uint32_t calls) {
  std::vector<program> out;
  extend({}, false, calls, out);
  return out;
}

std::vector<lineup> lineups_of(std::size_t programs, std::uint32_t processes, bool symmetric) {
  std::vector<lineup> out;
  lineup begun;
  line_up(begun, programs, processes, symmetric, out);
  return out;
}

sim::plan plan_of(const small_scope& scope, const std::vector<program>& programs,
                  const lineup& who) {
  sim::plan out;
  out.workload = sim::workload_kind::handoff;
  out.profile = "interleave";
  out.ttl_ms = scope.ttl_ms;
  out.margin_ppm = scope.margin_ppm;
  out.resource = scope.fencing ? sim::resource_kind::fenced : sim::resource_kind::local;
  // Nothing has to happen before a time that no deadline comes near.
  const auto unbounded = 1000 * scope.ttl_ms * sim::ns_per_ms;
  out.bounds.delay_max = out.bounds.lateness = unbounded;
  out.bounds.call_limit = 4 * unbounded;
  out.keys = {"K"};
  for (std::size_t i = 0; i < who.size(); ++i)
    out.processes.emplace_back().name = fmt::format("P{}", i + 1);
  writer into(out, scope.ttl_ms);
  for (std::size_t i = 0; i < who.size(); ++i) into.write(programs[who[i]], sim::process_id(i));
  return out;
}

}  // namespace leaselab::properties
