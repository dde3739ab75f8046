#include "cli/live/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/additions.hpp"
#include "cli/exit_status.hpp"
#include "cli/registry.hpp"
#include "cli/values.hpp"
#include "providers/redis/redis_url.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli::live {
namespace {

constexpr std::array<std::string_view, 6> kind_names = {"kill", "stop",    "clock",
                                                        "cut",  "restart", "freeze"};

fault_kind kind_named(const std::string& name) {
  const auto found = std::ranges::find(kind_names, name);
  if (found != kind_names.end()) return static_cast<fault_kind>(found - kind_names.begin());
  const std::vector<std::string> known(kind_names.begin(), kind_names.end());
  throw usage_error(
      fmt::format("--faults: there is no fault `{}`{}", name, scenarios::suggest(name, known)));
}

// Those under which the strict client is safe.
std::vector<fault_kind> safe_kinds(bool own_server) {
  std::vector<fault_kind> kinds{fault_kind::kill, fault_kind::stop, fault_kind::clock,
                                fault_kind::cut};
  if (own_server) kinds.push_back(fault_kind::restart);
  return kinds;
}

std::vector<fault_kind> kinds_of(const std::string& text, bool own_server) {
  if (text.empty()) return safe_kinds(own_server);
  if (text == "none") return {};
  std::vector<fault_kind> kinds;
  for (std::size_t from = 0; from <= text.size();) {
    const auto comma = std::min(text.find(',', from), text.size());
    kinds.push_back(kind_named(text.substr(from, comma - from)));
    from = comma + 1;
  }
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  if (!own_server && std::ranges::find(kinds, fault_kind::restart) != kinds.end()) {
    throw usage_error("--faults: `restart` is for leaselab's own server, not for --redis");
  }
  return kinds;
}

std::string provider_of(const std::vector<std::string>& names) {
  if (names.empty()) return "redis";
  if (names.size() > 1) throw usage_error("--provider: one at a time");
  std::vector<std::string> known{"redis", "redis-fenced"};
  for (const auto& each : added_providers()) {
    if (each.given.over_redis() && each.given.missing.empty()) known.push_back(each.given.name);
  }
  if (std::ranges::find(known, names[0]) != known.end()) return names[0];
  const auto* const added = find_added(names[0]);
  const std::string why = !added                      ? ""
                          : added->given.over_redis() ? ": " + fallback_text(added->given.missing)
                                                      : ", whose processes share one memory";
  throw usage_error(fmt::format("--provider: `{}` does not run live{}; {} do{}", names[0], why,
                                fmt::join(known, " and "), scenarios::suggest(names[0], known)));
}

// What is left of the policies where there are no signals.
constexpr std::array<std::string_view, 6> live_policies{"acquire_error", "renew_error",
                                                        "renew_false",   "local_deadline",
                                                        "release",       "stop_before_release"};

sim::client_policy client_of(const std::string& text) {
  if (text.empty()) return {};
  for (auto from = text.find(','); from != std::string::npos; from = text.find(',', from + 1)) {
    const auto key = text.substr(from + 1, text.find('=', from) - from - 1);
    if (std::ranges::find(live_policies, key) != live_policies.end()) continue;
    const auto keys = sim::policy_table();
    if (std::ranges::find(keys, key, &sim::policy_key::key) == keys.end()) break;  // told below
    throw usage_error(
        fmt::format("--client: `{}` makes no difference live, where no signals are; {} do", key,
                    fmt::join(live_policies, ", ")));
  }
  return client_named(text);
}

void check_address(const std::string& url) {
  if (url.empty()) return;
  const auto parsed = parse_redis_url(url);
  if (!parsed) throw usage_error("--redis: " + without_password(parsed.error().text));
}

}  // namespace

std::string to_string(fault_kind kind) {
  return std::string(kind_names[static_cast<std::size_t>(kind)]);
}

setup setup_of(const options& given) {
  setup out;
  out.client = client_of(given.client);
  check_address(given.redis);
  out.seed = seed_of(given.seed);
  out.provider = provider_of(given.providers);
  out.processes =
      static_cast<int>(optional_number("--processes", given.processes, 1, 64).value_or(4));
  out.keys = std::max(1, out.processes / 2);
  if (!given.margin.empty()) out.margin_ppm = share_ppm("--margin", given.margin);
  out.duration = positive_duration("--duration", given.duration.empty() ? "30s" : given.duration);
  if (out.duration > 3'600'000 * sim::ns_per_ms) throw usage_error("--duration: at most 1h");
  out.url = given.redis;
  out.kinds = kinds_of(given.faults, out.own_server());
  return out;
}

std::string without_password(std::string text) {
  for (std::size_t from = 0;;) {
    const auto scheme = text.find("://", from);
    if (scheme == std::string::npos) return text;
    const auto begin = scheme + 3;
    const auto at = text.substr(0, text.find_first_of("/ '\"", begin)).rfind('@');
    const auto colon = text.find(':', begin);
    from = begin;
    if (at == std::string::npos || at < begin || colon >= at) continue;
    text.replace(colon + 1, at - colon - 1, "***");
  }
}

}  // namespace leaselab::cli::live
