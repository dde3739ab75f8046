// Deadlines by the wall clock of whoever calls. A world's wall clocks count from its beginning,
// and so does the backend's clock; an instant of both is a Unix time that many ms after the epoch
// of the simulated server.
#include <charconv>

#include "properties/mutants/list.hpp"
#include "properties/mutants/making.hpp"
#include "providers/redis/scripts.hpp"
#include "sim/redis/engine.hpp"

namespace leaselab::properties::mutations {
namespace {

std::int64_t wall_ms(const environment& environment) {
  return std::chrono::floor<milliseconds>(environment.wall_now().time_since_epoch()).count();
}

constexpr std::string_view deadline_passage = "'PX', ARGV[2]";

}  // namespace

// ---- M22
// A's clock is 40 ms behind: its renewal for 100 at 50 ends at 110, and B acquires at 120, when A
// still counts on 150.

namespace {

const script& renew_until() {
  static const script faulty = edited(redis_scripts::renew(), "'PEXPIRE', KEYS[1], ARGV[2]",
                                      "'PEXPIREAT', KEYS[1], ARGV[2]");
  return faulty;
}

class renews_by_wall_clock final : public environment_over {
 public:
  using environment_over::environment_over;

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    if (request.lua == &redis_scripts::renew()) {
      request.lua = &renew_until();
      const std::int64_t until =
          sim::redis::epoch_unix_ms + wall_ms(real_) + std::stoll(request.words[2]);
      request.words[2] = std::to_string(until);
    }
    return real_.send(std::move(request), deadline);
  }
};

}  // namespace

mutant renew_by_callers_clock() {
  return of_redis(
      {"M22",
       "renew by the caller's clock",
       "renew computes the deadline with the caller's wall clock: a caller that is behind "
       "loses the lease early, one that is ahead keeps it too long",
       {"expiry.on_time", "single_owner.grant", "lease.linearizable", "renew.honest",
        "progress.after_crash", "progress.after_heal"}},
      make_over_redis<redis_on<renews_by_wall_clock>>, {&renew_until()});
}

// ---- M23 (bugs B20, B21)
// B's clock is 180 ms ahead of A's: it takes A's lease of 100 for over as soon as it was set. Only
// acquire is wrong; the deadline is stored as the key's own.

namespace {

const script& acquire_until() {
  static const script faulty =
      edited(edited(redis_scripts::acquire(), "if holder and holder ~= ARGV[1] then",
                    "if holder and holder ~= ARGV[1] and\n"
                    "    redis.call('PEXPIRETIME', KEYS[1]) >= tonumber(ARGV[3]) then"),
             deadline_passage, "'PXAT', string.format('%.0f', ARGV[3] + ARGV[2])");
  return faulty;
}

class acquires_by_wall_clock final : public environment_over {
 public:
  using environment_over::environment_over;

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    if (request.lua == &redis_scripts::acquire()) {
      request.lua = &acquire_until();
      request.words.push_back(std::to_string(sim::redis::epoch_unix_ms + wall_ms(real_)));
    }
    return real_.send(std::move(request), deadline);
  }
};

}  // namespace

mutant acquire_by_callers_clock() {
  return of_redis(
      {"M23",
       "acquire by the caller's clock",
       "acquire stores and compares deadlines with the caller's wall clock: a contender "
       "that is ahead takes a lease that still runs",
       {"single_owner.grant", "expiry.on_time", "acquire.idempotent", "lease.linearizable",
        "acquire.honest_denial", "progress.after_crash", "progress.after_heal"}},
      make_over_redis<redis_on<acquires_by_wall_clock>>, {&acquire_until()});
}

// ---- N02 (bugs B21)
// Redis keeps no time at all: the value is "<deadline> <owner>", the deadline the writer's wall
// clock + ttl, and every operation compares it with its own caller's wall clock.

