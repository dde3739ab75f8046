#include "properties/search/profile.hpp"

#include <algorithm>

namespace leaselab::properties {
namespace {

using kind = sim::fault_kind;

constexpr injection interleave[] = {{kind::delay, 2}, {kind::late_timer, 1}, {kind::connect, 1}};
constexpr injection skew[] = {
    {kind::offset, 1}, {kind::step, 2}, {kind::strobe, 1}, {kind::rate, 3}};
constexpr injection pause[] = {{kind::pause, 1}};
constexpr injection drift[] = {{kind::rate, 2}, {kind::freeze, 2}, {kind::pause, 2}};
constexpr injection crash[] = {{kind::crash, 1}};
constexpr injection lossy[] = {{kind::drop, 3}, {kind::hold, 3}, {kind::duplicate, 1}};
constexpr injection partition[] = {{kind::partition, 1}};
constexpr injection scripts[] = {{kind::error_reply, 3}, {kind::flush_scripts, 1}};
constexpr injection chaos[] = {
    {kind::delay, 1},     {kind::late_timer, 1},  {kind::connect, 1},       {kind::step, 1},
    {kind::strobe, 1},    {kind::rate, 1},        {kind::freeze, 1},        {kind::pause, 2},
    {kind::crash, 2},     {kind::drop, 2},        {kind::hold, 2},          {kind::duplicate, 1},
    {kind::partition, 2}, {kind::error_reply, 2}, {kind::flush_scripts, 1},
};
constexpr injection backend_clock[] = {{kind::step, 3}, {kind::rate, 2}, {kind::freeze, 1}};
constexpr injection backend_restart[] = {{kind::backend_down, 1}};
constexpr injection failover[] = {{kind::failover, 3},
                                  {kind::two_primaries, 2},
                                  {kind::replica_read, 2},
                                  {kind::redirect, 1},
                                  {kind::reap_late, 1}};
constexpr injection eviction[] = {{kind::evict, 3}, {kind::overwrite, 2}, {kind::duplicate, 2}};

constexpr auto no = client_level::witness;
constexpr auto limit = client_level::limit;

const profile all[] = {
    {.id = "calm", .about = "one call at a time, no delay", .one_at_a_time = true},
    {.id = "interleave",
     .about = "message delays, reordering between connections, pre-emption between any two trips",
     .injects = interleave,
     .most_faults = 2},
    {.id = "skew",
     .about = "client clocks inside the margin: wall offsets, steps and strobes, rates near one",
     .injects = skew,
     .most_faults = 3,
     .clocks = clock_courses::inside_margin},
    {.id = "pause",
     .about = "processes stop and resume, their clocks run on",
     .injects = pause,
     .least_faults = 1,
     .most_faults = 3,
     .quiet_phase = true},
    {.id = "drift",
     .about = "clocks outside the margin: rates, freezes, clocks that stand during a pause",
     .client = no,
     .injects = drift,
     .least_faults = 1,
     .most_faults = 3,
     .clocks = clock_courses::anywhere,
     .clocks_stand = true,
     .quiet_phase = true},
    {.id = "crash",
     .about = "crashes between any two steps, restarts under the same or a new identity",
     .injects = crash,
     .least_faults = 1,
     .most_faults = 3,
     .quiet_phase = true},
    {.id = "lossy",
     .about = "requests and replies lost, requests that land after the client gave up",
     .injects = lossy,
     .least_faults = 1,
     .most_faults = 4,
     .quiet_phase = true},
    {.id = "partition",
     .about = "process and backend cut off, one way or both",
     .injects = partition,
     .least_faults = 1,
     .most_faults = 2,
     .quiet_phase = true},
    {.id = "scripts",
     .about = "script cache flushed; error replies instead of the execution",
     .injects = scripts,
     .least_faults = 1,
     .most_faults = 4,
     .quiet_phase = true},
    {.id = "chaos",
     .about = "all of the above",
     .client = no,
     .injects = chaos,
     .least_faults = 2,
     .most_faults = 8,
     .clocks = clock_courses::anywhere,
     .clocks_stand = true,
     .quiet_phase = true},
    {.id = "backend-clock",
     .about = "backend clock steps, freezes, runs fast or slow",
     .in_model = false,
     .client = limit,
     .injects = backend_clock,
     .least_faults = 1,
     .most_faults = 3},
    {.id = "backend-restart",
     .about = "backend down, back with all, some or no data",
     .in_model = false,
     .client = limit,
     .injects = backend_restart,
     .least_faults = 1,
     .most_faults = 2},
    {.id = "failover",
     .about = "replica promoted some writes behind; two primaries; stale reads",
     .in_model = false,
     .client = limit,
     .injects = failover,
     .least_faults = 1,
     .most_faults = 2},
    {.id = "eviction",
     .about = "live record removed or overwritten from outside; request duplicated on the wire",
     .in_model = false,
     .client = limit,
     .injects = eviction,
     .least_faults = 1,
     .most_faults = 2},
};

}  // namespace

std::span<const profile> profiles() { return all; }

const profile* find_profile(std::string_view id) {
  const auto found = std::find_if(std::begin(all), std::end(all),
                                  [&](const profile& one) { return one.id == id; });
  return found == std::end(all) ? nullptr : &*found;
}

std::string_view home_of(sim::fault_kind value) {
  switch (value) {
    case kind::delay:
    case kind::late_timer:
    case kind::connect:
      return "interleave";
    case kind::offset:
    case kind::step:
    case kind::strobe:
      return "skew";
    case kind::rate:
    case kind::freeze:
      return "drift";
    case kind::pause:
      return "pause";
    case kind::crash:
      return "crash";
    case kind::drop:
    case kind::hold:
    case kind::duplicate:
      return "lossy";
    case kind::partition:
      return "partition";
    case kind::error_reply:
    case kind::flush_scripts:
      return "scripts";
    case kind::backend_down:
      return "backend-restart";
    case kind::evict:
    case kind::overwrite:
      return "eviction";
    default:
      return "failover";
  }
}

std::vector<injection> injections_for(const profile& faults, const guarantees& declared) {
  std::vector<injection> possible;
  for (const injection& one : faults.injects) {
    if (!declared.inapplicable("*", home_of(one.kind))) possible.push_back(one);
  }
  return possible;
}

}  // namespace leaselab::properties
