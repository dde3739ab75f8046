#include "properties/mastra/differential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/random.hpp"

namespace leaselab::properties::mastra {
namespace {

constexpr std::array<operation, 5> operations = {
    operation::acquire, operation::get, operation::release, operation::renew, operation::transfer};
const std::vector<std::string> keys = {"K", "L", "K:L", "__proto__"};
const std::vector<std::string> owners = {"A", "B", "A ", "constructor", "ключ"};

class drawing {
 public:
  explicit drawing(std::uint64_t seed) : random_(sim::split(seed, sim::purpose::calls)) {}

  asked next() {
    asked out;
    out.key = one_of(keys);
    out.at_ms = clock_.reading = moved(out.key);
    out.what = operations[random_.below(operations.size())];
    if (out.what != operation::get) out.owner = owner_for(out.key);
    if (out.what == operation::transfer) out.to = one_of(owners);
    if (out.what != operation::get && out.what != operation::release) out.ttl_ms = ttl();
    effect(out);
    return out;
  }

 private:
  const std::string& one_of(const std::vector<std::string>& from) {
    return from[random_.below(from.size())];
  }

  std::int64_t ttl() {
    switch (random_.below(16)) {
      case 0:
        return 1;
      case 1:
        return 15'000;
      case 2:
        return random_.below(100) == 0 ? max_ttl_ms : 2;
      default:
        return 1 + static_cast<std::int64_t>(random_.below(100));
    }
  }

  // Half of the time the one that holds the key, or held it.
  std::string owner_for(const std::string& key) {
    const auto held = store_.peek(key);
    return held && random_.below(2) == 0 ? held->owner : one_of(owners);
  }

  // A quarter of the time to a deadline; a lease of 2^53 ms is waited for by nobody.
  std::int64_t moved(const std::string& key) {
    const auto now = clock_.reading;
    const auto kind = random_.below(8);
    if (kind < 4) return now;
    if (kind < 6) return now + static_cast<std::int64_t>(random_.below(5));
    const auto held = store_.peek(key);
    const auto beside = static_cast<std::int64_t>(random_.below(3)) - 1;
    constexpr std::int64_t far = 1'000'000;
    if (!held || held->deadline_granules > now + far) return now + 1;
    return std::max(now, held->deadline_granules + beside);
  }

  void effect(const asked& one) {
    const milliseconds ttl(one.ttl_ms);
    if (one.what == operation::acquire) store_.acquire(one.key, one.owner, ttl);
    if (one.what == operation::release) store_.release(one.key, one.owner);
    if (one.what == operation::renew) store_.renew(one.key, one.owner, ttl);
    if (one.what == operation::transfer) store_.transfer(one.key, one.owner, one.to, ttl);
  }

  sim::random_source random_;
  testing::manual_granule_clock clock_;
  memory_store store_{clock_};
};

std::string yes_or_no(bool yes) { return yes ? "true" : "false"; }

std::string text_of(const lease_error& error) {
  return fmt::format("{} {}", leaselab::to_string(error.kind), leaselab::to_string(error.code));
}

std::string text_of(const asked& one, const acquire_answer& got) {
  const auto named = got.owner.value_or("nobody");
  if (!got.acquired) return "denied, " + named;
  return got.owner && *got.owner != one.owner ? "acquired for " + named : "acquired";
}

template <class Answer, class Text>
std::string ended(const result<Answer>& got, Text text) {
  return got ? text(*got) : text_of(got.error());
}

std::string answer(any_lease_provider& by, const asked& one) {
  const milliseconds ttl(one.ttl_ms);
  switch (one.what) {
    case operation::acquire:
      return ended(testing::run(by.acquire_lease(one.key, one.owner, ttl, {})),
                   [&](const acquire_answer& got) { return text_of(one, got); });
    case operation::get:
      return ended(testing::run(by.get_lease_owner(one.key, {})),
                   [](const auto& got) { return got.value_or("nobody"); });
    case operation::release: {
      const auto got = testing::run(by.release_lease(one.key, one.owner, {}));
      return got ? "done" : text_of(got.error());
    }
    case operation::renew:
      return ended(testing::run(by.renew_lease(one.key, one.owner, ttl, {})), yes_or_no);
    case operation::transfer:
      return ended(testing::run(by.transfer_lease(one.key, one.owner, one.to, ttl, {})),
                   [](const transfer_answer& got) { return yes_or_no(got.moved); });
  }
  return "?";
}

// Without [from, from + count).
std::vector<asked> without(const std::vector<asked>& all, std::size_t from, std::size_t count) {
  std::vector<asked> out = all;
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(from);
  out.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, all.size() - from)));
  return out;
}

// What an operation finds was put there not long before it.
difference by_its_end(difference found, const maker& left, const maker& right) {
  const auto& all = found.operations;
  for (std::size_t last = 16; last < all.size(); last *= 4) {
    auto tried = compare(without(all, 0, all.size() - last), left, right);
    if (tried) return std::move(*tried);
  }
  return found;
}

}  // namespace

std::string to_string(const asked& one) {
  std::string words = one.key;
  for (const auto* each : {&one.owner, &one.to}) {
    if (!each->empty()) words += ", " + *each;
  }
  if (one.ttl_ms != 0) words += fmt::format(", {}", one.ttl_ms);
  return fmt::format("{} ms: {}({})", one.at_ms, leaselab::to_string(one.what), words);
}

std::string to_string(const difference& value) {
  std::string out;
  constexpr std::size_t shown = 20;
  const auto& all = value.operations;
  for (std::size_t i = all.size() > shown ? all.size() - shown : 0; i < all.size(); ++i) {
    out += to_string(all[i]) + '\n';
  }
  return out + fmt::format("answers: {} / {}", value.left, value.right);
}

void bench_top::move_to(std::int64_t at_ms) {
  granules.reading = at_ms;
  environment.clock = testing::scripted_environment::at(milliseconds(at_ms));
  environment.step_limits.clear();
}

std::vector<std::string> answers_of(const std::vector<asked>& all, const maker& make) {
  bench_top on;
  const auto provider = make(on);
  std::vector<std::string> out;
  out.reserve(all.size());
  for (const auto& one : all) {
    on.move_to(one.at_ms);
    out.push_back(answer(*provider, one));
  }
  return out;
}

std::vector<asked> draw_operations(std::uint64_t seed, std::size_t count) {
  drawing from(seed);
  std::vector<asked> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(from.next());
  return out;
}

std::optional<difference> compare(const std::vector<asked>& all, const maker& left,
                                  const maker& right) {
  const auto ours = answers_of(all, left);
  const auto theirs = answers_of(all, right);
  const auto [a, b] = std::mismatch(ours.begin(), ours.end(), theirs.begin());
  if (a == ours.end()) return std::nullopt;
  return difference{{all.begin(), all.begin() + (a - ours.begin()) + 1}, *a, *b};
}

difference shrunk(difference found, const maker& left, const maker& right) {
  found = by_its_end(std::move(found), left, right);
  for (std::size_t chunk = found.operations.size(); chunk > 0;) {
    bool smaller = false;
    for (std::size_t from = 0; from < found.operations.size(); from += chunk) {
      auto tried = compare(without(found.operations, from, chunk), left, right);
      smaller |= tried.has_value();
      if (tried) found = std::move(*tried);
    }
    // Once more at this size after a success: what stood in the way may be gone.
    if (!smaller) chunk /= 2;
  }
  return found;
}

}  // namespace leaselab::properties::mastra
