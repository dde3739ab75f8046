#include "sim/redis/split_run.hpp"

#include <boost/assert.hpp>

namespace leaselab::sim::redis {

split_run::split_run(model_engine& on, const command& script_call) : engine_(on) {
  BOOST_ASSERT(script_call.lua != nullptr);
  const std::size_t key_count = static_cast<std::size_t>(script_call.key_count);
  BOOST_ASSERT(key_count <= script_call.words.size());
  const compiled_script* script = engine_.prepare(script_call, run_.result);
  if (script == nullptr) {
    run_.done = true;
    return;
  }
  engine_.runtime_.start(*script, {{script_call.words.data(), script_call.words.size()}, key_count},
                         run_);
}

split_run::~split_run() { engine_.runtime_.discard(run_); }

bool split_run::step(std::int64_t now_ms) {
  engine_.set_now(now_ms);
  engine_.runtime_.advance(run_);
  return !run_.done;
}

}  // namespace leaselab::sim::redis
