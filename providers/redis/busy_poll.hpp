// Whether to stay awake for a reply. Falling asleep and being woken costs both ends tens of
// microseconds, more than a server nearby needs to answer. Where replies take longer it would be
// waste, so it is done only after a reply that came within the limit. Known as busy polling or
// spin-then-park (Karlin, Li, Manasse, Owicki: Empirical studies of competitive spinning, SOSP
// 1991).
#pragma once

#include <chrono>

namespace leaselab {

class busy_poll {
 public:
  using clock = std::chrono::steady_clock;

  // 0: never stays awake.
  explicit busy_poll(std::chrono::microseconds limit) : limit_(limit) {}

  // Commands were written and wait for replies.
  void sent(clock::time_point now) { since_ = now; }
  // Replies came, the first since then.
  void heard(clock::time_point now) { prompt_ = now - since_ < limit_; }
  // To be asked again and again while commands wait.
  bool stay_awake(clock::time_point now) const { return prompt_ && now - since_ < limit_; }

 private:
  const clock::duration limit_;
  clock::time_point since_{};
  bool prompt_ = false;
};

}  // namespace leaselab
