#include "sim/workload/policy.hpp"

#include <algorithm>

#include "sim/names.hpp"

namespace leaselab::sim {
namespace {

constexpr std::string_view presets[] = {"strict", "published"};

// Why own_token_named=route, renew_error, renew_false=run_on, release and waiter_error break
// nothing alone: docs/PROPERTIES.md, "Policies that break nothing alone".
constexpr std::string_view abouts[] = {
    "whose name a lease bears: a new one each time, or the run's, reused where it resumes",
    "an acquire that failed: wait, or run anyway",
    "a denial that names nobody: ask again, or report the signal as delivered",
    "a denial that names one's own left-over token: transfer it, or offer to oneself",
    "a renewal that failed: go on to the local deadline, stop, or take no notice",
    "a renewal answered no: stop, or run on",
    "the holder's own deadline: checked in every work step, or none",
    "a transfer to the next run that failed: acquire for it, or drop the signal",
    "a release: repeated until answered, awaited once, or sent and forgotten",
    "whether work ends before the lease is given up",
    "a signal for another's run: acknowledged and repeated, or published once",
    "a run that is suspended: gives its lease back, or keeps it",
    "an owner read that failed while waiting: nothing known, or the owner is dead",
    "a dead owner: acquire, or run at once",
    "a plain run that is denied: stops, or runs beside",
    "a provider behind decorators: found at any depth, or only the outermost looked at",
};

std::vector<std::string> as_strings(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

std::vector<policy_key> make_table() {
  std::vector<policy_key> table;
  client_policy value;
  each_policy(value, [&](std::string_view key, auto& member) {
    const auto all = names<std::decay_t<decltype(member)>>();
    table.push_back({key, abouts[table.size()], {all.begin(), all.end()}});
  });
  return table;
}

client_policy published() {
  client_policy value;
  value.token = token_policy::run_id;
  value.acquire_error = acquire_error_policy::fail_open;
  value.nobody_named = nobody_named_policy::drop;
  value.own_token_named = own_token_policy::route;
  value.renew_error = renew_error_policy::ignore;
  value.renew_false = renew_false_policy::run_on;
  value.local_deadline = local_deadline_policy::none;
  value.drain_error = drain_error_policy::drop;
  value.release = release_policy::fire_and_forget;
  value.offer = offer_policy::once;
  value.suspend = suspend_policy::keep;
  value.waiter_error = waiter_error_policy::dead;
  value.dead_means = dead_means_policy::run;
  value.plain_run_denied = plain_denied_policy::run_beside;
  value.detection = detection_policy::outermost;
  return value;
}

std::vector<std::string> differences(const client_policy& base, const client_policy& value) {
  std::vector<std::string_view> words;
  each_policy(base, [&](std::string_view, auto member) { words.push_back(name_of(member)); });
  std::vector<std::string> out;
  std::size_t place = 0;
  each_policy(value, [&](std::string_view key, auto member) {
    const auto word = name_of(member);
    if (word != words[place++]) out.push_back(std::string(key) + "=" + std::string(word));
  });
  return out;
}

}  // namespace

std::span<const policy_key> policy_table() {
  static const std::vector<policy_key> table = make_table();
  return table;
}

std::span<const std::string_view> client_presets() { return presets; }

client_policy preset(std::string_view name) {
  if (name == "strict") return {};
  if (name == "published") return published();
  throw policy_error("there is no client `" + std::string(name) + "`", std::string(name),
                     as_strings(presets));
}

void set_policy(client_policy& value, std::string_view key, std::string_view word) {
  bool known = false;
  each_policy(value, [&](std::string_view name, auto& member) {
    if (name != key) return;
    known = true;
    using policy = std::decay_t<decltype(member)>;
    const auto found = named<policy>(word);
    if (!found) {
      throw policy_error(std::string(key) + " cannot be `" + std::string(word) + "`",
                         std::string(word), as_strings(names<policy>()));
    }
    member = *found;
  });
  if (known) return;
  std::vector<std::string> keys;
  for (const auto& one : policy_table()) keys.emplace_back(one.key);
  throw policy_error("there is no policy `" + std::string(key) + "`", std::string(key), keys);
}

client_policy parse_client(std::string_view text) {
  const auto next = [&text] {
    const auto comma = std::min(text.find(','), text.size());
    const auto word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    return word;
  };
  client_policy value = preset(next());
  while (!text.empty()) {
    const auto setting = next();
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos) {
      throw policy_error("`" + std::string(setting) + "` is no policy=value", "", {});
    }
    set_policy(value, setting.substr(0, equals), setting.substr(equals + 1));
  }
  return value;
}

std::string to_string(const client_policy& value) {
  std::string_view base = presets[0];
  auto differing = differences(preset(base), value);
  auto others = differences(preset(presets[1]), value);
  if (others.size() < differing.size()) {
    base = presets[1];
    differing = std::move(others);
  }
  std::string out(base);
  for (const auto& one : differing) out += "," + one;
  return out;
}

}  // namespace leaselab::sim
