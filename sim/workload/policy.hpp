// What a client makes of answers, silence and its own mistakes: the policy table of
// docs/PROPERTIES.md as values. `strict` is what keeps every client-level property; `published` is
// what a well-known runtime does.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab::sim {

enum class token_policy : std::uint8_t { unique, run_id };
enum class acquire_error_policy : std::uint8_t { fail_closed, fail_open };
enum class nobody_named_policy : std::uint8_t { retry, drop };
enum class own_token_policy : std::uint8_t { transfer, route };
enum class renew_error_policy : std::uint8_t { until_deadline, stop, ignore };
enum class renew_false_policy : std::uint8_t { stop, run_on };
enum class local_deadline_policy : std::uint8_t { checked, none };
enum class drain_error_policy : std::uint8_t { retry, drop };
enum class release_policy : std::uint8_t { repeat, await_once, fire_and_forget };
enum class stop_first_policy : std::uint8_t { yes, no };
enum class offer_policy : std::uint8_t { acked, once };
enum class suspend_policy : std::uint8_t { release, keep };
enum class waiter_error_policy : std::uint8_t { unknown, dead };
enum class dead_means_policy : std::uint8_t { acquire, run };
enum class plain_denied_policy : std::uint8_t { stop, run_beside };
enum class detection_policy : std::uint8_t { any_depth, outermost };

// The first value of each is the strict one.
struct client_policy {
  token_policy token{};
  acquire_error_policy acquire_error{};
  nobody_named_policy nobody_named{};
  own_token_policy own_token_named{};
  renew_error_policy renew_error{};
  renew_false_policy renew_false{};
  local_deadline_policy local_deadline{};
  drain_error_policy drain_error{};
  release_policy release{};
  stop_first_policy stop_before_release{};
  offer_policy offer{};
  suspend_policy suspend{};
  waiter_error_policy waiter_error{};
  dead_means_policy dead_means{};
  plain_denied_policy plain_run_denied{};
  detection_policy detection{};
  bool operator==(const client_policy&) const = default;
};

// Calls `visit(key, member)` for each policy, in the order of the table.
template <class Policy, class Visit>
void each_policy(Policy& value, Visit&& visit) {
  visit("token", value.token);
  visit("acquire_error", value.acquire_error);
  visit("nobody_named", value.nobody_named);
  visit("own_token_named", value.own_token_named);
  visit("renew_error", value.renew_error);
  visit("renew_false", value.renew_false);
  visit("local_deadline", value.local_deadline);
  visit("drain_error", value.drain_error);
  visit("release", value.release);
  visit("stop_before_release", value.stop_before_release);
  visit("offer", value.offer);
  visit("suspend", value.suspend);
  visit("waiter_error", value.waiter_error);
  visit("dead_means", value.dead_means);
  visit("plain_run_denied", value.plain_run_denied);
  visit("detection", value.detection);
}

// One row of the table: a key, what it decides, and its values, the strict one first.
struct policy_key {
  std::string_view key;
  std::string_view about;
  std::vector<std::string_view> values;
};
std::span<const policy_key> policy_table();

// A word that is none, and the words that could have stood there.
class policy_error : public std::invalid_argument {
 public:
  policy_error(const std::string& what, std::string word, std::vector<std::string> allowed)
      : std::invalid_argument(what), word(std::move(word)), allowed(std::move(allowed)) {}
  std::string word;
  std::vector<std::string> allowed;
};

std::span<const std::string_view> client_presets();  // strict, published
client_policy preset(std::string_view name);         // throws policy_error

// Sets one policy by its names. Throws policy_error.
void set_policy(client_policy& value, std::string_view key, std::string_view word);
// "strict,acquire_error=fail_open": a preset, then what differs from it. Throws policy_error.
client_policy parse_client(std::string_view text);
// The same, back: the preset that less differs from, and the differences.
std::string to_string(const client_policy& value);

}  // namespace leaselab::sim