namespace {

// The owner whose record is live at the caller's now, the last argument; its reading of expiry is
// the one that `redis` declares.
#define LEASELAB_LIVE_HOLDER                                                 \
  "local now = tonumber(ARGV[#ARGV])\n"                                      \
  "local deadline, holder = string.match(redis.call('GET', KEYS[1]) or '', " \
  "'^(%-?%d+) (.*)$')\n"                                                     \
  "if holder and tonumber(deadline) < now then holder = nil end\n"           \
  "local function until_after(ttl) return string.format('%.0f ', now + ttl) end\n"

const script& wall_acquire() {
  static const script it("acquire", LEASELAB_LIVE_HOLDER R"(
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], until_after(ARGV[2]) .. ARGV[1])
return 1
)");
  return it;
}
const script& wall_release() {
  static const script it("release", LEASELAB_LIVE_HOLDER R"(
if holder ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
)");
  return it;
}
const script& wall_renew() {
  static const script it("renew", LEASELAB_LIVE_HOLDER R"(
if holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], until_after(ARGV[2]) .. ARGV[1])
return 1
)");
  return it;
}
const script& wall_transfer() {
  static const script it("transfer", LEASELAB_LIVE_HOLDER R"(
if holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], until_after(ARGV[3]) .. ARGV[2])
return 1
)");
  return it;
}
#undef LEASELAB_LIVE_HOLDER

const script* on_wall_clock(const script* correct) {
  if (correct == &redis_scripts::acquire()) return &wall_acquire();
  if (correct == &redis_scripts::release()) return &wall_release();
  if (correct == &redis_scripts::renew()) return &wall_renew();
  return &wall_transfer();
}

struct wall_record {
  std::string_view owner;  // within the value
  std::int64_t deadline = 0;
};

std::optional<wall_record> decode(std::string_view value) {
  const auto space = value.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  wall_record record{value.substr(space + 1), 0};
  std::from_chars(value.data(), value.data() + space, record.deadline);
  return record;
}

class keeps_time_itself final : public environment_over {
 public:
  using environment_over::environment_over;

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    if (request.lua == nullptr) return read(std::move(request), deadline);
    request.lua = on_wall_clock(request.lua);
    request.words.push_back(std::to_string(wall_ms(real_)));
    return real_.send(std::move(request), deadline);
  }

 private:
  awaitable<result<reply>> read(command request, monotonic_time deadline) {
    auto answer = co_await real_.send(std::move(request), deadline);
    if (!answer || answer->kind != reply_kind::text) co_return answer;
    const auto record = decode(answer->text);
    reply seen;
    if (record && record->deadline >= wall_ms(real_)) {
      seen.kind = reply_kind::text;
      seen.text = record->owner;
    }
    co_return seen;
  }
};

// The deadline is the one that the writer claims, in ms: the backend's granules if its clock were
// right.
class reads_wall_records final : public deployment_over {
 public:
  using deployment_over::deployment_over;

  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    const auto raw = inner_->peek(store, key);
    if (!raw) return std::nullopt;
    const auto record = decode(raw->owner);
    if (!record) return raw;
    return sim::observed_record{record->owner, record->deadline, 0};
  }
  bool overwrite(std::uint8_t store, const std::string& key, const std::string& owner) override {
    const auto record = peek(store, key);
    const std::int64_t kept = record ? record->deadline : 0;
    return inner_->overwrite(store, key, std::to_string(kept) + " " + owner);
  }
};

}  // namespace

mutant deadline_on_wall_clock() {
  return deployed_in<reads_wall_records>(of_redis(
      {"N02",
       "deadlines on clients' wall clocks",
       "every deadline is written by one client's wall clock and compared with another's: clients "
       "that disagree about the time both hold the key",
       {"single_owner.grant", "expiry.on_time", "acquire.idempotent", "lease.linearizable",
        "acquire.honest_denial", "release.owner_only", "renew.honest", "handoff.honest",
        "handoff.full_ttl", "progress.after_crash", "progress.after_heal"}},
      make_over_redis<redis_on<keeps_time_itself>>,
      {&wall_acquire(), &wall_release(), &wall_renew(), &wall_transfer()}));
}

}  // namespace leaselab::properties::mutations
