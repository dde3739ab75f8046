// A script taken apart at its redis.calls, so that a scheduler may let others in between: what the
// script would be if it were not atomic.
#pragma once

#include <span>
#include <string_view>

#include "sim/redis/model_engine.hpp"

namespace leaselab::sim::redis {

// Construction runs up to the first redis.call, which has no effect; each step executes one call
// at its own instant and runs on to the next. Other commands and other split runs may be executed
// on the same engine in between. Must not outlive the engine; dropping it half way is a script
// that never finished. Which calls are boundaries: lua_runtime::start.
class split_run {
 public:
  // `script_call` names a script. It may be done at once: NOSCRIPT, or a script without calls.
  split_run(model_engine& on, const command& script_call);
  ~split_run();
  split_run(const split_run&) = delete;
  split_run& operator=(const split_run&) = delete;

  bool done() const { return run_.done; }
  // The words of the next redis.call, for labels; empty when done. Valid until the engine is used.
  std::span<const std::string_view> next() { return engine_.runtime_.pending_words(run_); }
  // Executes it at `now_ms`. True: another one is pending. Not to be called when done.
  bool step(std::int64_t now_ms);
  // When done.
  const reply& result() const { return run_.result; }

 private:
  model_engine& engine_;
  suspended_script run_;
};

}  // namespace leaselab::sim::redis
