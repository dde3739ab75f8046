// PING, ECHO, TIME, FLUSHALL, PUBLISH.
#include "sim/redis/commands.hpp"

namespace leaselab::sim::redis {

void run_ping(invocation& call) {
  if (call.words.size() > 2) return answer_wrong_arity(call.out, call.spec);
  if (call.words.size() == 1) return answer_status(call.out, "PONG");
  answer_text(call.out, call.words[1]);
}

void run_echo(invocation& call) { answer_text(call.out, call.words[1]); }

// Seconds and microseconds, floored: also below zero the microseconds count upwards.
void run_time(invocation& call) {
  std::int64_t seconds = call.now_unix_ms / 1000;
  std::int64_t rest_ms = call.now_unix_ms % 1000;
  if (rest_ms < 0) {
    --seconds;
    rest_ms += 1000;
  }
  answer_nil(call.out);
  call.out.kind = reply_kind::array;
  call.out.items.resize(2);
  answer_text(call.out.items[0], std::to_string(seconds));
  answer_text(call.out.items[1], std::to_string(rest_ms * 1000));
}

void run_flush(invocation& call) {
  const bool plain = call.words.size() == 1;
  const bool known = call.words.size() == 2 && (equals_ignoring_case(call.words[1], "sync") ||
                                                equals_ignoring_case(call.words[1], "async"));
  if (!plain && !known) return answer_syntax_error(call.out);
  call.keys.clear();
  ++call.writes;
  answer_status(call.out, "OK");
}

// Nobody subscribes: an engine has one client at a time.
void run_publish(invocation& call) { answer_integer(call.out, 0); }

}  // namespace leaselab::sim::redis
