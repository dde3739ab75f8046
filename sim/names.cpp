#include "sim/names.hpp"

namespace leaselab::sim {
namespace {

using name = std::string_view;

constexpr name event_labels[] = {"start", "request", "reply",   "step",    "wake",    "limit",
                                 "work",  "landing", "begin",   "heal",    "restart", "copy",
                                 "quiet", "signal",  "publish", "deliver", "timer",   "unblock"};
static_assert(std::size(event_labels) == std::size_t(event_label::unblock) + 1);

constexpr name fault_kinds[] = {
    "offset",        "step",          "rate",       "strobe",    "freeze",       "pause",
    "crash",         "drop",          "delay",      "hold",      "duplicate",    "partition",
    "error_reply",   "flush_scripts", "late_timer", "connect",   "backend_down", "failover",
    "two_primaries", "replica_read",  "evict",      "overwrite", "redirect",     "reap_late"};
static_assert(std::size(fault_kinds) == fault_kind_count);

constexpr name legs[] = {"request", "reply"};
static_assert(std::size(legs) == std::size_t(leg::reply) + 1);

constexpr name kept_data[] = {"kept", "lost", "appendonly"};
static_assert(std::size(kept_data) == std::size_t(data_kept::appendonly) + 1);

constexpr name clocks[] = {"wall", "monotonic", "both"};
static_assert(std::size(clocks) == std::size_t(which_clock::both) + 1);

constexpr name verbs[] = {"acquire", "get", "release", "renew", "transfer", "write", "close"};
static_assert(std::size(verbs) == std::size_t(verb::close) + 1);

constexpr name event_kinds[] = {
    "invoke",       "complete",  "step",  "change",      "believe",     "disbelieve", "work",
    "work_refused", "work_sent", "start", "crash",       "pause",       "resume",     "fault",
    "heal",         "quiet",     "end",   "submitted",   "offered",     "accepted",   "handed",
    "refused",      "unknown",   "begun", "interrupted", "run_started", "run_ended"};
static_assert(std::size(event_kinds) == std::size_t(event_kind::run_ended) + 1);

constexpr name resources[] = {"local", "remote", "fenced"};
static_assert(std::size(resources) == std::size_t(resource_kind::fenced) + 1);

constexpr name workloads[] = {"contend", "handoff", "churn",   "calls",
                              "shared",  "runtime", "directed"};
static_assert(std::size(workloads) == std::size_t(workload_kind::directed) + 1);

}  // namespace

template <>
std::span<const name> names<event_label>() {
  return event_labels;
}
template <>
std::span<const name> names<fault_kind>() {
  return fault_kinds;
}
template <>
std::span<const name> names<leg>() {
  return legs;
}
template <>
std::span<const name> names<data_kept>() {
  return kept_data;
}
template <>
std::span<const name> names<which_clock>() {
  return clocks;
}
template <>
std::span<const name> names<verb>() {
  return verbs;
}
template <>
std::span<const name> names<event_kind>() {
  return event_kinds;
}
template <>
std::span<const name> names<resource_kind>() {
  return resources;
}
template <>
std::span<const name> names<workload_kind>() {
  return workloads;
}

}  // namespace leaselab::sim
