#include "providers/redis/scripts.hpp"

namespace leaselab::redis_scripts {
namespace {

constexpr const char* renew_text = R"(if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
)";

}  // namespace

// One SET creates and refreshes: it writes the owner that is there already, with a new deadline.
const script& acquire() {
  static const script it("acquire", R"(local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return holder
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
)");
  return it;
}

const script& release() {
  static const script it("release", R"(if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
)");
  return it;
}

const script& renew() {
  static const script it("renew", renew_text);
  return it;
}

const script& refresh() {
  static const script it("refresh", renew_text);
  return it;
}

const script& transfer() {
  static const script it("transfer", R"(if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
)");
  return it;
}

// `or`: a counter that is gone or unreadable under a live record is counted on, or fails there,
// where nothing has been written yet.
const script& fenced_acquire() {
  static const script it("acquire", R"(local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return holder
end
local token = holder and tonumber(redis.call('GET', KEYS[2])) or redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return token
)");
  return it;
}

const script& fenced_transfer() {
  static const script it("transfer", R"(if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local same = ARGV[1] == ARGV[2]
local token = same and tonumber(redis.call('GET', KEYS[2])) or redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return token
)");
  return it;
}

}  // namespace leaselab::redis_scripts
